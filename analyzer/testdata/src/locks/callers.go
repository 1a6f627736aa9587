package locks

import "sync"

// Helper has a private method that every caller enters with the lock held.
type Helper struct {
	mu sync.Mutex
	m  sync.Map
}

func (r *Helper) openLocked(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	r.m.Store(id, s)
	return s
}

func (r *Helper) Open(id string) *session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.openLocked(id)
}

func (r *Helper) OpenAll(ids []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range ids {
		r.openLocked(id)
	}
}

// middle is entered with the lock held as well.
func (r *Helper) middle(id string) { r.openLocked(id) }

func (r *Helper) Ensure(id string) {
	r.mu.Lock()
	r.middle(id)
	r.mu.Unlock()
}

func (r *Helper) Put(id string, s *session) {
	r.mu.Lock()
	r.m.Store(id, s)
	r.mu.Unlock()
}

// OneForgets has a caller that does not take the lock.
type OneForgets struct {
	mu sync.Mutex
	m  sync.Map
}

func (r *OneForgets) open(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	r.m.Store(id, s) // want "duplicate-instance"
	return s
}

func (r *OneForgets) Open(id string) *session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.open(id)
}

func (r *OneForgets) OpenFast(id string) *session { return r.open(id) }

// Wrapped takes its lock through methods.
type Wrapped struct {
	mu sync.Mutex
	m  sync.Map
}

func (r *Wrapped) lock()   { r.mu.Lock() }
func (r *Wrapped) unlock() { r.mu.Unlock() }

func (r *Wrapped) Put(id string, s *session) {
	r.lock()
	r.m.Store(id, s)
	r.unlock()
}

func (r *Wrapped) Open(id string) *session {
	r.lock()
	defer r.unlock()
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	r.m.Store(id, s)
	return s
}

// Released lets it go in between, through the same methods.
func (r *Wrapped) Released(id string) *session {
	r.lock()
	v, ok := r.m.Load(id)
	r.unlock()
	if ok {
		return v.(*session)
	}
	s := &session{}
	r.lock()
	r.m.Store(id, s) // want "lost-update"
	r.unlock()
	return s
}

// Embedded has the lock's methods for its own.
type Embedded struct {
	sync.Mutex
	m sync.Map
}

func (r *Embedded) Put(id string, s *session) {
	r.Lock()
	defer r.Unlock()
	r.m.Store(id, s)
}

func (r *Embedded) Open(id string) *session {
	r.Lock()
	defer r.Unlock()
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	r.m.Store(id, s)
	return s
}

// Literal runs function literals with the lock held.
type Literal struct {
	mu sync.Mutex
	m  sync.Map
}

func (r *Literal) locked(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

func (r *Literal) Put(id string, s *session) {
	r.locked(func() { r.m.Store(id, s) })
}

func (r *Literal) Open(id string) (s *session) {
	r.locked(func() {
		if v, ok := r.m.Load(id); ok {
			s = v.(*session)
			return
		}
		s = &session{}
		r.m.Store(id, s)
	})
	return s
}

// Apart takes the lock for each half.
func (r *Literal) Apart(id string) *session {
	var v any
	var ok bool
	r.locked(func() { v, ok = r.m.Load(id) })
	if ok {
		return v.(*session)
	}
	s := &session{}
	r.locked(func() {
		r.m.Store(id, s) // want "lost-update"
	})
	return s
}

// Escaped starts a goroutine, which does not hold the lock of its starter.
type Escaped struct {
	mu sync.Mutex
	m  sync.Map
}

func (r *Escaped) Put(id string, s *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m.Store(id, s)
}

func (r *Escaped) Open(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	go func() {
		if _, ok := r.m.Load(id); !ok {
			r.m.Store(id, &session{}) // want "lost-update"
		}
	}()
}

// Inside takes the lock in the goroutine.
type Inside struct {
	mu sync.Mutex
	m  sync.Map
}

func (r *Inside) Put(id string, s *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m.Store(id, s)
}

func (r *Inside) Open(id string) {
	go func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if _, ok := r.m.Load(id); !ok {
			r.m.Store(id, &session{})
		}
	}()
}
