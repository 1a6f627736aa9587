package harm

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
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

// Hosts is a list that is replaced as a whole.
type Hosts struct {
	list atomic.Pointer[[]string]
	turn atomic.Uint64
}

func NewHosts(list []string) *Hosts {
	h := &Hosts{}
	h.Set(list)
	return h
}

func (h *Hosts) Set(list []string) { h.list.Store(&list) }

func (h *Hosts) ServeHTTP(http.ResponseWriter, *http.Request) {
	h.HighNext()
	h.MediumNext()
}

func (h *Hosts) size() int { return len(*h.list.Load()) }

func (h *Hosts) at(i int) string { return (*h.list.Load())[i] }

func (h *Hosts) atMost(i int) string {
	list := *h.list.Load()
	if i >= len(list) {
		return ""
	}
	return list[i]
}

// HighNext can look behind the end of a list that has become shorter.
func (h *Hosts) HighNext() string {
	n := h.size()
	if n == 0 {
		return ""
	}
	return h.at(int(h.turn.Add(1) % uint64(n)))
}

// MediumNext looks how long the list is by then.
func (h *Hosts) MediumNext() string {
	n := h.size()
	if n == 0 {
		return ""
	}
	return h.atMost(int(h.turn.Add(1) % uint64(n)))
}

// Tasks calls somebody when the last one has ended.
type Tasks struct {
	left, seen atomic.Int64
	done       func()
	log        func(int64)
}

func Start(tasks []func(), done func()) {
	t := &Tasks{done: done}
	t.left.Store(int64(len(tasks)))
	for _, task := range tasks {
		go t.run(task)
	}
}

func (t *Tasks) run(task func()) {
	defer t.highFinish()
	task()
	t.mediumNote()
}

// highFinish can find for two of them that they are the last.
func (t *Tasks) highFinish() {
	t.left.Add(-1)
	if t.left.Load() == 0 {
		t.done()
	}
}

// mediumNote does nothing that must not be done twice.
func (t *Tasks) mediumNote() {
	t.seen.Add(1)
	if t.seen.Load() == 10 {
		return
	}
}
