package locks

import "sync"

// Modes has a lock for readers and writers.
type Modes struct {
	mu sync.RWMutex
	m  sync.Map
}

func (r *Modes) Put(id string, s *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m.Store(id, s)
}

func (r *Modes) Drop(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m.Delete(id)
}

// Hits looks twice under the read lock, which keeps the writers out.
func (r *Modes) Hits(id string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if _, ok := r.m.Load(id); !ok {
		return 0
	}
	v, _ := r.m.Load(id)
	return v.(*session).hits
}

// Open writes under the write lock.
func (r *Modes) Open(id string) *session {
	r.mu.RLock()
	v, ok := r.m.Load(id)
	r.mu.RUnlock()
	if ok {
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

// ReadMode writes under the read lock, which two of its callers can hold.
type ReadMode struct {
	mu sync.RWMutex
	m  sync.Map
}

func (r *ReadMode) Put(id string, s *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m.Store(id, s)
}

func (r *ReadMode) Open(id string) *session {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	r.m.Store(id, s) // want "duplicate-instance"
	return s
}

// BothRead has a remover that takes the read lock too.
type BothRead struct {
	mu sync.RWMutex
	m  sync.Map
}

func (r *BothRead) Add(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m.Store(id, &session{})
}

func (r *BothRead) Drop(id string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	r.m.Delete(id)
}

func (r *BothRead) Hits(id string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if _, ok := r.m.Load(id); !ok {
		return 0
	}
	v, _ := r.m.Load(id) // want "crash"
	return v.(*session).hits
}

// Two has two locks, and its writers do not agree which one it is.
type Two struct {
	a, b sync.Mutex
	m    sync.Map
}

func (r *Two) Put(id string, s *session) {
	r.b.Lock()
	defer r.b.Unlock()
	r.m.Store(id, s)
}

func (r *Two) Open(id string) *session {
	r.a.Lock()
	defer r.a.Unlock()
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	r.m.Store(id, s) // want "lost-update"
	return s
}

// table is shared by handles.
type table struct {
	mu sync.Mutex
	m  sync.Map
}

// Handle has a lock of its own for a table that others use as well.
type Handle struct {
	mu sync.Mutex
	t  *table
}

func NewHandle(t *table) *Handle { return &Handle{t: t} }

func (h *Handle) Open(id string) *session {
	h.mu.Lock()
	defer h.mu.Unlock()
	if v, ok := h.t.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	h.t.m.Store(id, s) // want "duplicate-instance"
	return s
}

// sharedTable is used only with the table's own lock held.
type sharedTable struct {
	mu sync.Mutex
	m  sync.Map
}

// Guest holds the lock that comes with the table.
type Guest struct{ t *sharedTable }

func (g *Guest) Open(id string) *session {
	g.t.mu.Lock()
	defer g.t.mu.Unlock()
	if v, ok := g.t.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	g.t.m.Store(id, s)
	return s
}

// Other holds the lock of another object of the same type.
type Other struct {
	mu sync.Mutex
	m  sync.Map
}

func (r *Other) Put(id string, s *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m.Store(id, s)
}

func (r *Other) Adopt(from *Other, id string) {
	from.mu.Lock()
	defer from.mu.Unlock()
	if _, ok := r.m.Load(id); !ok {
		r.m.Store(id, &session{}) // want "lost-update"
	}
}

// Entries locks the entry that it found. Whoever replaces the entry holds the
// lock of another one.
type Entries struct{ m sync.Map }

func (r *Entries) Put(id string, s *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.m.Store(id, s)
}

func (r *Entries) Take(id string) *session {
	v, ok := r.m.Load(id)
	if !ok {
		return nil
	}
	s := v.(*session)
	s.mu.Lock()
	defer s.mu.Unlock()
	r.m.Delete(id) // want "stale-delete"
	return s
}

func (r *Entries) TakeOnce(id string) *session {
	v, ok := r.m.LoadAndDelete(id)
	if !ok {
		return nil
	}
	s := v.(*session)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s
}

// packageMu guards packageMap.
var (
	packageMu  sync.Mutex
	packageMap sync.Map
)

func PackageLock(id string) *session {
	packageMu.Lock()
	defer packageMu.Unlock()
	if v, ok := packageMap.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	packageMap.Store(id, s)
	return s
}

func PackagePut(id string, s *session) {
	packageMu.Lock()
	defer packageMu.Unlock()
	packageMap.Store(id, s)
}
