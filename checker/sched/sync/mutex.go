package sync

import (
	"sync"
	"unsafe"

	"github.com/mapatom/mapatom/checker/sched"
)

// The types are as large as the originals: there is code that computes the
// padding of a cache line from that.

// Locker is sync.Locker.
type Locker = sync.Locker

// Mutex is sync.Mutex.
type Mutex struct{ mu sync.Mutex }

// mutexGate is open while the mutex is free.
type mutexGate Mutex

func (m *mutexGate) Open() bool { return free(&m.mu) }

// free reports whether the lock could be taken. Under control nobody takes it
// in between.
func free(mu interface {
	TryLock() bool
	Unlock()
}) bool {
	if !mu.TryLock() {
		return false
	}
	mu.Unlock()
	return true
}

// Lock locks m. If there is no mutex it panics here, where the caller can recover, as
// the address of its field does: the gate is asked by the scheduler.
func (m *Mutex) Lock() {
	if t := sched.Current(); t != nil {
		t.Await(sched.Lock, unsafe.Pointer(&m.mu), (*mutexGate)(m))
	}
	m.mu.Lock()
}

// TryLock tries to lock m and reports whether it succeeded.
func (m *Mutex) TryLock() bool {
	t := sched.Announce(sched.Update, unsafe.Pointer(m))
	return tried(t, m.mu.TryLock())
}

// tried tells the scheduler if a lock was not taken.
func tried(t *sched.Thread, ok bool) bool {
	if !ok {
		t.Quiet()
	}
	return ok
}

// Unlock unlocks m.
func (m *Mutex) Unlock() {
	if t := sched.Announce(sched.Unlock, unsafe.Pointer(m)); t != nil && free(&m.mu) {
		panic("sync: unlock of unlocked mutex")
	}
	m.mu.Unlock()
}

// RWMutex is sync.RWMutex. As there, a writer that waits for the readers to
// leave keeps new readers out, so that a thread which locks twice for reading
// can deadlock.
type RWMutex struct{ mu sync.RWMutex }

// noWriter is open while no writer has the lock or is to have it, noReader
// while nobody has it.
type (
	noWriter RWMutex
	noReader RWMutex
)

func (m *noWriter) Open() bool {
	return free((*readSide)(&m.mu)) && !sched.Awaited(sched.Drain, unsafe.Pointer(m))
}

func (m *noReader) Open() bool { return free(&m.mu) }

// readSide is a lock for reading as a lock.
type readSide sync.RWMutex

func (m *readSide) TryLock() bool { return (*sync.RWMutex)(m).TryRLock() }
func (m *readSide) Unlock()       { (*sync.RWMutex)(m).RUnlock() }

// Lock locks m for writing.
func (m *RWMutex) Lock() {
	if t := sched.Current(); t != nil {
		t.Await(sched.Lock, unsafe.Pointer(&m.mu), (*noWriter)(m))
		if !free(&m.mu) {
			t.Await(sched.Drain, unsafe.Pointer(&m.mu), (*noReader)(m))
		}
	}
	m.mu.Lock()
}

// TryLock tries to lock m for writing and reports whether it succeeded.
func (m *RWMutex) TryLock() bool {
	t := sched.Announce(sched.Update, unsafe.Pointer(m))
	return tried(t, (t == nil || (*noWriter)(m).Open()) && m.mu.TryLock())
}

// Unlock unlocks m for writing.
func (m *RWMutex) Unlock() {
	t := sched.Announce(sched.Unlock, unsafe.Pointer(m))
	if t != nil && free((*readSide)(&m.mu)) {
		panic("sync: Unlock of unlocked RWMutex")
	}
	m.mu.Unlock()
}

// RLock locks m for reading.
func (m *RWMutex) RLock() {
	if t := sched.Current(); t != nil {
		t.Await(sched.RLock, unsafe.Pointer(&m.mu), (*noWriter)(m))
	}
	m.mu.RLock()
}

// TryRLock tries to lock m for reading and reports whether it succeeded.
func (m *RWMutex) TryRLock() bool {
	t := sched.Announce(sched.Update, unsafe.Pointer(m))
	return tried(t, (t == nil || (*noWriter)(m).Open()) && m.mu.TryRLock())
}

// RUnlock undoes one RLock.
func (m *RWMutex) RUnlock() {
	t := sched.Announce(sched.RUnlock, unsafe.Pointer(m))
	if t != nil && (free(&m.mu) || !free((*readSide)(&m.mu))) {
		panic("sync: RUnlock of unlocked RWMutex")
	}
	m.mu.RUnlock()
}

// RLocker returns a Locker whose Lock and Unlock are m's RLock and RUnlock.
func (m *RWMutex) RLocker() Locker { return (*rlocker)(m) }

type rlocker RWMutex

func (l *rlocker) Lock()   { (*RWMutex)(l).RLock() }
func (l *rlocker) Unlock() { (*RWMutex)(l).RUnlock() }
