// Package watch follows a directory.
package watch

import "sync"

// Event is a change of a file.
type Event struct{ Path string }

// Watcher counts changes by file.
type Watcher struct {
	events chan Event
	counts sync.Map
}

// New follows events.
func New(events chan Event) *Watcher {
	w := &Watcher{events: events}
	for range 4 {
		go w.loop()
	}
	return w
}

func (w *Watcher) loop() {
	for e := range w.events {
		v, _ := w.counts.Load(e.Path)
		n, _ := v.(int)
		w.counts.Store(e.Path, n+1)
	}
}

// Count is how often a file has changed.
func (w *Watcher) Count(path string) int {
	v, _ := w.counts.Load(path)
	n, _ := v.(int)
	return n
}
