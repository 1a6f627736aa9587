package harm

import (
	"database/sql"
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

// trip is tried again after a while.
type trip struct{ state, marked atomic.Int64 }

// HighAdmit lets in all who find that the time is over, and is only called by who notes the outcome there as well.
func (t *trip) HighAdmit(now int64) bool {
	if until := t.state.Load(); until < 0 || now < until {
		return false
	}
	t.state.Store(-1)
	return true
}

// MediumMark says no more than what it has been given.
func (t *trip) MediumMark(now int64) int64 {
	if until := t.marked.Load(); until < 0 || now < until {
		return now
	}
	t.marked.Store(-1)
	return now
}

// Trips goes on one trip.
type Trips struct{ trip trip }

func (t *Trips) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if t.trip.HighAdmit(r.ContentLength) {
		t.trip.state.Store(r.ContentLength)
	}
	if t.trip.MediumMark(r.ContentLength) > 0 {
		t.trip.marked.Store(r.ContentLength)
	}
}

// Databases has one for each name.
type Databases struct {
	mu     sync.Mutex
	opened map[string]*sql.DB
	driver string
	names  *names
}

// names are kept elsewhere.
type names struct{ of func(string) *sql.DB }

func (n *names) find(name string) (*sql.DB, error) {
	if db := n.of(name); db != nil {
		defer recover()
		return db, nil
	}
	return nil, errSpent
}

func NewDatabases(driver string) *Databases {
	return &Databases{driver: driver, opened: map[string]*sql.DB{}}
}

func (d *Databases) get(name string) *sql.DB {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.opened[name]
}

func (d *Databases) put(name string, db *sql.DB) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opened[name] = db
}

// dial gives another one each time.
func (d *Databases) dial(name string) (*sql.DB, error) {
	db, err := sql.Open(d.driver, name)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(8)
	if err := db.Ping(); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// HighOpen leaves one open that nobody has.
func (d *Databases) HighOpen(name string) (*sql.DB, error) {
	if db := d.get(name); db != nil {
		return db, nil
	}
	db, err := d.dial(name)
	if err != nil {
		return nil, err
	}
	d.put(name, db)
	return db, nil
}

// MediumOpen may get the one that the names have for it.
func (d *Databases) MediumOpen(name string) (*sql.DB, error) {
	if db := d.get(name); db != nil {
		return db, nil
	}
	db, err := d.names.find(name)
	if err != nil {
		return nil, err
	}
	d.put(name, db)
	return db, nil
}
