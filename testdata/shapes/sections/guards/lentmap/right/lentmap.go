// Package lentmap keeps the workers of a cluster behind a guard.
package lentmap

import "sync"

// Guard keeps a value that is used under a lock only.
type Guard[T any] struct {
	mu sync.Mutex
	v  T
}

// NewGuard returns a guard of v.
func NewGuard[T any](v T) *Guard[T] { return &Guard[T]{v: v} }

// With calls f with the value, under the lock.
func (g *Guard[T]) With(f func(v *T)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(&g.v)
}

// Worker runs tasks.
type Worker struct {
	Addr  string
	Tasks chan string
}

// Cluster knows its workers.
type Cluster struct {
	workers *Guard[map[string]*Worker]
}

// NewCluster returns a cluster without workers.
func NewCluster() *Cluster {
	return &Cluster{workers: NewGuard(map[string]*Worker{})}
}

// Worker returns the worker at addr.
func (c *Cluster) Worker(addr string) *Worker {
	var w *Worker
	c.workers.With(func(m *map[string]*Worker) {
		w = (*m)[addr]
		if w == nil {
			w = &Worker{Addr: addr, Tasks: make(chan string, 8)}
			(*m)[addr] = w
		}
	})
	return w
}

// Leave removes the worker at addr.
func (c *Cluster) Leave(addr string) {
	c.workers.With(func(m *map[string]*Worker) { delete(*m, addr) })
}
