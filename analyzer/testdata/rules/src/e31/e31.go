// Package e31: a compare-and-swap on the entry decides which of two removes it.
package e31

import (
	"sync"
	"sync/atomic"
)

const (
	loaded = iota
	running
	gone
)

type app struct {
	state atomic.Int32
	log   chan string
}

type Apps struct {
	all sync.Map
	log chan string
}

func (a *Apps) Add(name string) bool {
	_, known := a.all.LoadOrStore(name, &app{log: a.log})
	return !known
}

func (a *Apps) Run(name string) {
	if v, ok := a.all.Load(name); ok {
		v.(*app).state.CompareAndSwap(loaded, running)
	}
}

// Hidden removes what it has claimed.
func (a *Apps) Hidden(name string) bool {
	v, ok := a.all.Load(name)
	if !ok || !v.(*app).state.CompareAndSwap(loaded, gone) {
		return false
	}
	a.all.Delete(name)
	return true
}

// Shown looks, and claims nothing.
func (a *Apps) Shown(name string) bool {
	v, ok := a.all.Load(name)
	if !ok || v.(*app).state.Load() != loaded {
		return false
	}
	a.all.Delete(name) // want "stale-delete|non-atomic|lost-update"
	return true
}
