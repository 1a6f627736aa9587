// Package environment proves what other goroutines are taken to do. To a map
// that only this package can reach they do what this package does. To a map
// that others can reach they do anything. The same method is right in the first
// case and wrong in the second.
package environment

import (
	"strings"
	"sync"
)

// Closed can be reached from here only. Nothing here removes an entry or stores
// anything but the function of its key.
type Closed struct{ m sync.Map }

func (c *Closed) Upper(text string) string {
	if v, ok := c.m.Load(text); ok {
		return v.(string)
	}
	upper := strings.ToUpper(text)
	c.m.Store(text, upper)
	return upper
}

func (c *Closed) Known(text string) string {
	if _, ok := c.m.Load(text); !ok {
		return ""
	}
	v, _ := c.m.Load(text)
	return v.(string)
}

// Open has an exported field.
type Open struct{ M sync.Map }

func (c *Open) Upper(text string) string {
	if v, ok := c.M.Load(text); ok {
		return v.(string)
	}
	upper := strings.ToUpper(text)
	c.M.Store(text, upper) // want "lost-update"
	return upper
}

func (c *Open) Known(text string) string {
	if _, ok := c.M.Load(text); !ok {
		return ""
	}
	v, _ := c.M.Load(text) // want "crash"
	return v.(string)
}

// UpperOnce is right in any case.
func (c *Open) UpperOnce(text string) string {
	v, ok := c.M.Load(text)
	if !ok {
		v, _ = c.M.LoadOrStore(text, strings.ToUpper(text))
	}
	return v.(string)
}

// Lent gives its map away.
type Lent struct{ m sync.Map }

func (c *Lent) Map() *sync.Map { return &c.m }

func (c *Lent) Upper(text string) string {
	if v, ok := c.m.Load(text); ok {
		return v.(string)
	}
	upper := strings.ToUpper(text)
	c.m.Store(text, upper) // want "lost-update"
	return upper
}

// Registered gives it to a function that it does not know.
type Registered struct{ m sync.Map }

func (c *Registered) Publish(publish func(*sync.Map)) { publish(&c.m) }

func (c *Registered) Upper(text string) string {
	if v, ok := c.m.Load(text); ok {
		return v.(string)
	}
	upper := strings.ToUpper(text)
	c.m.Store(text, upper) // want "lost-update"
	return upper
}

// Given got its map from outside.
type Given struct{ m *sync.Map }

func NewGiven(m *sync.Map) *Given { return &Given{m: m} }

func (c *Given) Upper(text string) string {
	if v, ok := c.m.Load(text); ok {
		return v.(string)
	}
	upper := strings.ToUpper(text)
	c.m.Store(text, upper) // want "lost-update"
	return upper
}

// Made has made it itself.
type Made struct{ m *sync.Map }

func NewMade() *Made { return &Made{m: &sync.Map{}} }

func (c *Made) Upper(text string) string {
	if v, ok := c.m.Load(text); ok {
		return v.(string)
	}
	upper := strings.ToUpper(text)
	c.m.Store(text, upper)
	return upper
}

var closed sync.Map

// Variable is an unexported variable.
func Variable(text string) string {
	if v, ok := closed.Load(text); ok {
		return v.(string)
	}
	upper := strings.ToUpper(text)
	closed.Store(text, upper)
	return upper
}

// Shared is an exported one.
var Shared sync.Map

func OfShared(text string) string {
	if v, ok := Shared.Load(text); ok {
		return v.(string)
	}
	upper := strings.ToUpper(text)
	Shared.Store(text, upper) // want "lost-update"
	return upper
}

// load passes the map on, within the package.
func load(m *sync.Map, key string) any {
	v, _ := m.Load(key)
	return v
}

// Passed passes its map around, but not out.
type Passed struct{ m sync.Map }

func (c *Passed) Get(key string) any { return load(&c.m, key) }

func (c *Passed) Upper(text string) string {
	if v, ok := c.m.Load(text); ok {
		return v.(string)
	}
	upper := strings.ToUpper(text)
	c.m.Store(text, upper)
	return upper
}
