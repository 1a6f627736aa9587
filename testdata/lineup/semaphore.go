package lineup

import "sync"

// Semaphore is a counter that nobody can bring below zero.
type Semaphore struct {
	mu    sync.Mutex
	freed sync.Cond
	count int
}

// NewSemaphore makes a semaphore that lets one pass.
func NewSemaphore() *Semaphore {
	s := &Semaphore{count: 1}
	s.freed.L = &s.mu
	return s
}

// Release lets one more pass, and says how many could before.
func (s *Semaphore) Release() int    { return s.release(1) }
func (s *Semaphore) ReleaseTwo() int { return s.release(2) }

func (s *Semaphore) release(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count += n
	s.freed.Broadcast()
	return s.count - n
}

func (s *Semaphore) Wait() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.count == 0 {
		s.freed.Wait()
	}
	s.count--
}

// TryWait is Wait with no time to wait.
func (s *Semaphore) TryWait() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == 0 {
		return false
	}
	s.count--
	return true
}

func (s *Semaphore) CurrentCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}
