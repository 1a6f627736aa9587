package harm

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// Clicker is a number that is printed, and by which nobody goes.
type Clicker struct {
	name string
	n    atomic.Int64
}

// Inc adds one.
func (t *Clicker) Inc() { t.n.Add(1) }

// Clickers have what callers count on.
type Clickers struct {
	mu      sync.Mutex
	tallies map[string]*Clicker
}

func (t *Clickers) find(name string) *Clicker {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tallies[name]
}

func (t *Clickers) keep(name string, tally *Clicker) {
	t.mu.Lock()
	t.tallies[name] = tally
	t.mu.Unlock()
}

// HighClicker gives a caller one on which he counts from now on: if it is lost, all of that is.
func (t *Clickers) HighClicker(name string) *Clicker {
	if tally := t.find(name); tally != nil {
		return tally
	}
	tally := &Clicker{name: name}
	t.keep(name, tally)
	return tally
}

// Print prints all of them.
func (t *Clickers) Print(w io.Writer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, tally := range t.tallies {
		fmt.Fprintf(w, "%s %d\n", tally.name, tally.n.Load())
	}
}

// Callers count by themselves: one caller is lost with the tally.
type Callers struct {
	mu     sync.Mutex
	visits map[string]*caller
}

type caller struct {
	page string
	n    atomic.Int64
}

func (v *Callers) find(page string) *caller {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.visits[page]
}

func (v *Callers) keep(page string, one *caller) {
	v.mu.Lock()
	v.visits[page] = one
	v.mu.Unlock()
}

// MediumCaller counts one caller.
func (v *Callers) MediumCaller(page string) {
	one := v.find(page)
	if one == nil {
		one = &caller{page: page}
		v.keep(page, one)
	}
	one.n.Add(1)
}

// Print prints all of them.
func (v *Callers) Print(w io.Writer) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, one := range v.visits {
		fmt.Fprintf(w, "%s %d\n", one.page, one.n.Load())
	}
}
