// Package harm has what somebody minds, and beside it what nobody does.
package harm

import (
	"errors"
	"net/http"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"labels"
)

type session struct {
	mu   sync.Mutex
	uses int
}

func (s *session) use() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uses++
}

type Store struct {
	sessions sync.Map
	counters sync.Map
	groups   sync.Map
	known    *labels.Counters
	tags     func(string) []string
}

// HighMade makes a session, so that one of two is lost.
func (s *Store) HighMade(name string) *session {
	if v, ok := s.sessions.Load(name); ok {
		return v.(*session)
	}
	made := &session{}
	s.sessions.Store(name, made)
	made.use()
	return made
}

// MediumFound remembers what somebody else finds by the name, and always the same.
func (s *Store) MediumFound(name string) {
	v, ok := s.counters.Load(name)
	if !ok {
		v = s.known.With(name)
		s.counters.Store(name, v)
	}
	v.(*labels.Counter).Add(1)
}

// MediumSorted sorts a list of its own.
func (s *Store) MediumSorted(name string) []string {
	if v, ok := s.groups.Load(name); ok {
		return v.([]string)
	}
	list := append([]string(nil), s.tags(name)...)
	sort.Strings(list)
	s.groups.Store(name, list)
	return list
}

type Accounts struct {
	mu      sync.Mutex
	pending map[string]int
	byName  sync.Map
	byID    sync.Map
}

type account struct{ id, name string }

// HighTwoMaps leaves an account in one map that has gone from the other.
func (a *Accounts) HighTwoMaps(name string) {
	v, ok := a.byName.Load(name)
	if !ok {
		return
	}
	a.byName.Delete(name)
	a.byID.Delete(v.(*account).id)
}

func (a *Accounts) Add(id, name string) bool {
	u := &account{id, name}
	if _, known := a.byName.LoadOrStore(name, u); known {
		return false
	}
	a.byID.Store(id, u)
	return true
}

// HighAcross adds to what it has found before it let the lock go.
func (a *Accounts) HighAcross(name string, n int) {
	a.mu.Lock()
	old := a.pending[name]
	a.mu.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending[name] = old + n
}

type view struct{ of *labels.Counter }

type Page struct {
	text    atomic.Pointer[view]
	version atomic.Pointer[view]
	known   *labels.Counters
}

// HighEmptied fills what somebody may have emptied in the meantime.
func (p *Page) HighEmptied(*http.Request) *view {
	if t := p.text.Load(); t != nil {
		return t
	}
	t := &view{p.known.With(time.Now().String())}
	p.text.Store(t)
	return t
}

func (p *Page) Empty() { p.text.Store(nil) }

// MediumFilled fills what nobody empties.
func (p *Page) MediumFilled(*http.Request) *view {
	if t := p.version.Load(); t != nil {
		return t
	}
	t := &view{p.known.With(time.Now().String())}
	p.version.Store(t)
	return t
}

type Listener struct {
	closed, told atomic.Bool
	done         chan struct{}
	ends         *labels.Counter
}

// HighClosed closes twice.
func (l *Listener) HighClosed() {
	if l.closed.Load() {
		return
	}
	l.closed.Store(true)
	close(l.done)
}

// MediumTold counts the end twice, if the counter does.
func (l *Listener) MediumTold() {
	if l.told.Load() {
		return
	}
	l.told.Store(true)
	l.ends.Add(1)
}

type Pool struct {
	mu   sync.Mutex
	free []*session
}

// MediumPutBack takes a session out of the list, and puts it back into what is there then.
func (p *Pool) MediumPutBack() {
	s := p.get()
	s.use()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, s)
}

func (p *Pool) get() *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free) - 1
	if n < 0 {
		return &session{}
	}
	s := p.free[n]
	p.free = p.free[:n]
	return s
}

type price struct{ amount, currency string }

type Prices struct{ all sync.Map }

func (p *Prices) Set(id, amount, currency string) { p.all.Store(id, price{amount, currency}) }

// HighMixed tells the amount of one price, and the currency of another.
func (p *Prices) HighMixed(id string) string {
	v, ok := p.all.Load(id)
	if !ok {
		return ""
	}
	w, _ := p.all.Load(id)
	return v.(price).amount + " " + w.(price).currency
}

type owner struct{ name string }

type Rooms struct{ owners sync.Map }

// HighGiven forgets who came first.
func (r *Rooms) HighGiven(room, name string) *owner {
	if v, ok := r.owners.Load(room); ok {
		return v.(*owner)
	}
	o := &owner{name}
	r.owners.Store(room, o)
	return o
}

type Queue struct {
	run  atomic.Pointer[session]
	kept sync.Map
}

// MediumCurrent takes the session that is current, whoever has set it.
func (q *Queue) MediumCurrent(*http.Request) *session {
	made := &session{}
	q.run.Store(made)
	made.use()
	return q.run.Load()
}

// HighBack looks again at what it has put into a map.
func (q *Queue) HighBack(name string) *session {
	made := &session{}
	q.kept.Store(name, made)
	made.use()
	v, _ := q.kept.Load(name)
	return v.(*session)
}

type peer struct {
	mu   sync.Mutex
	uses int
	seen int64
}

func (p *peer) use() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.uses++
}

type Peers struct {
	ids    chan string
	known  sync.Map
	active sync.Map
	old    sync.Map
	young  sync.Map
}

// MediumGrows has one map that only grows, so that nobody expects that what is in it is in
// the other one as well.
func (p *Peers) MediumGrows(id string) bool {
	if _, ok := p.known.LoadOrStore(id, true); ok {
		return false
	}
	_, ok := p.active.LoadOrStore(id, true)
	return !ok
}

func (p *Peers) Leave(id string) { p.active.Delete(id) }

// HighNamed removes a newer peer, which has come under the name that callers give.
func (p *Peers) HighNamed(id string, since int64) {
	v, ok := p.old.Load(id)
	if !ok || v.(*peer).seen > since {
		return
	}
	p.old.Delete(id)
}

// Greet uses those who are there.
func (p *Peers) Greet(id string) {
	if v, ok := p.old.Load(id); ok {
		v.(*peer).use()
	}
	if v, ok := p.young.Load(id); ok {
		v.(*peer).use()
	}
}

func (p *Peers) Come(id string, now int64) { p.old.Store(id, &peer{seen: now}) }

// MediumReceived removes a peer under a name of which nothing says whether it comes twice.
func (p *Peers) MediumReceived(id string, since int64) {
	v, ok := p.young.Load(id)
	if !ok || v.(*peer).seen > since {
		return
	}
	p.young.Delete(id)
}

func (p *Peers) Receive(now int64) { p.young.Store(<-p.ids, &peer{seen: now}) }

type meter interface{ Add(n int64) }

type meters interface {
	Tagged(tag string) meters
	Meter(name string) meter
}

type scope struct {
	mu     sync.RWMutex
	of     meters
	meters map[string]meter
}

type Scopes struct {
	mu    sync.RWMutex
	of    meters
	known map[string]*scope
}

// MediumRemembered makes a scope once, and remembers in it what it is given by the name, twice
// perhaps, and always the same.
func (s *Scopes) MediumRemembered(in, name string) {
	s.scope(in).meter(name).Add(1)
}

func (s *Scopes) scope(name string) *scope {
	s.mu.RLock()
	known, ok := s.known[name]
	s.mu.RUnlock()
	if ok {
		return known
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.known[name]; ok {
		return known
	}
	made := &scope{of: s.of.Tagged(name), meters: map[string]meter{}}
	s.known[name] = made
	return made
}

func (s *scope) meter(name string) meter {
	s.mu.RLock()
	m, ok := s.meters[name]
	s.mu.RUnlock()
	if ok {
		return m
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m = s.of.Meter(name)
	s.meters[name] = m
	return m
}

// Traffic counts, and is asked from time to time.
type Traffic struct {
	in, out atomic.Uint32
}

func (t *Traffic) Received() { t.in.Add(1) }

// MediumDrain takes away what it has found, so that what is received meanwhile is counted
// the next time: there is no check that would no longer hold.
func (t *Traffic) MediumDrain(send func(in, ratio uint32)) {
	in := t.in.Load()
	t.in.Add(-in)
	out := t.out.Load()
	t.out.Add(-out)
	ratio := uint32(0)
	if in > 0 {
		ratio = out / in
	}
	send(in, ratio)
}

// HighLimit adds after a check.
func (t *Traffic) HighLimit(most uint32) bool {
	if t.in.Load() >= most {
		return false
	}
	t.out.Add(1)
	t.in.Add(1)
	return true
}

type table struct{ name string }

type Tables struct {
	known sync.Map
	find  func(string) *table
}

var errMissing = errors.New("missing")

// MediumLookup finds a table: the second one to ask is given it as well.
func (t *Tables) MediumLookup(name string) (*table, error) {
	if v, ok := t.known.Load(name); ok {
		return v.(*table), nil
	}
	found := t.find(name)
	if found == nil {
		return nil, errMissing
	}
	t.known.Store(name, found)
	return found, nil
}

var errTaken = errors.New("taken")

// HighTaken takes a table: the second one to ask is refused.
func (t *Tables) HighTaken(name string) error {
	if _, ok := t.known.Load(name); ok {
		return errTaken
	}
	t.known.Store(name, &table{name})
	return nil
}

type Defaults struct {
	mu    sync.Mutex
	lists map[string][]string
	parse func(string, *[]string)
}

// MediumParsed parses what is not there yet, and gets the same each time: there is no old list that
// the new one could be made from.
func (d *Defaults) MediumParsed(text string) []string {
	d.mu.Lock()
	list, ok := d.lists[text]
	d.mu.Unlock()
	if !ok {
		d.parse(text, &list)
		d.mu.Lock()
		d.lists[text] = list
		d.mu.Unlock()
	}
	return list
}

// HighAppended puts something to what is there.
func (d *Defaults) HighAppended(text, more string) {
	d.mu.Lock()
	list := d.lists[text]
	d.mu.Unlock()
	list = append(list, more)
	d.mu.Lock()
	d.lists[text] = list
	d.mu.Unlock()
}

// Door is waited for by one, who has it opened.
type Door struct {
	open   atomic.Uint32
	waited atomic.Uint32
	ch     chan struct{}
}

func (d *Door) Wait() {
	if d.open.Load() == 0 && d.waited.CompareAndSwap(0, 1) {
		<-d.ch
	}
}

// MediumOpen closes the channel if the compare-and-swap lets it, which it does for one of two.
func (d *Door) MediumOpen() {
	if d.open.Load() != 0 {
		return
	}
	d.open.Store(1)
	if d.waited.CompareAndSwap(1, 0) {
		close(d.ch)
	}
}

// HighOpen closes the channel whatever there is.
func (d *Door) HighOpen() {
	if d.open.Load() != 0 {
		return
	}
	d.open.Store(1)
	close(d.ch)
}

// ServeHTTP is run for each request.
func (d *Door) ServeHTTP(http.ResponseWriter, *http.Request) {
	d.MediumOpen()
	d.HighOpen()
}

// Sink takes lines until it is closed.
type Sink struct {
	mu     sync.Mutex
	closed bool
	lines  []string
}

// HighLate adds a line that nobody is given any more.
func (s *Sink) HighLate(line string) bool {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, line)
	return true
}

func (s *Sink) Close() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := s.lines
	s.closed, s.lines = true, nil
	return lines
}

// Scratch takes lines that are let go when it is closed.
type Scratch struct {
	mu     sync.Mutex
	closed bool
	lines  []string
}

// MediumLate adds a line that would have been let go.
func (s *Scratch) MediumLate(line string) bool {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, line)
	return true
}

func (s *Scratch) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed, s.lines = true, nil
}
