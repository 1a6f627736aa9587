// Package insert proves which Stores of a missing entry become LoadOrStore. The
// value has been made before; what the function does with it after is done
// with the one in the map.
package insert

import (
	buf "bytes"
	"sync"
)

type session struct {
	mu   sync.Mutex
	id   string
	size int
}

func (s *session) touch() {
	s.mu.Lock()
	s.size++
	s.mu.Unlock()
}

func newSession(id string) *session { return &session{id: id} }

type named interface{ touch() }

type Sessions struct{ m sync.Map }

func (r *Sessions) Put(id string, s *session) { r.m.Store(id, s) }

// Open returns the value next.
func (r *Sessions) Open(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := newSession(id)
	r.m.Store(id, s) // want "lost-update"
	return s
}

// FallThrough has it in a variable of the map's own type.
func (r *Sessions) FallThrough(id string) *session {
	v, ok := r.m.Load(id)
	if !ok {
		v = newSession(id)
		r.m.Store(id, v) // want "lost-update"
	}
	return v.(*session)
}

// Touched uses it before it returns it.
func (r *Sessions) Touched(id string) (*session, error) {
	v, ok := r.m.Load(id)
	if ok {
		s := v.(*session)
		s.touch()
		return s, nil
	}

	s := newSession(id)
	r.m.Store(id, s) // want "lost-update"

	s.touch()
	return s, nil
}

// Actual has a variable of the name that the fix would give.
func (r *Sessions) Actual(id string) string {
	if actual, ok := r.m.Load(id); ok {
		return actual.(*session).id
	}
	s := newSession(id)
	r.m.Store(id, s) // want "lost-update"
	return s.id
}

// Literal stores what needs no call, and nothing uses it after.
func (r *Sessions) Literal(id string) {
	if _, ok := r.m.Load(id); !ok {
		r.m.Store(id, &session{id: id}) // want "lost-update"
	}
}

// Ensure counts what it made itself.
func (r *Sessions) Ensure(ids []string) (made int) {
	for _, id := range ids {
		if _, ok := r.m.Load(id); !ok {
			s := newSession(id)
			r.m.Store(id, s) // want "lost-update"
			made++
		}
	}
	return made
}

// Any returns it as the map has it.
func (r *Sessions) Any(id string) any {
	if v, ok := r.m.Load(id); ok {
		return v
	}
	s := newSession(id)
	r.m.Store(id, s) // want "lost-update"
	return s
}

// Failing makes it by a call that can fail.
func (r *Sessions) Failing(id string, make func(string) (*session, error)) (*session, error) {
	if v, ok := r.m.Load(id); ok {
		return v.(*session), nil
	}
	s, err := make(id)
	if err != nil {
		return nil, err
	}
	r.m.Store(id, s) // want "lost-update"
	return s, nil
}

// Named has an interface, which can be nil.
func (r *Sessions) Named(id string, create func(string) named) named {
	if v, ok := r.m.Load(id); ok {
		n, _ := v.(named)
		return n
	}
	n := create(id)
	r.m.Store(id, n) // want "lost-update"
	return n
}

// Embedded has the map's methods for its own.
type Embedded struct{ sync.Map }

func (e *Embedded) Open(id string) *session {
	if v, ok := e.Load(id); ok {
		return v.(*session)
	}
	s := newSession(id)
	e.Store(id, s) // want "lost-update|duplicate-instance"
	return s
}

// Buffers are of a package that is called otherwise here.
func (e *Embedded) Buffer(id string) *buf.Buffer {
	v, ok := e.Load(id)
	if !ok {
		b := buf.NewBufferString(id)
		e.Store(id, b) // want "lost-update|duplicate-instance"
		return b
	}
	return v.(*buf.Buffer)
}

// typed is a map of one type.
type typed[K comparable, V any] struct{ m sync.Map }

func (t *typed[K, V]) Load(k K) (V, bool) {
	v, ok := t.m.Load(k)
	if !ok {
		var zero V
		return zero, false
	}
	return v.(V), true
}

func (t *typed[K, V]) Store(k K, v V) { t.m.Store(k, v) }

func (t *typed[K, V]) LoadOrStore(k K, v V) (V, bool) {
	actual, loaded := t.m.LoadOrStore(k, v)
	return actual.(V), loaded
}

type Typed struct{ m typed[string, *session] }

func (t *Typed) Put(id string, s *session) { t.m.Store(id, s) }

func (t *Typed) Open(id string) *session {
	s, ok := t.m.Load(id)
	if ok {
		return s
	}
	s = newSession(id)
	t.m.Store(id, s) // want "lost-update"
	return s
}
