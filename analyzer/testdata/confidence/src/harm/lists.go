package harm

import "sync"

// Points are sent in batches.
type Points struct {
	mu   sync.Mutex
	list []float64
	send func([]float64) error
}

func (p *Points) Add(x float64) {
	p.mu.Lock()
	p.list = append(p.list, x)
	p.mu.Unlock()
}

// HighFlush drops what was added while it sent.
func (p *Points) HighFlush() error {
	p.mu.Lock()
	batch := p.list
	p.mu.Unlock()
	if err := p.send(batch); err != nil {
		return err
	}
	p.mu.Lock()
	p.list = nil
	p.mu.Unlock()
	return nil
}

// MediumReset gives nothing of it to anybody: all is to go.
func (p *Points) MediumReset() {
	p.mu.Lock()
	n := len(p.list)
	p.mu.Unlock()
	if n < 100 {
		return
	}
	p.mu.Lock()
	p.list = nil
	p.mu.Unlock()
}

// Jobs are taken by several workers.
type Jobs struct {
	mu   sync.Mutex
	list []func()
}

func (j *Jobs) Put(f func()) {
	j.mu.Lock()
	j.list = append(j.list, f)
	j.mu.Unlock()
}

func (j *Jobs) len() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.list)
}

func (j *Jobs) first() func() {
	j.mu.Lock()
	defer j.mu.Unlock()
	f := j.list[0]
	j.list = j.list[1:]
	return f
}

// HighWork takes one that another worker has taken.
func (j *Jobs) HighWork() {
	for j.len() > 0 {
		j.first()()
	}
}

// Named remembers what was made for a name, of whatever type.
type Named[T any] struct{ m sync.Map }

// HighMake is used for counters, of which one is lost.
func (n *Named[T]) HighMake(name string, make func() T) T {
	if v, ok := n.m.Load(name); ok {
		return v.(T)
	}
	v := make()
	n.m.Store(name, v)
	return v
}

type tally struct {
	mu sync.Mutex
	n  int
}

type Tallies struct{ named Named[*tally] }

func (t *Tallies) Count(name string) {
	c := t.named.HighMake(name, func() *tally { return new(tally) })
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
}

// Sizes remembers what was measured.
type Sizes[T any] struct{ m sync.Map }

// MediumMake is used for numbers, of which one is as good as the other.
func (s *Sizes[T]) MediumMake(name string, make func() T) T {
	if v, ok := s.m.Load(name); ok {
		return v.(T)
	}
	v := make()
	s.m.Store(name, v)
	return v
}

type Widths struct {
	sizes   Sizes[int]
	measure func(string) int
}

func (w *Widths) Of(name string) int {
	return w.sizes.MediumMake(name, func() int { return w.measure(name) })
}

// Readings are taken out to be sent.
type Readings struct {
	mu   sync.Mutex
	list []float64
	send func([]float64) error
}

func (s *Readings) Add(x float64) {
	s.mu.Lock()
	s.list = append(s.list, x)
	s.mu.Unlock()
}

// HighRestore puts back what could not be sent, in the place of what was added since.
func (s *Readings) HighRestore() error {
	s.mu.Lock()
	batch := s.list
	s.list = nil
	s.mu.Unlock()
	err := s.send(batch)
	if err != nil {
		s.mu.Lock()
		s.list = batch
		s.mu.Unlock()
	}
	return err
}

// Lent is memory that is lent, and nobody adds to.
type Lent struct {
	mu   sync.Mutex
	room []float64
	sum  func([]float64) error
}

func (s *Lent) Set(room []float64) {
	s.mu.Lock()
	s.room = room
	s.mu.Unlock()
}

// MediumLend puts back what it has lent, whatever is there.
func (s *Lent) MediumLend() error {
	s.mu.Lock()
	room := s.room
	s.room = nil
	s.mu.Unlock()
	err := s.sum(room)
	if err != nil {
		s.mu.Lock()
		s.room = room
		s.mu.Unlock()
	}
	return err
}

// Marked are entries that are marked while something is done to them.
type Marked struct {
	mu sync.Mutex
	at map[string]int
	do func(string)
}

func (m *Marked) Put(key string, n int) {
	m.mu.Lock()
	m.at[key] = n
	m.mu.Unlock()
}

// HighMark puts back what was there, whatever has been put there since.
func (m *Marked) HighMark(key string) {
	m.mu.Lock()
	n := m.at[key]
	m.at[key] = -1
	m.mu.Unlock()
	m.do(key)
	m.mu.Lock()
	m.at[key] = n
	m.mu.Unlock()
}
