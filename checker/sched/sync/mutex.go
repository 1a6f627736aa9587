package sync

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/mapatom/mapatom/checker/sched"
)

// Locker is sync.Locker.
type Locker = sync.Locker

// Mutex is sync.Mutex.
type Mutex struct {
	mu   sync.Mutex
	held bool // written by the one who holds mu
}

// mutexGate is open while the mutex is free.
type mutexGate Mutex

func (m *mutexGate) Open() bool { return !m.held }

// Lock locks m.
func (m *Mutex) Lock() {
	if t := sched.Current(); t != nil {
		t.Await(sched.Lock, unsafe.Pointer(m), (*mutexGate)(m))
	}
	m.mu.Lock()
	m.held = true
}

// TryLock tries to lock m and reports whether it succeeded.
func (m *Mutex) TryLock() bool {
	t := sched.Announce(sched.Update, unsafe.Pointer(m))
	if !m.mu.TryLock() {
		t.Quiet()
		return false
	}
	m.held = true
	return true
}

// Unlock unlocks m.
func (m *Mutex) Unlock() {
	if t := sched.Announce(sched.Unlock, unsafe.Pointer(m)); t != nil && !m.held {
		panic("sync: unlock of unlocked mutex")
	}
	m.held = false
	m.mu.Unlock()
}

// RWMutex is sync.RWMutex. As there, a writer that waits keeps new readers
// out, so that a thread which locks twice for reading can deadlock.
type RWMutex struct {
	mu      sync.RWMutex
	readers atomic.Int32
	writer  atomic.Bool // a writer holds mu, or waits for the readers to leave
}

// noWriter is open while there is no writer, noReader while there is no
// reader.
type (
	noWriter RWMutex
	noReader RWMutex
)

func (m *noWriter) Open() bool { return !m.writer.Load() }
func (m *noReader) Open() bool { return m.readers.Load() == 0 }

// Lock locks m for writing.
func (m *RWMutex) Lock() {
	if t := sched.Current(); t != nil {
		t.Await(sched.Lock, unsafe.Pointer(m), (*noWriter)(m))
		m.writer.Store(true)
		if m.readers.Load() > 0 {
			t.Await(sched.Lock, unsafe.Pointer(m), (*noReader)(m))
		}
	}
	m.mu.Lock()
	m.writer.Store(true)
}

// TryLock tries to lock m for writing and reports whether it succeeded.
func (m *RWMutex) TryLock() bool {
	t := sched.Announce(sched.Update, unsafe.Pointer(m))
	if t != nil && m.writer.Load() || !m.mu.TryLock() {
		t.Quiet()
		return false
	}
	m.writer.Store(true)
	return true
}

// Unlock unlocks m for writing.
func (m *RWMutex) Unlock() {
	t := sched.Announce(sched.Unlock, unsafe.Pointer(m))
	if t != nil && (!m.writer.Load() || m.readers.Load() > 0) {
		panic("sync: Unlock of unlocked RWMutex")
	}
	m.writer.Store(false)
	m.mu.Unlock()
}

// RLock locks m for reading.
func (m *RWMutex) RLock() {
	if t := sched.Current(); t != nil {
		t.Await(sched.RLock, unsafe.Pointer(m), (*noWriter)(m))
	}
	m.mu.RLock()
	m.readers.Add(1)
}

// TryRLock tries to lock m for reading and reports whether it succeeded.
func (m *RWMutex) TryRLock() bool {
	t := sched.Announce(sched.Update, unsafe.Pointer(m))
	if t != nil && m.writer.Load() || !m.mu.TryRLock() {
		t.Quiet()
		return false
	}
	m.readers.Add(1)
	return true
}

// RUnlock undoes one RLock.
func (m *RWMutex) RUnlock() {
	t := sched.Announce(sched.Unlock, unsafe.Pointer(m))
	if t != nil && m.readers.Load() == 0 {
		panic("sync: RUnlock of unlocked RWMutex")
	}
	m.readers.Add(-1)
	m.mu.RUnlock()
}

// RLocker returns a Locker whose Lock and Unlock are m's RLock and RUnlock.
func (m *RWMutex) RLocker() Locker { return (*rlocker)(m) }

type rlocker RWMutex

func (l *rlocker) Lock()   { (*RWMutex)(l).RLock() }
func (l *rlocker) Unlock() { (*RWMutex)(l).RUnlock() }
