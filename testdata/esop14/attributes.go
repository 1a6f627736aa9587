package esop14

import (
	"log"
	"sync"
)

// The rows of this file report, on the strength of an earlier call, what a
// later call did.

// AppContext keeps the attributes of a web application. Those in readOnly were
// set by the container and never change.
type AppContext struct {
	readOnly   map[string]bool
	attributes sync.Map // string -> any
}

// N07 removes an attribute and reports the value removed.
// Expected: violation.
func (c *AppContext) N07(name string) (value any, found bool) {
	if c.readOnly[name] {
		return nil, false
	}
	if _, found = c.attributes.Load(name); !found {
		return nil, false
	}
	value, _ = c.attributes.Load(name)
	c.attributes.Delete(name)
	return value, true
}

// N08 sets an attribute and reports the value replaced.
// Expected: violation.
func (c *AppContext) N08(name string, value any) (old any, replaced bool) {
	if c.readOnly[name] {
		return nil, false
	}
	old, replaced = c.attributes.Load(name)
	c.attributes.Store(name, value)
	return old, replaced
}

// ReplicatedContext keeps the attributes that a cluster shares.
type ReplicatedContext struct{ attributes sync.Map } // string -> any

// inherited stands for the attribute of the context above.
func inherited(name string) any { return "inherited " + name }

// N09 only reads. Its fallback differs from nil, so nil, which no atomic run
// returns, tells that the entry went away. Expected: violation.
func (c *ReplicatedContext) N09(name string) any {
	if _, ok := c.attributes.Load(name); ok {
		v, _ := c.attributes.Load(name)
		return v
	}
	return inherited(name)
}

// N09Nil falls back to nil: then the second read may well find nothing.
// Expected: verified.
func (c *ReplicatedContext) N09Nil(name string) any {
	if _, ok := c.attributes.Load(name); ok {
		v, _ := c.attributes.Load(name)
		return v
	}
	return nil
}

// Bean is a managed object.
type Bean struct{ name, class string }

// valid reports whether b can be managed.
func (b *Bean) valid() bool { return b.class != "" }

// BeanManager keeps one bean per name.
type BeanManager struct{ beans sync.Map } // string -> *Bean

// N16 reads the old bean only for a log message, and panics there if it has
// gone meanwhile. Expected: violation.
func (m *BeanManager) N16(b *Bean, check, warn bool) bool {
	if check && !b.valid() {
		return false
	}
	if warn {
		if _, ok := m.beans.Load(b.name); ok {
			old, _ := m.beans.Load(b.name)
			log.Printf("bean %s: %s replaced", b.name, old.(*Bean).class)
		}
	}
	m.beans.Store(b.name, b)
	return true
}

// Variables registers variables by name: string -> *Scope.
type Variables struct{ vars sync.Map }

// N23 registers what is not registered yet and reports whether it did. Two
// callers may both be told so. Expected: violation.
func (r *Variables) N23(name string, v *Scope) bool {
	if name == "" {
		return false
	}
	if _, ok := r.vars.Load(name); ok {
		return false
	}
	r.vars.Store(name, v)
	return true
}

// N23Good has the same interface and lets LoadOrStore decide.
// Expected: verified.
func (r *Variables) N23Good(name string, v *Scope) bool {
	if name == "" {
		return false
	}
	if _, ok := r.vars.Load(name); ok {
		return false
	}
	_, loaded := r.vars.LoadOrStore(name, v)
	return !loaded
}
