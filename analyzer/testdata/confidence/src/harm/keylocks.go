package harm

import "sync"

// KeyLocks has a lock for each key, which goes with its entry.
type KeyLocks struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
}

func NewKeyLocks() *KeyLocks { return &KeyLocks{locks: map[string]*sync.Mutex{}} }

// HighWith removes the lock for which others wait.
func (l *KeyLocks) HighWith(key string, f func()) {
	l.mu.Lock()
	m, ok := l.locks[key]
	if !ok {
		m = new(sync.Mutex)
		l.locks[key] = m
	}
	l.mu.Unlock()
	m.Lock()
	f()
	l.mu.Lock()
	delete(l.locks, key)
	l.mu.Unlock()
	m.Unlock()
}

// NotedSlots are what is worked on, for which nobody waits.
type NotedSlots struct {
	mu sync.Mutex
	in map[string]*notedSlot
}

type notedSlot struct {
	mu   sync.Mutex
	note string
}

func NewNotedSlots() *NotedSlots { return &NotedSlots{in: map[string]*notedSlot{}} }

// MediumWith removes what it has put there, in which others have only looked.
func (l *NotedSlots) MediumWith(key string, f func()) {
	l.mu.Lock()
	s, ok := l.in[key]
	if !ok {
		s = &notedSlot{note: key}
		l.in[key] = s
	}
	l.mu.Unlock()
	f()
	l.mu.Lock()
	delete(l.in, key)
	l.mu.Unlock()
}

// Note looks.
func (l *NotedSlots) Note(key, note string) {
	l.mu.Lock()
	s := l.in[key]
	l.mu.Unlock()
	if s != nil {
		s.mu.Lock()
		s.note = note
		s.mu.Unlock()
	}
}

// BookLocks has a lock for each book.
type BookLocks struct{ locks sync.Map }

// HighOf goes on with its own lock although somebody else's may be there.
func (b *BookLocks) HighOf(book string) *sync.Mutex {
	m := new(sync.Mutex)
	if v, ok := b.locks.Load(book); ok {
		m = v.(*sync.Mutex)
	} else {
		b.locks.LoadOrStore(book, m)
	}
	return m
}

func (b *BookLocks) With(book string, f func()) {
	m := b.HighOf(book)
	m.Lock()
	defer m.Unlock()
	f()
}
