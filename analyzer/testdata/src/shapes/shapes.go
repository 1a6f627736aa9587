// Package shapes proves that a type with sync.Map's methods is taken for a map
// where only its methods are known, and that a type whose code can be read is
// taken for what the code does.
package shapes

import "sync"

type session struct {
	mu   sync.Mutex
	hits int
}

// Store is any map with string keys.
type Store interface {
	Load(key string) (any, bool)
	Store(key string, value any)
	LoadOrStore(key string, value any) (any, bool)
	Delete(key string)
}

// Sessions uses one that it was given.
type Sessions struct{ store Store }

func NewSessions(store Store) *Sessions { return &Sessions{store: store} }

func (s *Sessions) Open(id string) any {
	if v, ok := s.store.Load(id); ok {
		return v
	}
	v := &session{}
	s.store.Store(id, v) // want "lost-update"
	return v
}

func (s *Sessions) OpenOnce(id string) any {
	v, ok := s.store.Load(id)
	if !ok {
		v, _ = s.store.LoadOrStore(id, &session{})
	}
	return v
}

// Files has some of the names, with other meanings.
type Files struct{ root string }

func (f *Files) Load(name string) ([]byte, error)   { return []byte(f.root + name), nil }
func (f *Files) Store(name string, _ []byte) error  { f.root = name; return nil }
func (f *Files) Delete(name string) (string, error) { return f.root + name, nil }

// Copy reads a file and writes it.
func (f *Files) Copy(name string) error {
	data, err := f.Load(name)
	if err != nil {
		return err
	}
	return f.Store(name, data)
}

// Broken promises an atomic LoadOrStore and makes it of two calls.
type Broken struct{ m sync.Map }

func (b *Broken) Load(key string) (any, bool) { return b.m.Load(key) }
func (b *Broken) Store(key string, value any) { b.m.Store(key, value) }
func (b *Broken) Delete(key string)           { b.m.Delete(key) }
func (b *Broken) LoadOrStore(key string, value any) (any, bool) {
	if old, ok := b.m.Load(key); ok {
		return old, true
	}
	b.m.Store(key, value) // want "lost-update"
	return value, false
}

// Whole keeps the promise.
type Whole struct{ m sync.Map }

func (w *Whole) Load(key string) (any, bool) { return w.m.Load(key) }
func (w *Whole) Store(key string, value any) { w.m.Store(key, value) }
func (w *Whole) LoadOrStore(key string, value any) (any, bool) {
	return w.m.LoadOrStore(key, value)
}
