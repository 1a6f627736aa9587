// Package goroutines has steps that only one goroutine makes: one of the whole
// program, or one that is started where the object is made. Their twins have two.
package goroutines

import (
	"sync"
	"sync/atomic"
	"time"
)

// Meters are all ticked by the one goroutine that ever runs loop.
type Meter struct{ rate atomic.Int64 }

func (m *Meter) tick() { m.rate.Store(m.rate.Load() / 2) }

var meters struct {
	once sync.Once
	mu   sync.Mutex
	all  []*Meter
}

func (m *Meter) Start() {
	meters.mu.Lock()
	meters.all = append(meters.all, m)
	meters.mu.Unlock()
	meters.once.Do(func() { go loop() })
}

func loop() {
	for {
		meters.mu.Lock()
		all := meters.all
		meters.mu.Unlock()
		for _, m := range all {
			m.tick()
		}
	}
}

// Sets have a Once each, and a meter can be in two of them.
type Sets struct {
	once sync.Once
	mu   sync.Mutex
	all  []*Gauge
}

type Gauge struct{ rate atomic.Int64 }

func (g *Gauge) tick() { g.rate.Store((g.rate.Load() + 8) / 2) } // want "lost-update"

func (s *Sets) Add(g *Gauge) {
	s.mu.Lock()
	s.all = append(s.all, g)
	s.mu.Unlock()
	s.once.Do(func() { go s.loop() })
}

func (s *Sets) loop() {
	for {
		s.mu.Lock()
		all := s.all
		s.mu.Unlock()
		for _, g := range all {
			g.tick()
		}
	}
}

// Again makes a new Once of an old one.
var again struct {
	once sync.Once
	n    atomic.Int64
}

func Again() { again.once.Do(func() { go countAgain() }) }

func Forget() {
	again = struct {
		once sync.Once
		n    atomic.Int64
	}{}
}

func countAgain() { again.n.Store(again.n.Load() + 1) } // want "lost-update"

// Ring has shards, and one goroutine that looks after them.
type Ring struct{ shards *shards }

type shards struct {
	mu   sync.Mutex
	list []*shard
}

type shard struct{ down atomic.Int64 }

func newShards(n int) *shards {
	s := &shards{}
	for range n {
		s.list = append(s.list, &shard{})
	}
	return s
}

// NewRing starts it.
func NewRing(n int) *Ring {
	r := &Ring{shards: newShards(n)}
	go r.shards.watch(true)
	return r
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
			sh.vote(up)
		}
	}
}

func (s *shard) vote(up bool) bool {
	if up {
		changed := s.down.Load() > 3
		s.down.Store(0)
		return changed
	}
	s.down.Add(1)
	return s.down.Load() > 3
}

// Pool has many workers with one tally, which was made for none of them.
type Pool struct{ tally *tally }

type tally struct{ done atomic.Int64 }

type worker struct{ tally *tally }

func newWorker(t *tally) *worker {
	w := &worker{tally: t}
	go w.work()
	return w
}

func NewPool(n int) *Pool {
	p := &Pool{tally: &tally{}}
	for range n {
		newWorker(p.tally)
	}
	return p
}

func (w *worker) work() {
	for {
		w.tally.count()
	}
}

func (t *tally) count() { t.done.Store(t.done.Load() + 1) } // want "lost-update"

// Pair has two goroutines.
type Pair struct{ n atomic.Int64 }

func NewPair() *Pair {
	p := &Pair{}
	go p.left()
	go p.right()
	return p
}

func (p *Pair) left()  { p.step(1) }
func (p *Pair) right() { p.step(2) }

func (p *Pair) step(by int64) { p.n.Store(p.n.Load() + by) } // want "lost-update"

// Single has one, with its steps in methods of their own. So has each connection,
// wherever it comes from.
type Single struct{ n atomic.Int64 }

func NewSingle() *Single {
	s := &Single{}
	go s.run()
	return s
}

func Dial() *Single {
	s := &Single{}
	go func() { s.run() }()
	return s
}

func (s *Single) run() {
	for {
		s.step(1)
	}
}

func (s *Single) step(by int64) { s.n.Store(s.n.Load() + by) }

func (s *Single) Seen() int64 { return s.n.Load() }

// Server starts one for each connection, all of which use the server.
type Server struct{ n atomic.Int64 }

func (s *Server) Serve(conns int) {
	for range conns {
		go s.serve()
	}
}

func (s *Server) serve() { s.step(1) }

func (s *Server) step(by int64) { s.n.Store(s.n.Load() + by) } // want "lost-update"

// Stepped has one goroutine for its steps, and another method that steps as well.
type Stepped struct{ n atomic.Int64 }

func NewStepped() *Stepped {
	s := &Stepped{}
	go s.run()
	return s
}

func (s *Stepped) run() {
	for {
		s.step(1)
	}
}

func (s *Stepped) step(by int64) { s.n.Store(s.n.Load() + by) } // want "lost-update"

func (s *Stepped) Reset() { s.n.Store(0) }

// Idle has a timer, and stops it before it has another one.
type Idle struct {
	mu     sync.Mutex
	timer  *time.Timer
	active atomic.Int64
	rounds atomic.Int64
}

func (i *Idle) Use() {
	i.active.Store(1)
	i.restart(time.Minute)
}

func (i *Idle) restart(d time.Duration) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.timer != nil {
		i.timer.Stop()
	}
	i.timer = time.AfterFunc(d, i.expire)
}

func (i *Idle) expire() {
	i.rounds.Store(i.rounds.Load() + 1)
	i.restart(time.Minute)
}

// Bounce has as many timers as it has calls.
type Bounce struct {
	timer *time.Timer
	fired atomic.Int64
}

func (b *Bounce) Trigger() { b.timer = time.AfterFunc(time.Second, b.fire) }

func (b *Bounce) fire() { b.fired.Store(b.fired.Load() + 1) } // want "lost-update"
