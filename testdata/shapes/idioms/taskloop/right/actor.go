// Package actor runs everything about its state in one goroutine.
package actor

import "sync"

// Actor counts.
type Actor struct {
	tasks  chan func()
	counts sync.Map
}

// New starts an actor.
func New() *Actor {
	a := &Actor{tasks: make(chan func())}
	go func() {
		for task := range a.tasks {
			task()
		}
	}()
	return a
}

// Count counts a word.
func (a *Actor) Count(word string) {
	a.tasks <- func() {
		v, _ := a.counts.Load(word)
		n, _ := v.(int)
		a.counts.Store(word, n+1)
	}
}
