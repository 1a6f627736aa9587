// Package values proves that what is stored decides whether a race matters. A
// pure function of the key is the same whoever computes it. A value that cannot
// change is as good as another one with the same contents. Work that is done
// twice is a loss of time. None of these is reported by default, unless
// something else than the value depends on who came first, or unless other
// writers put in something else.
package values

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Strings caches a pure function, and forgets.
type Strings struct{ m sync.Map }

func (c *Strings) Upper(text string) string {
	if v, ok := c.m.Load(text); ok {
		return v.(string)
	}
	upper := strings.ToUpper(text)
	c.m.Store(text, upper)
	return upper
}

func (c *Strings) Forget(text string) { c.m.Delete(text) }

func (c *Strings) Clear() { c.m.Clear() }

// Numbers caches what a function of the package computes.
type Numbers struct{ m sync.Map }

func digits(n int) int {
	sum := 0
	for n > 0 {
		sum += n % 10
		n /= 10
	}
	return sum
}

func (c *Numbers) Digits(n int) int {
	if v, ok := c.m.Load(n); ok {
		return v.(int)
	}
	sum := digits(n)
	c.m.Store(n, sum)
	return sum
}

// Parsed caches results and errors together, by value: a field of a struct is what it was
// made of.
type Parsed struct{ m sync.Map }

type result struct {
	n  int
	ok bool
}

func (c *Parsed) Parse(text string) (int, bool) {
	if v, ok := c.m.Load(text); ok {
		r := v.(result)
		return r.n, r.ok
	}
	n, err := strconv.Atoi(text)
	c.m.Store(text, result{n, err == nil})
	return n, err == nil
}

// Descriptors are objects that nobody changes once they are stored.
type Descriptors struct{ m sync.Map }

type descriptor struct {
	name  string
	short string
}

func (c *Descriptors) Get(name string) *descriptor {
	if v, ok := c.m.Load(name); ok {
		return v.(*descriptor)
	}
	d := &descriptor{name: name, short: strings.TrimPrefix(name, "long ")}
	c.m.Store(name, d)
	return d
}

// Buffers are the same but for a field that is written later.
type Buffers struct{ m sync.Map }

type buffer struct {
	name string
	n    int
}

func (b *buffer) grow() { b.n++ }

func (c *Buffers) Get(name string) *buffer {
	if v, ok := c.m.Load(name); ok {
		return v.(*buffer)
	}
	b := &buffer{name: name}
	c.m.Store(name, b) // want "duplicate-instance"
	return b
}

// Grow writes to a buffer that is in the map.
func (c *Buffers) Grow(name string) { c.Get(name).grow() }

// Channels are for somebody to wait on: two of them are one too many.
type Channels struct{ m sync.Map }

func (c *Channels) Done(name string) chan struct{} {
	if v, ok := c.m.Load(name); ok {
		return v.(chan struct{})
	}
	ch := make(chan struct{})
	c.m.Store(name, ch) // want "duplicate-instance"
	return ch
}

// Mutexes are one per key.
type Mutexes struct{ m sync.Map }

func (c *Mutexes) Of(name string) *sync.Mutex {
	v, ok := c.m.Load(name)
	if !ok {
		v = new(sync.Mutex)
		c.m.Store(name, v) // want "duplicate-instance"
	}
	return v.(*sync.Mutex)
}

// MutexesOnce lets the first one win.
type MutexesOnce struct{ m sync.Map }

func (c *MutexesOnce) Of(name string) *sync.Mutex {
	v, _ := c.m.LoadOrStore(name, new(sync.Mutex))
	return v.(*sync.Mutex)
}

// Files caches what it reads: at worst the file is read twice.
type Files struct{ m sync.Map }

func (c *Files) Read(name string) (string, error) {
	if v, ok := c.m.Load(name); ok {
		return v.(string), nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	c.m.Store(name, string(data))
	return string(data), nil
}

// Callers caches what its caller computes.
type Callers struct {
	m       sync.Map
	compute func(string) int
}

func (c *Callers) Get(key string) int {
	if v, ok := c.m.Load(key); ok {
		return v.(int)
	}
	n := c.compute(key)
	c.m.Store(key, n)
	return n
}

// Overridden caches a pure function too, but users can set an entry, and the
// computed one overwrites theirs.
type Overridden struct{ m sync.Map }

func (c *Overridden) Upper(text string) string {
	if v, ok := c.m.Load(text); ok {
		return v.(string)
	}
	upper := strings.ToUpper(text)
	c.m.Store(text, upper) // want "lost-update"
	return upper
}

func (c *Overridden) Set(text, upper string) { c.m.Store(text, upper) }

// OverriddenOnce keeps theirs.
type OverriddenOnce struct{ m sync.Map }

func (c *OverriddenOnce) Upper(text string) string {
	if v, ok := c.m.Load(text); ok {
		return v.(string)
	}
	v, _ := c.m.LoadOrStore(text, strings.ToUpper(text))
	return v.(string)
}

func (c *OverriddenOnce) Set(text, upper string) { c.m.Store(text, upper) }

// Stamps keeps the last time: the value stored does not depend on what was
// there.
type Stamps struct{ m sync.Map }

func (c *Stamps) Touch(key string) { c.m.Store(key, time.Now()) }
