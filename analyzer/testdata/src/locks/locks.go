// Package locks proves when a lock makes a step atomic: it is held from the
// first call to the last, it is one and the same, and every other writer of the
// map in the package holds it too. The lock may be taken by the caller, by a
// wrapper or around a function literal. A lock that does not cover the step
// must not silence the report; a lock that does must.
package locks

import "sync"

type session struct {
	mu   sync.Mutex
	hits int
}

// All has writers that all hold the lock.
type All struct {
	mu sync.Mutex
	m  sync.Map
}

func (r *All) Put(id string, s *session) {
	r.mu.Lock()
	r.m.Store(id, s)
	r.mu.Unlock()
}

func (r *All) Drop(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m.Delete(id)
}

func (r *All) Deferred(id string) *session {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	r.m.Store(id, s)
	return s
}

// EachReturn unlocks on every way out.
func (r *All) EachReturn(id string) *session {
	r.mu.Lock()
	if v, ok := r.m.Load(id); ok {
		r.mu.Unlock()
		return v.(*session)
	}
	s := &session{}
	r.m.Store(id, s)
	r.mu.Unlock()
	return s
}

// Try gives up if it does not get the lock.
func (r *All) Try(id string) bool {
	if !r.mu.TryLock() {
		return false
	}
	defer r.mu.Unlock()
	if _, ok := r.m.Load(id); !ok {
		r.m.Store(id, &session{})
	}
	return true
}

// Double looks without the lock, and again with it.
func (r *All) Double(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	r.m.Store(id, s)
	return s
}

// Released lets the lock go between the two halves.
func (r *All) Released(id string) *session {
	r.mu.Lock()
	v, ok := r.m.Load(id)
	r.mu.Unlock()
	if ok {
		return v.(*session)
	}
	s := &session{}
	r.mu.Lock()
	r.m.Store(id, s) // want "lost-update"
	r.mu.Unlock()
	return s
}

// SecondHalf takes the lock for the second half only, and does not look again.
func (r *All) SecondHalf(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m.Store(id, s) // want "lost-update"
	return s
}

// Early has one method, which lets the lock go too early.
type Early struct {
	mu sync.Mutex
	m  sync.Map
}

func (r *Early) Put(id string, s *session) {
	r.mu.Lock()
	r.m.Store(id, s)
	r.mu.Unlock()
}

func (r *Early) Open(id string) *session {
	r.mu.Lock()
	v, ok := r.m.Load(id)
	r.mu.Unlock()
	if !ok {
		v = &session{}
		r.m.Store(id, v) // want "lost-update"
	}
	return v.(*session)
}

// Some has a writer that does without the lock.
type Some struct {
	mu sync.Mutex
	m  sync.Map
}

func (r *Some) Put(id string, s *session) { r.m.Store(id, s) }

func (r *Some) Open(id string) *session {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	r.m.Store(id, s) // want "lost-update"
	return s
}

// Readers do without the lock, which does no harm to one step that writes.
type Readers struct {
	mu sync.Mutex
	m  sync.Map
}

func (r *Readers) Get(id string) any {
	v, _ := r.m.Load(id)
	return v
}

func (r *Readers) Put(id string, s *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m.Store(id, s)
}

func (r *Readers) Open(id string) *session {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	r.m.Store(id, s)
	return s
}

// Exposed holds its lock, but its map can be used by everybody.
type Exposed struct {
	mu sync.Mutex
	M  sync.Map
}

func (r *Exposed) Open(id string) *session {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v, ok := r.M.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	r.M.Store(id, s) // want "lost-update"
	return s
}
