package sync

import (
	"sync"
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

// mutexGate is a mutex that a thread waits for.
type mutexGate Mutex

// Open reports whether the mutex is free.
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
	if t := sched.Current(); t != nil {
		t.Step(sched.Lock, unsafe.Pointer(m))
	}
	ok := m.mu.TryLock()
	m.held = m.held || ok
	return ok
}

// Unlock unlocks m. It is a fatal error if m is not locked.
func (m *Mutex) Unlock() {
	if t := sched.Current(); t != nil {
		t.Step(sched.Unlock, unsafe.Pointer(m))
	}
	m.held = false
	m.mu.Unlock()
}
