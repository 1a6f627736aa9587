package register

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDifferentKeys(t *testing.T) {
	text := func(s string) Cell { return Cell{Key: Lit(strconv.Quote(s)), KeyType: "string"} }
	from := func(start string) Cell { return Cell{Key: L(0), KeyType: "string", KeyStart: start} }
	for _, test := range []struct {
		a, b Cell
		want bool
	}{
		{text("a"), text("b"), true},
		{text("a"), text("a"), false},
		{from("user:"), from("room:"), true},
		{from("user:"), from("user:x"), false}, // an x can follow
		{from("user:"), from(""), false},
		{from("user:"), text("room"), true},
		{from("user:"), text("user:a"), false},
		{from("user:"), text("user"), true}, // it is too short
		{from("user:"), Cell{Key: L(0), KeyType: "int"}, true},
		{from("user:"), Cell{Key: L(0)}, false},
	} {
		assert.Equal(t, test.want, DifferentKeys(&test.a, &test.b), "%v and %v", test.a, test.b)
		assert.Equal(t, test.want, DifferentKeys(&test.b, &test.a), "%v and %v", test.b, test.a)
	}
}
