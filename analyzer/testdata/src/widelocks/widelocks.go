// Package widelocks has locks that are no mutexes, and what looks like one.
package widelocks

import (
	"context"
	"sync"
	"sync/atomic"
)

// Turns has a channel with one place: to send is to lock.
type Turns struct {
	turn   chan struct{}
	totals sync.Map
	last   map[string]int
}

func NewTurns() *Turns {
	return &Turns{turn: make(chan struct{}, 1), last: map[string]int{}}
}

func (t *Turns) Add(name string, n int) {
	t.turn <- struct{}{}
	v, _ := t.totals.Load(name)
	old, _ := v.(int)
	t.totals.Store(name, old+n)
	<-t.turn
}

func (t *Turns) AddUnless(ctx context.Context, name string, n int) error {
	select {
	case t.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-t.turn }()
	v, _ := t.totals.Load(name)
	old, _ := v.(int)
	t.totals.Store(name, old+n)
	return nil
}

// Remember lets go of the turn in between.
func (t *Turns) Remember(name string, n int) {
	t.turn <- struct{}{}
	old := t.last[name]
	<-t.turn
	t.turn <- struct{}{}
	t.last[name] = old + n // want "lost-update"
	<-t.turn
}

// Token has a channel with a token in it: to receive is to lock.
type Token struct {
	token  chan bool
	totals sync.Map
}

func NewToken() *Token {
	t := &Token{token: make(chan bool, 1)}
	t.token <- true
	return t
}

func (t *Token) Add(name string, n int) {
	<-t.token
	defer func() { t.token <- true }()
	v, _ := t.totals.Load(name)
	old, _ := v.(int)
	t.totals.Store(name, old+n)
}

// Mailbox has a channel with one place as well, but who receives has not sent.
type Mailbox struct {
	wake   chan struct{}
	totals sync.Map
}

func NewMailbox() *Mailbox { return &Mailbox{wake: make(chan struct{}, 1)} }

func (m *Mailbox) Wait() { <-m.wake }

func (m *Mailbox) Add(name string, n int) {
	m.wake <- struct{}{}
	v, _ := m.totals.Load(name)
	old, _ := v.(int)
	m.totals.Store(name, old+n) // want "lost-update"
}

// Spin is a lock, by its methods.
type Spin struct{ taken int32 }

func (s *Spin) Lock() {
	for !atomic.CompareAndSwapInt32(&s.taken, 0, 1) {
	}
}

func (s *Spin) Unlock() { atomic.StoreInt32(&s.taken, 0) }

type Spun struct {
	spin   Spin
	totals sync.Map
}

func (s *Spun) Add(name string, n int) {
	s.spin.Lock()
	defer s.spin.Unlock()
	v, _ := s.totals.Load(name)
	old, _ := v.(int)
	s.totals.Store(name, old+n)
}

// Compactor lets one goroutine in, and sends the others away.
type Compactor struct {
	running atomic.Bool
	sizes   sync.Map
}

func (c *Compactor) Compact(name string) {
	if !c.running.CompareAndSwap(false, true) {
		return
	}
	defer c.running.Store(false)
	v, _ := c.sizes.Load(name)
	old, _ := v.(int)
	c.sizes.Store(name, old/2)
}

// Service has a state that goes the same way, but Stop has not started it.
type Service struct {
	started atomic.Bool
	sizes   sync.Map
}

func (s *Service) Start(name string) {
	if !s.started.CompareAndSwap(false, true) {
		return
	}
	v, _ := s.sizes.Load(name)
	old, _ := v.(int)
	s.sizes.Store(name, old+1) // want "lost-update"
}

func (s *Service) Stop() { s.started.Store(false) }

// Accounts have a lock each, out of a map that is only filled.
type Accounts struct {
	mu       sync.Mutex
	locks    map[string]*sync.Mutex
	balances sync.Map
}

func (a *Accounts) lock(name string) *sync.Mutex {
	a.mu.Lock()
	defer a.mu.Unlock()
	l, ok := a.locks[name]
	if !ok {
		l = new(sync.Mutex)
		a.locks[name] = l
	}
	return l
}

func (a *Accounts) Deposit(name string, cents int) {
	l := a.lock(name)
	l.Lock()
	defer l.Unlock()
	v, _ := a.balances.Load(name)
	old, _ := v.(int)
	a.balances.Store(name, old+cents)
}

// Transfers take the lock of another account.
type Transfers struct {
	locks    sync.Map
	balances sync.Map
}

func (t *Transfers) Move(from, to string, cents int) {
	m, _ := t.locks.LoadOrStore(from, &sync.Mutex{})
	l := m.(*sync.Mutex)
	l.Lock()
	defer l.Unlock()
	v, _ := t.balances.Load(to)
	old, _ := v.(int)
	t.balances.Store(to, old+cents) // want "lost-update"
}

// Rooms have a lock each, which is forgotten: two goroutines can have one each.
type Rooms struct {
	locks  sync.Map
	guests sync.Map
}

func (r *Rooms) Enter(room string) {
	v, _ := r.locks.LoadOrStore(room, new(sync.Mutex))
	l := v.(*sync.Mutex)
	l.Lock()
	defer l.Unlock()
	defer r.locks.Delete(room) // want "stale-delete"
	g, _ := r.guests.Load(room)
	n, _ := g.(int)
	r.guests.Store(room, n+1) // want "lost-update"
}

// Shards have striped locks.
type Shards struct {
	locks  [16]sync.Mutex
	counts sync.Map
}

func (s *Shards) of(key int) *sync.Mutex { return &s.locks[key%len(s.locks)] }

func (s *Shards) Add(key, n int) {
	l := s.of(key)
	l.Lock()
	defer l.Unlock()
	v, _ := s.counts.Load(key)
	old, _ := v.(int)
	s.counts.Store(key, old+n)
}

// Loop runs what it is given one after the other.
type Loop struct {
	tasks  chan func()
	done   chan struct{}
	counts sync.Map
	sum    map[string]int
}

func NewLoop() *Loop {
	l := &Loop{tasks: make(chan func()), done: make(chan struct{}), sum: map[string]int{}}
	go l.run()
	return l
}

func (l *Loop) run() {
	for {
		select {
		case task := <-l.tasks:
			task()
		case <-l.done:
			return
		}
	}
}

func (l *Loop) do(task func()) { l.tasks <- task }

func (l *Loop) Count(word string) {
	l.do(func() {
		v, _ := l.counts.Load(word)
		n, _ := v.(int)
		l.counts.Store(word, n+1)
	})
}

// Started runs its tasks wherever it is started.
type Started struct {
	tasks  chan func()
	counts sync.Map
}

func NewStarted() *Started { return &Started{tasks: make(chan func())} }

func (s *Started) Run() {
	for task := range s.tasks {
		task()
	}
}

func (s *Started) Count(word string) {
	s.tasks <- func() {
		v, _ := s.counts.Load(word)
		n, _ := v.(int)
		s.counts.Store(word, n+1) // want "lost-update"
	}
}
