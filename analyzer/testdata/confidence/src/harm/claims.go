package harm

import (
	"sync"
	"sync/atomic"
)

// Line has one goroutine that writes, which whoever has something to write starts. Who does
// not get the lock at once leaves it to the one who has it.
type Line struct {
	sync.Mutex
	writing sync.Mutex
	closed  bool
	pending [][]byte
	write   func([]byte)
}

// MediumClose wakes the writer once more if it is closed meanwhile, which is no harm.
func (l *Line) MediumClose(last []byte) bool {
	if l.isClosed() {
		return true
	}
	l.Lock()
	l.closed = true
	l.pending = append(l.pending, last)
	l.Unlock()
	if l.writing.TryLock() {
		go l.flush()
	}
	return true
}

// HighClose waits for the writer, and both then start one.
func (l *Line) HighClose(last []byte) bool {
	if l.isClosed() {
		return true
	}
	l.Lock()
	l.closed = true
	l.pending = append(l.pending, last)
	l.Unlock()
	l.writing.Lock()
	go l.flush()
	return true
}

func (l *Line) isClosed() bool {
	l.Lock()
	defer l.Unlock()
	return l.closed
}

func (l *Line) flush() {
	defer l.writing.Unlock()
	l.Lock()
	defer l.Unlock()
	for _, b := range l.pending {
		l.write(b)
	}
}

// Questions are closed by two who find one at the same time.
type Questions struct{ waiting sync.Map }

func (q *Questions) Ask(id string) <-chan int {
	answer := make(chan int)
	q.waiting.Store(id, answer)
	return answer
}

func (q *Questions) HighDrop(id string) {
	if v, ok := q.waiting.Load(id); ok {
		q.waiting.Delete(id)
		close(v.(chan int))
	}
}

// Server is blacklisted after some failures, and no longer when it answers. That it is
// put on the list again is no older than that it was taken off.
type Server struct {
	failures    atomic.Int32
	blacklisted atomic.Bool
}

func (s *Server) MediumFailure() {
	if s.blacklisted.Load() {
		return
	}
	if s.failures.Add(1) >= 3 {
		s.blacklisted.Store(true)
		s.failures.Store(0)
	}
}

func (s *Server) Answered() { s.blacklisted.Store(false) }

// Route keeps a table until it is cleared: what was found before that is put back.
type Route struct {
	asked atomic.Int32
	table atomic.Pointer[map[string]string]
}

func (r *Route) HighTable(names []string) map[string]string {
	if t := r.table.Load(); t != nil {
		return *t
	}
	r.asked.Add(1)
	t := map[string]string{}
	for _, name := range names {
		t[name] = name
	}
	r.table.Store(&t)
	return t
}

func (r *Route) Clear() { r.table.Store(nil) }

// Hooks are handled once each: the first one marks that it is at it.
type Hooks struct {
	mu     sync.Mutex
	seen   map[string]int
	handle func(string)
}

func (h *Hooks) claim(id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.seen[id]; ok {
		return false
	}
	h.seen[id] = 0
	return true
}

func (h *Hooks) settle(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen[id] = 1
}

// MediumHandle marks it under the lock under which it has looked.
func (h *Hooks) MediumHandle(id string) bool {
	if !h.claim(id) {
		return false
	}
	h.handle(id)
	h.settle(id)
	return true
}

// Calls are handled twice: the first one marks it when that is over.
type Calls struct {
	mu     sync.Mutex
	seen   map[string]int
	handle func(string)
}

func (c *Calls) known(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.seen[id]
	return ok
}

func (c *Calls) settle(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[id] = 1
}

// HighHandle handles what another one is at already.
func (c *Calls) HighHandle(id string) bool {
	if c.known(id) {
		return false
	}
	c.handle(id)
	c.settle(id)
	return true
}
