package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/absint"
)

// TestRefused: what calls too deep to be inlined do is done by the package all the same,
// and a sequence with one in it is not verified.
func TestRefused(t *testing.T) {
	const get = `
func Get(k string) bool {
	m.LoadOrStore(k, 1)
	_, ok := m.Load(k)
	return ok
}

func Drop(k string, there bool) {
	if there {
		d1(k)
	}
}
`
	for _, depth := range []int{2, 30} {
		var helpers strings.Builder
		for i := 1; i < depth; i++ {
			fmt.Fprintf(&helpers, "\nfunc d%d(k string) {\n\td%d(k)\n}\n", i, i+1)
		}
		fmt.Fprintf(&helpers, "\nfunc d%d(k string) {\n\tm.Delete(k)\n}\n", depth)
		assert.Equal(t, absint.Violation.String(), sequences(t, 0, get, helpers.String())["Get"], depth)
	}
	const again = `
func Again(k string, n int) bool {
	m.LoadOrStore(k, 1)
	if n > 0 {
		Again(k, n-1)
	}
	_, ok := m.Load(k)
	return ok
}
`
	assert.Equal(t, absint.Unknown.String()+"a call in it is too deep, or too large, to be followed", sequences(t, 0, again)["Again"])
	assert.Equal(t, absint.Verified.String(), sequences(t, 0, get, "\nfunc d1(string) {}\n")["Get"], "nobody deletes")
}
