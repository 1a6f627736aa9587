// Package kept has objects that are handed around and still have one owner each,
// whose lock guards them: nothing else than a new object is ever stored where the
// owner keeps them. Where an object can come to two owners, the lock of one of them
// does not keep out the other.
package kept

import (
	"sync"
	"sync/atomic"
)

type child struct {
	id    string
	level atomic.Int64
}

func newChild(id string) *child { return &child{id: id} }

// raise is reported if one of the callers has no lock that all have.
func raise(c *child, by int64) {
	c.level.Store(c.level.Load() + by)
}

// parent keeps its children, and hands them out.
type parent struct {
	mu       sync.Mutex
	children map[string]*child
	first    *child
	order    []*child
}

func newParent() *parent { return &parent{children: map[string]*child{}} }

// Parent leads to all of it.
type Parent struct{ p *parent }

// New makes a parent.
func New() *Parent { return &Parent{newParent()} }

func (q *Parent) Raise(id string, by int64) *string {
	p := q.p
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.children[id]
	if c == nil {
		return nil
	}
	c.level.Store(c.level.Load() + by)
	return &c.id
}

// Make finds the child or makes it: either way it is one of p's.
func (q *Parent) Make(id string) {
	p := q.p
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.children[id]
	if c == nil {
		c = newChild(id)
		p.children[id] = c
	}
	p.first = c
	p.order = append(p.order, c)
	c.level.Store(1)
}

// Halve goes through all.
func (q *Parent) Halve() {
	q.p.mu.Lock()
	defer q.p.mu.Unlock()
	for _, c := range q.p.children {
		raise(c, -1)
	}
}

// pair has two counters that change places, behind one lock.
type pair struct {
	mu   sync.Mutex
	hot  atomic.Uint32
	both [2]*count
}

type count struct{ schema atomic.Int32 }

// Pair is what others see.
type Pair struct{ p pair }

// NewPair sets both.
func NewPair(schema int32) *Pair {
	p := &Pair{}
	p.p.both[0] = &count{}
	p.p.both[0].schema.Store(schema)
	p.p.both[1] = &count{}
	p.p.both[1].schema.Store(schema)
	return p
}

func (p *Pair) Shrink() {
	p.p.mu.Lock()
	defer p.p.mu.Unlock()
	n := p.p.hot.Load() & 1
	p.p.shrink(p.p.both[n], p.p.both[1-n])
}

func (p *pair) shrink(hot, cold *count) {
	s := cold.schema.Load()
	if s == -4 {
		return
	}
	cold.schema.Store(s - 1)
	p.hot.Add(1)
	hot.schema.Store(s - 1)
}

// twins has one counter in two pairs: the lock of one is not that of the other.
type twins struct {
	mu   sync.Mutex
	both [2]*single
}

type single struct{ schema atomic.Int32 }

// Twins is what others see.
type Twins struct{ p *twins }

// NewTwins makes two that share.
func NewTwins() (*Twins, *Twins) {
	s := &single{}
	a, b := &twins{}, &twins{}
	a.both[0], a.both[1] = s, &single{}
	b.both[0], b.both[1] = s, &single{}
	return &Twins{a}, &Twins{b}
}

func (t *Twins) Shrink() {
	t.p.mu.Lock()
	defer t.p.mu.Unlock()
	s := t.p.both[0].schema.Load()
	t.p.both[0].schema.Store(s - 1) // want "lost-update"
}

// many gives one object to all that it makes.
type many struct {
	mu  sync.Mutex
	own *single2
}

type single2 struct{ n atomic.Int32 }

// Many is what others see.
type Many struct{ m []*many }

// NewMany makes them in a loop.
func NewMany(n int) *Many {
	s, all := &single2{}, &Many{}
	for range n {
		all.m = append(all.m, &many{own: s})
	}
	return all
}

func (m *Many) Count(i int) {
	x := m.m[i]
	x.mu.Lock()
	defer x.mu.Unlock()
	x.own.n.Store(x.own.n.Load() + 1) // want "lost-update"
}

// room takes over the guests of another room.
type room struct {
	mu     sync.Mutex
	guests map[string]*guest
}

type guest struct{ visits atomic.Int64 }

// Room is what others see.
type Room struct{ r *room }

// NewRoom makes one.
func NewRoom() *Room { return &Room{&room{guests: map[string]*guest{}}} }

func (r *Room) Visit(id string) {
	r.r.mu.Lock()
	defer r.r.mu.Unlock()
	g := r.r.guests[id]
	if g == nil {
		g = &guest{}
		r.r.guests[id] = g
	}
	g.visits.Store(g.visits.Load() + 1) // want "lost-update"
}

func (r *Room) Invite(from *Room, id string) {
	from.r.mu.Lock()
	g := from.r.guests[id]
	from.r.mu.Unlock()
	r.r.mu.Lock()
	r.r.guests[id] = g
	r.r.mu.Unlock()
}

// shelf is copied, with all that it keeps.
type shelf struct {
	mu    *sync.Mutex
	books map[string]*book
}

type book struct{ lent atomic.Int64 }

// Shelf is what others see.
type Shelf struct{ s *shelf }

// NewShelf makes one.
func NewShelf() *Shelf {
	return &Shelf{&shelf{mu: new(sync.Mutex), books: map[string]*book{"": {}}}}
}

func (s *Shelf) Copy() *Shelf {
	c := *s.s
	c.mu = new(sync.Mutex)
	return &Shelf{&c}
}

func (s *Shelf) Lend(title string) {
	s.s.mu.Lock()
	defer s.s.mu.Unlock()
	if b := s.s.books[title]; b != nil {
		b.lent.Store(b.lent.Load() + 1) // want "lost-update"
	}
}

// desk has a writer that finds its papers in another way, and does not lock.
type desk struct {
	mu     sync.Mutex
	papers []*paper
	last   *paper
}

type paper struct{ signs atomic.Int64 }

// Desk is what others see.
type Desk struct{ d *desk }

// NewDesk makes one.
func NewDesk() *Desk { return &Desk{&desk{}} }

func (d *Desk) Add() {
	d.d.mu.Lock()
	defer d.d.mu.Unlock()
	p := &paper{}
	d.d.papers = append(d.d.papers, p)
	d.d.last = p
}

func (d *Desk) Sign(i int) {
	d.d.mu.Lock()
	defer d.d.mu.Unlock()
	p := d.d.papers[i]
	p.signs.Store(p.signs.Load() + 1) // want "lost-update"
}

func (d *Desk) SignLast() { d.d.last.signs.Add(1) }
