// Package flight loads each object once, however many ask for it.
package flight

import (
	"sync"

	"golang.org/x/sync/singleflight"
)

// Object is shared by those who have asked for it.
type Object struct {
	mu   sync.Mutex
	uses int
}

// Loader has the objects.
type Loader struct {
	group   singleflight.Group
	mu      sync.RWMutex
	objects map[string]*Object
}

// Get is the object with a name.
func (l *Loader) Get(name string, load func(string) *Object) *Object {
	l.mu.RLock()
	o, ok := l.objects[name]
	l.mu.RUnlock()
	if ok {
		return o
	}
	v, _, _ := l.group.Do(name, func() (any, error) {
		l.mu.RLock()
		o, ok := l.objects[name]
		l.mu.RUnlock()
		if ok {
			return o, nil
		}
		o = load(name)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.objects[name] = o
		return o, nil
	})
	return v.(*Object)
}
