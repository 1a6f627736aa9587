package check

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/internal/analyzer/config"
)

// TestPartLocked: a lock over a part of what a step is about keeps those away who take
// it, from that part and for that time, and nobody else.
func TestPartLocked(t *testing.T) {
	// registers has a name told when it was registered, unless that is not to be.
	registers := func(not string) string {
		return `
type C struct {
	mu   sync.Mutex
	tags map[string]int64
	tick atomic.Int64
}

func (c *C) Register(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.tags[name]; ` + not + ` {
		return false
	}
	c.tags[name] = c.tick.Load()
	return true
}

func (c *C) Next(n int64) { c.tick.Store(n) }

func (c *C) Drop(name string) {
	c.mu.Lock()
	delete(c.tags, name)
	c.mu.Unlock()
}
`
	}
	for name, c := range map[string]struct {
		src  string
		want map[string]string
	}{
		"a lock on one of two ways is none on the other": {`
type C struct {
	mu sync.Mutex
	m  sync.Map
}

func (c *C) Get(k string, slow bool) any {
	var v any
	var ok bool
	if slow {
		v, ok = c.m.Load(k)
	} else {
		c.mu.Lock()
		v, ok = c.m.Load(k)
	}
	if !ok {
		v = new(int)
		c.m.Store(k, v)
	}
	if !slow {
		c.mu.Unlock()
	}
	return v
}
`, map[string]string{"(*C).Get": "violation"}},
		"a lock on both": {`
type C struct {
	mu sync.Mutex
	m  sync.Map
}

func (c *C) Get(k string, slow bool) any {
	var v any
	var ok bool
	c.mu.Lock()
	if slow {
		v, ok = c.m.Load(k)
	} else {
		v, ok = c.m.Load(k)
	}
	if !ok {
		v = new(int)
		c.m.Store(k, v)
	}
	c.mu.Unlock()
	return v
}
`, map[string]string{"(*C).Get": "verified"}},
		"a lock that is let go of in each round": {`
type C struct {
	mu sync.Mutex
	m  sync.Map
}

func (c *C) Take(k string) int {
	for {
		c.mu.Lock()
		v, ok := c.m.Load(k)
		c.mu.Unlock()
		if !ok {
			c.m.Store(k, 1)
			return 1
		}
		if n := v.(int); n > 3 {
			c.m.Store(k, 0)
			return n
		}
	}
}

func (c *C) Put(k string) {
	c.mu.Lock()
	c.m.Store(k, 7)
	c.mu.Unlock()
}
`, map[string]string{"(*C).Take": "violation"}},
		"one of two cells is changed without the lock, and looked at once": {registers("ok"), map[string]string{"(*C).Register": "verified"}},
		"it is looked at twice": {registers("ok || c.tick.Load() == 0"), map[string]string{"(*C).Register": "violation"}},
		"those who write to the one cell take the lock, those who write to the other do not": {`
type C struct {
	mu           sync.Mutex
	byName, byID sync.Map
}

func (c *C) Add(name string, id int) {
	c.mu.Lock()
	if _, ok := c.byName.Load(name); !ok {
		c.byName.Store(name, id)
		c.byID.Store(id, name)
	}
	c.mu.Unlock()
}

func (c *C) Forget(id int) { c.byID.Delete(id) }

func (c *C) Swap(id int, name string) (any, bool) { return c.byID.Swap(id, name) }
`, map[string]string{"(*C).Add": "violation"}},
	} {
		t.Run(name, func(t *testing.T) {
			src := "package counters\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar _ atomic.Int64\n" + c.src
			assert.Equal(t, c.want, verdicts(New(programs(t, src), Options{}, nil)))
		})
	}
}

// TestCountedUnderLock: whatever others can do to one of several cells, they do not come to an entry while the lock is held that
// guards it, also where the call only counts the entries. Between two sections they do.
func TestCountedUnderLock(t *testing.T) {
	for between, want := range map[string]string{
		"":                             "verified",
		"c.mu.Unlock()\n\tc.mu.Lock()": "violation",
	} {
		src := `package counters

import (
	"sync"
	"sync/atomic"
)

type C struct {
	mu   sync.Mutex
	tags map[string]*int
	tick atomic.Uint32
}

func (c *C) Take(k string) (*int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.tags[k]
	` + between + `
	if ok {
		w, still := c.tags[k]
		if len(c.tags) == 0 {
			c.tags[k] = w
			return w, !still
		}
		c.tick.Swap(2)
	}
	return v, ok
}

func (c *C) Put(k string, v *int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tags[k] = v
}

func (c *C) Tick() {
	c.tick.Add(1)
}
`
		assert.Equal(t, map[string]string{"(*C).Take": want}, verdicts(New(programs(t, src), Options{Env: config.EnvOpen}, nil)))
	}
}
