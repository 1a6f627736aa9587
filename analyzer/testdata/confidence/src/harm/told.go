package harm

import (
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Money is taken until there is none.
type Money struct{ left, spare atomic.Int64 }

var errSpent = errors.New("spent")

func (m *Money) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	m.HighSpend(r.ContentLength)
	m.MediumSpare(r.ContentLength)
}

// HighSpend asks of the first look whether there is enough, and not of the one that it goes by.
func (m *Money) HighSpend(n int64) error {
	left := m.left.Load()
	if left < n {
		return errSpent
	}
	for !m.left.CompareAndSwap(left, left-n) {
		left = m.left.Load()
	}
	return nil
}

// MediumSpare asks nothing and refuses nobody: it is only how much is told that differs.
func (m *Money) MediumSpare(n int64) int64 {
	was := m.spare.Load()
	for now := was; !m.spare.CompareAndSwap(now, now-n); {
		now = m.spare.Load()
	}
	return was
}

// Tickets are numbered.
type Tickets struct{ issued, open atomic.Int64 }

func (t *Tickets) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	t.HighIssue(r.Host)
	t.MediumOpen()
	t.close()
}

type ticket struct {
	number int64
	host   string
}

// HighIssue gives two the number of the later one.
func (t *Tickets) HighIssue(host string) ticket {
	t.issued.Add(1)
	return ticket{t.issued.Load(), host}
}

// MediumOpen says how many are open, which are closed again.
func (t *Tickets) MediumOpen() int64 {
	t.open.Add(1)
	return t.open.Load()
}

func (t *Tickets) close() { t.open.Add(-1) }

// Seen remembers what has come, and drops what is old when something is remembered.
type Seen struct {
	mu   sync.Mutex
	at   map[string]time.Time
	last map[string]time.Time
}

func NewSeen() *Seen { return &Seen{at: map[string]time.Time{}, last: map[string]time.Time{}} }

func (s *Seen) has(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.at[id]
	return ok
}

func (s *Seen) put(id string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for other, end := range s.at {
		if now.After(end) {
			delete(s.at, other)
		}
	}
	s.at[id] = until
}

var errSeen = errors.New("seen before")

// HighAccept lets two in: that what is old is looked for before it is put there decides nothing.
func (s *Seen) HighAccept(id string, until time.Time) error {
	if s.has(id) {
		return errSeen
	}
	s.put(id, until)
	return nil
}

func (s *Seen) latest(id string) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[id]
}

// MediumLatest looks again, and only says then what there was.
func (s *Seen) MediumLatest(id string, now time.Time) time.Time {
	if s.latest(id).After(now) {
		return now
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.last[id]
	if now.After(was) {
		s.last[id] = now
	}
	return was
}
