// Package getorcreate proves that a value made on a miss must be the one that
// every caller gets. Positives store over what another goroutine inserted, or
// keep a value of their own that lost. Negatives let LoadOrStore decide and use
// the winner, or read again where nothing in the package can remove the entry.
package getorcreate

import "sync"

type session struct {
	mu   sync.Mutex
	id   string
	done chan struct{}
}

func newSession(id string) *session { return &session{id: id, done: make(chan struct{})} }

func (s *session) close() { close(s.done) }

// Store is all that touches its map, so what a second caller loses is an
// instance like its own.
type Store struct{ m sync.Map }

func (r *Store) Open(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := newSession(id)
	r.m.Store(id, s) // want "duplicate-instance"
	return s
}

// StoreOver has a second writer, whose value is overwritten.
type StoreOver struct{ m sync.Map }

func (r *StoreOver) Put(id string, s *session) { r.m.Store(id, s) }

func (r *StoreOver) Open(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := newSession(id)
	r.m.Store(id, s) // want "lost-update"
	return s
}

func (r *StoreOver) FallThrough(id string) *session {
	v, ok := r.m.Load(id)
	if !ok {
		v = newSession(id)
		r.m.Store(id, v) // want "lost-update"
	}
	return v.(*session)
}

// NilTest looks at the value, not at the flag.
func (r *StoreOver) NilTest(id string) *session {
	v, _ := r.m.Load(id)
	s, _ := v.(*session)
	if s == nil {
		s = newSession(id)
		r.m.Store(id, s) // want "lost-update"
	}
	return s
}

// Ensure returns nothing, and still undoes a Put.
func (r *StoreOver) Ensure(id string) {
	if _, ok := r.m.Load(id); !ok {
		r.m.Store(id, newSession(id)) // want "lost-update"
	}
}

// Swapped returns the value that Swap replaced. The call knows what it threw
// out, but it has thrown it out.
func (r *StoreOver) Swapped(id string) any {
	if v, ok := r.m.Load(id); ok {
		return v
	}
	old, _ := r.m.Swap(id, newSession(id)) // want "lost-update"
	return old
}

// Ignored keeps its own value although LoadOrStore may have found another.
type Ignored struct{ m sync.Map }

func (r *Ignored) Open(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := newSession(id)
	r.m.LoadOrStore(id, s) // want "duplicate-instance"
	return s
}

// IgnoredPut has a second writer, which overwrites whatever is there: a lost
// offer could just as well have come before it. Only the method's own values
// are too many.
type IgnoredPut struct{ m sync.Map }

func (r *IgnoredPut) Put(id string, s *session) { r.m.Store(id, s) }

func (r *IgnoredPut) Open(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := newSession(id)
	r.m.LoadOrStore(id, s) // want "duplicate-instance"
	return s
}

// IgnoredOver has one that is told whether it came first.
type IgnoredOver struct{ m sync.Map }

func (r *IgnoredOver) Claim(id string, s *session) bool {
	_, loaded := r.m.LoadOrStore(id, s)
	return !loaded
}

func (r *IgnoredOver) Open(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := newSession(id)
	_, _ = r.m.LoadOrStore(id, s) // want "lost-update"
	return s
}

// Winner has all the writers that could be in its way, and needs not care.
type Winner struct{ m sync.Map }

func (r *Winner) Put(id string, s *session) { r.m.Store(id, s) }
func (r *Winner) Drop(id string)            { r.m.Delete(id) }
func (r *Winner) Take(id string) (any, bool) {
	return r.m.LoadAndDelete(id)
}

func (r *Winner) Open(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	v, _ := r.m.LoadOrStore(id, newSession(id))
	return v.(*session)
}

// Spare closes its own value when it lost. That value was never in the map, so
// nobody sees it closed.
func (r *Winner) Spare(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := newSession(id)
	v, loaded := r.m.LoadOrStore(id, s)
	if loaded {
		s.close()
	}
	return v.(*session)
}

// ByFlag chooses between its own value and the one there.
func (r *Winner) ByFlag(id string) *session {
	v, ok := r.m.Load(id)
	if !ok {
		s := newSession(id)
		var loaded bool
		if v, loaded = r.m.LoadOrStore(id, s); !loaded {
			return s
		}
	}
	return v.(*session)
}

// Callback makes the value by a call that cannot be predicted.
func (r *Winner) Callback(id string, create func(string) *session) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	v, _ := r.m.LoadOrStore(id, create(id))
	return v.(*session)
}

// Failing returns an error before anything is stored.
func (r *Winner) Failing(id string, create func(string) (*session, error)) (*session, error) {
	if v, ok := r.m.Load(id); ok {
		return v.(*session), nil
	}
	s, err := create(id)
	if err != nil {
		return nil, err
	}
	v, _ := r.m.LoadOrStore(id, s)
	return v.(*session), nil
}

// Single is one call: atomic by itself.
func (r *Winner) Single(id string) *session {
	v, _ := r.m.LoadOrStore(id, newSession(id))
	return v.(*session)
}

// Ensure uses nothing after the call, so it does not matter who won.
func (r *Winner) Ensure(id string) {
	if _, ok := r.m.Load(id); !ok {
		r.m.LoadOrStore(id, newSession(id))
	}
}
