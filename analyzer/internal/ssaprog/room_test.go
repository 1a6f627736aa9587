package ssaprog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
)

// TestFit: where there is little room, what is small is inlined all the same, and what is
// large is not.
func TestFit(t *testing.T) {
	src := `package p

import "sync"

var m sync.Map

func put(k string) { m.Store(k, 1) }

func long(k string) {
` + strings.Repeat("\tif v, ok := m.Load(k); ok {\n\t\tm.Store(v, k)\n\t}\n", 60) + `}

func twice(k string) { put(k); put(k) }

func both(k string) { put(k); long(k) }
`
	for _, c := range []struct {
		room    int
		most    int
		refused []string
	}{
		{1 << 20, maxInlined, nil},
		{1, leastInlined, []string{"long"}},
	} {
		ps := load(passtest.New(t), "example.com/p", src)
		ps.Fit(ps.Roots(), c.room)
		assert.Equal(t, c.most, ps.most)
		assert.Empty(t, ps.Refused(ps.Inlined(ps.function(t, "twice"))))
		var names []string
		for _, fn := range ps.Refused(ps.Inlined(ps.function(t, "both"))) {
			names = append(names, fn.Name())
		}
		assert.Equal(t, c.refused, names)
	}
}
