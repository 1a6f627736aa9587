package harm

import (
	"slices"
	"sync"
)

type listener struct{ ch chan string }

// Ticker finds a listener, and takes away whoever is at its place by then.
type Ticker struct {
	mu   sync.Mutex
	list []*listener
}

func (f *Ticker) Subscribe() *listener {
	l := &listener{make(chan string, 1)}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, l)
	return l
}

func (f *Ticker) indexOf(l *listener) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Index(f.list, l)
}

func (f *Ticker) HighUnsubscribe(l *listener) {
	i := f.indexOf(l)
	if i < 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = slices.Delete(f.list, i, i+1)
}

// MediumDrop sees to it that it is still the one at that place.
func (f *Ticker) MediumDrop(l *listener) {
	i := f.indexOf(l)
	if i < 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if i < len(f.list) && f.list[i] == l {
		f.list = slices.Delete(f.list, i, i+1)
	}
}

// Spares are given to one each.
type Spares struct {
	mu   sync.Mutex
	list []int
}

func (s *Spares) Add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, n)
}

func (s *Spares) newest() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == 0 {
		return 0, false
	}
	return s.list[len(s.list)-1], true
}

func (s *Spares) dropLast() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.list); n > 0 {
		s.list = s.list[:n-1]
	}
}

// HighTake gives what another call has taken, and drops one that nobody has seen.
func (s *Spares) HighTake() (int, bool) {
	n, ok := s.newest()
	if ok {
		s.dropLast()
	}
	return n, ok
}

// MediumTrim drops one if there are any: which one does not matter to it.
func (s *Spares) MediumTrim() bool {
	_, ok := s.newest()
	if ok {
		s.dropLast()
	}
	return ok
}

// Spans are sent in batches, of which the memory is used again.
type Spans struct {
	mu   sync.Mutex
	list []string
	send func([]string) error
}

func (s *Spans) Record(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, name)
}

func (s *Spans) HighSend() error {
	s.mu.Lock()
	batch := slices.Clone(s.list)
	s.mu.Unlock()
	if err := s.send(batch); err != nil {
		return err
	}
	s.mu.Lock()
	s.list = s.list[:0]
	s.mu.Unlock()
	return nil
}

// MediumClear drops them when there are many, and gives them to nobody.
func (s *Spans) MediumClear() {
	s.mu.Lock()
	n := len(s.list)
	s.mu.Unlock()
	if n < 100 {
		return
	}
	s.mu.Lock()
	s.list = s.list[:0]
	s.mu.Unlock()
}
