// Package e14: only one goroutine of each object runs it.
package e14

import (
	"sync"
	"sync/atomic"
)

type Ring struct{ shards *shards }

type shards struct {
	mu   sync.Mutex
	list []*shard
}

type shard struct{ down atomic.Int64 }

func NewRing(n int) *Ring {
	r := &Ring{shards: newShards(n)}
	go r.shards.watch(true)
	return r
}

func newShards(n int) *shards {
	s := &shards{}
	for range n {
		s.list = append(s.list, &shard{})
	}
	return s
}

func (r *Ring) Up() bool { return r.shards.some()[0].down.Load() < 3 }

func (s *shards) some() []*shard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list
}

func (s *shards) watch(up bool) {
	for {
		for _, sh := range s.some() {
			sh.hidden(up)
		}
	}
}

func (s *shard) hidden(up bool) bool {
	if up {
		changed := s.down.Load() > 3
		s.down.Store(0)
		return changed
	}
	s.down.Add(1)
	return s.down.Load() > 3
}

// Votes are counted by whoever comes.
type Votes struct{ down atomic.Int64 }

func (v *Votes) Add() { v.down.Add(1) }

func (v *Votes) Shown() bool {
	changed := v.down.Load() > 3
	v.down.Store(0) // want "lost-update"
	return changed
}

type sample struct{ from, text string }

type group struct {
	mu   sync.Mutex
	list []sample
}

func (g *group) add(s sample) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.list = append(g.list, s)
}

// Sampler keeps what is sent to it.
type Sampler struct {
	samples chan sample
	groups  sync.Map
}

// Run is for one goroutine to call.
func (s *Sampler) Run(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case got := <-s.samples:
			s.hiddenAdd(got)
		}
	}
}

func (s *Sampler) hiddenAdd(got sample) {
	v, ok := s.groups.Load(got.from)
	if !ok {
		v = &group{}
		s.groups.Store(got.from, v)
	}
	v.(*group).add(got)
}

func (s *Sampler) Group(from string) *group {
	v, _ := s.groups.Load(from)
	g, _ := v.(*group)
	return g
}

// Pool keeps what is sent to it as well, by several of them.
type Pool struct {
	samples chan sample
	groups  sync.Map
}

func (p *Pool) Start(n int) {
	for range n {
		go p.shownWorker()
	}
}

func (p *Pool) shownWorker() {
	for got := range p.samples {
		v, ok := p.groups.Load(got.from)
		if !ok {
			v = &group{}
			p.groups.Store(got.from, v) // want "duplicate-instance|lost-update"
		}
		v.(*group).add(got)
	}
}

// desk belongs to whoever serves a line of samples.
type desk struct {
	mu   sync.Mutex
	open map[string]*group
}

func newDesk() *desk { return &desk{open: map[string]*group{}} }

// Serve works with a desk that it makes for this line.
func Serve(line <-chan sample) { newDesk().run(line) }

func (d *desk) run(line <-chan sample) {
	for s := range line {
		d.openHidden(s)
	}
}

func (d *desk) openHidden(s sample) {
	d.mu.Lock()
	g := d.open[s.from]
	d.mu.Unlock()
	if g == nil {
		g = &group{}
		d.mu.Lock()
		d.open[s.from] = g
		d.mu.Unlock()
	}
	g.add(s)
}

// Hall has a board that those who serve a line have in common.
type Hall struct{ board *board }

type board struct {
	mu   sync.Mutex
	open map[string]*group
}

func NewHall() *Hall { return &Hall{&board{open: map[string]*group{}}} }

func (h *Hall) Serve(line <-chan sample) { h.board.run(line) }

func (b *board) run(line <-chan sample) {
	for s := range line {
		b.openShown(s)
	}
}

func (b *board) openShown(s sample) {
	b.mu.Lock()
	g := b.open[s.from]
	b.mu.Unlock()
	if g == nil {
		g = &group{}
		b.mu.Lock()
		b.open[s.from] = g // want "duplicate-instance"
		b.mu.Unlock()
	}
	g.add(s)
}
