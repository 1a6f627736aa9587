// Package e29: what comes in between writes the same plain memory, without any lock.
package e29

import (
	"errors"
	"sort"
	"sync"
)

var errExists = errors.New("exists")

type Provisioner struct {
	Name string
	uses int
}

func (p *Provisioner) Use() { p.uses++ }

// Collection is locked by who has it.
type Collection struct {
	byName sync.Map
	sorted []string
}

func (c *Collection) HiddenAdd(p *Provisioner) error {
	if _, ok := c.byName.Load(p.Name); ok {
		return errExists
	}
	c.byName.Store(p.Name, p)
	c.sorted = append(c.sorted, p.Name)
	sort.Strings(c.sorted)
	return nil
}

func (c *Collection) Find(name string) *Provisioner {
	v, _ := c.byName.Load(name)
	p, _ := v.(*Provisioner)
	return p
}

// Set has a lock for what it needs one for.
type Set struct {
	byName sync.Map
	mu     sync.Mutex
	sorted []string
}

func (c *Set) ShownAdd(p *Provisioner) error {
	if _, ok := c.byName.Load(p.Name); ok {
		return errExists
	}
	c.byName.Store(p.Name, p) // want "lost-update"
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sorted = append(c.sorted, p.Name)
	return nil
}

// Half is locked for additions only.
type Half struct {
	byName sync.Map
	sorted []string
}

func (c *Half) Add(p *Provisioner) {
	c.sorted = append(c.sorted, p.Name)
	c.byName.Store(p.Name, p)
}

// ShownTake takes what somebody may have put there in the meantime.
func (c *Half) ShownTake(name string) *Provisioner {
	v, ok := c.byName.Load(name)
	if !ok {
		return nil
	}
	c.byName.Delete(name) // want "lost-update|stale-delete"
	return v.(*Provisioner)
}
