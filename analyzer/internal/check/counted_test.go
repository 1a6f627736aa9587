package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCounted: what is counted in one direction does not come back, in a kind that does
// not begin anew before long; a number in an interface is one as well.
func TestCounted(t *testing.T) {
	const once = `
func (c *C) Once() bool {
	if c.n.Load() == 0 {
		return false
	}
	return c.n.CompareAndSwap(0, 7)
}

func (c *C) Up() { c.n.Add(1) }
`
	for name, c := range map[string]struct {
		src  string
		want map[string]string
	}{
		"only up":     {"type C struct{ n atomic.Int64 }\n" + once, map[string]string{"(*C).Once": "verified"}},
		"up and down": {"type C struct{ n atomic.Int64 }\n" + once + "\nfunc (c *C) Down() { c.n.Add(-1) }\n", map[string]string{"(*C).Once": "violation"}},
		"of 32 bits":  {"type C struct{ n atomic.Int32 }\n" + once, map[string]string{"(*C).Once": "verified"}},
		"in an interface": {`
type C struct{ m sync.Map }

func (c *C) Raise(k string, n uint64) {
	v, _ := c.m.Load(k)
	x, _ := v.(uint64)
	if n == 1 {
		c.m.CompareAndSwap(k, x, n)
	}
}

func (c *C) Next(k string) {
	for {
		v, ok := c.m.Load(k)
		x, _ := v.(uint64)
		if !ok {
			if _, loaded := c.m.LoadOrStore(k, x); !loaded {
				return
			}
			continue
		}
		if c.m.CompareAndSwap(k, v, x+3) {
			return
		}
	}
}
`, map[string]string{"(*C).Next": "verified", "(*C).Raise": "verified"}},
	} {
		t.Run(name, func(t *testing.T) {
			src := "package counters\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar _ atomic.Int64\nvar _ sync.Map\n\n" + c.src
			assert.Equal(t, c.want, verdicts(New(programs(t, src), Options{}, nil)))
		})
	}
}
