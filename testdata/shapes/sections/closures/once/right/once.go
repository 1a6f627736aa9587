// Package once builds each index one time.
package once

import "sync"

type index struct {
	once  sync.Once
	ready chan struct{}
}

// Indexes are built when they are needed.
type Indexes struct {
	mu sync.Mutex
	m  map[string]*index
}

func (x *Indexes) find(name string) *index {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.m[name]
}

// Build builds an index, unless that has been done.
func (x *Indexes) Build(name string, build func()) {
	x.mu.Lock()
	i := x.m[name]
	if i == nil {
		i = &index{ready: make(chan struct{})}
		x.m[name] = i
	}
	x.mu.Unlock()
	i.once.Do(func() {
		build()
		close(i.ready)
	})
}
