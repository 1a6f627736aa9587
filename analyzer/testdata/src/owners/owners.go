// Package owners has objects that one goroutine at a time changes: plain fields
// that are written beside the atomics say so, since the program would have a data
// race otherwise.
package owners

import (
	"sync"
	"sync/atomic"
)

// RTT is updated by the goroutine of its connection.
type RTT struct {
	measured bool
	smoothed atomic.Int64
}

func (r *RTT) Update(sample int64) {
	if !r.measured {
		r.measured = true
		r.smoothed.Store(sample)
		return
	}
	r.smoothed.Store((7*r.smoothed.Load() + sample) / 8)
}

func (r *RTT) Smoothed() int64 { return r.smoothed.Load() }

// Shared has the same average and nothing that says who updates it.
type Shared struct{ smoothed atomic.Int64 }

func (s *Shared) Update(sample int64) {
	s.smoothed.Store((7*s.smoothed.Load() + sample) / 8) // want "lost-update"
}

// Constant has a plain field, too, but nobody writes it.
type Constant struct {
	weight   int64
	smoothed atomic.Int64
}

func (c *Constant) Update(sample int64) {
	c.smoothed.Store((c.weight*c.smoothed.Load() + sample) / (c.weight + 1)) // want "lost-update"
}

// Block is changed with a lock held by the callers, who are elsewhere.
type Block struct {
	messages int
	first    atomic.Uint64
	stamp    int64
}

func (b *Block) Account(seq uint64, now int64) {
	if b.first.Load() == 0 {
		b.first.Store(seq)
		b.stamp = now
	}
	b.messages++
}

// Batch flushes when it is full. What the counter is there to protect says
// nothing: two goroutines can both find it full.
type Batch struct {
	n       atomic.Int64
	size    int64
	flushes int
}

func (b *Batch) Add() { b.n.Add(1) }

func (b *Batch) Flush() {
	if n := b.n.Load(); n >= b.size {
		b.flushes++
		b.n.Store(n - b.size) // want "lost-update"
	}
}

// Spin waits for a flag and then sets it. What comes after the wait is protected
// by the flag, or would be if that were done in one step.
type Spin struct {
	busy  atomic.Bool
	count int
}

func (s *Spin) Count() {
	for s.busy.Load() {
	}
	s.busy.Store(true)
	s.count++
	s.busy.Store(false) // want "lost-update"
}

// Half is changed with a lock held, but the lock is not held throughout. That the
// field is not raced for says nothing about the rest.
type Half struct {
	mu    sync.Mutex
	calls int
	max   atomic.Int64
}

func (h *Half) Raise(n int64) {
	h.mu.Lock()
	h.calls++
	h.mu.Unlock()
	if h.max.Load() < n {
		h.max.Store(n) // want "lost-update"
	}
}

// Turns is written before it is handed to another goroutine, and not after.
type Turns struct {
	id    int
	level atomic.Int64
	ready chan bool
}

func (t *Turns) Start(id int) {
	t.id = id
	go t.loop()
	t.level.Store(t.level.Load() + 1) // want "lost-update"
}

func (t *Turns) loop() {
	if t.id > 0 {
		t.level.Store(t.level.Load() + 2) // want "lost-update"
	}
}

// Signal does the same with a channel.
func (t *Turns) Signal(id int) {
	t.id = id
	close(t.ready)
	t.level.Store(t.level.Load() + 3) // want "lost-update"
}

// Pool is set up before others have it.
type Pool struct {
	mu     sync.Mutex
	signer string
	tip    atomic.Int64
}

func (p *Pool) Init(tip int64, signer string) {
	p.signer = signer
	p.tip.Store(tip)
	go p.loop()
}

func (p *Pool) loop() { p.SetTip(1) }

func (p *Pool) SetTip(tip int64) (raised bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	old := p.tip.Load()
	p.tip.Store(tip)
	return old < tip
}

func (p *Pool) Signer() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.signer
}

// Late is called Init and writes nothing else: it may come at any time.
type Late struct {
	mu  sync.Mutex
	tip atomic.Int64
}

func (p *Late) Init(tip int64) { p.tip.Store(tip) }

func (p *Late) SetTip(tip int64) (raised bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	old := p.tip.Load()
	p.tip.Store(tip) // want "lost-update"
	return old < tip
}

// Size is remembered, and set by the decoder before anybody else has the object.
type Message struct {
	body []byte
	size atomic.Int64
}

func (m *Message) Size() int64 {
	if n := m.size.Load(); n > 0 {
		return n
	}
	n := int64(len(m.body))
	m.size.Store(n)
	return n
}

func (m *Message) Decode(body []byte, n int64) {
	m.body = body
	m.size.Store(n)
}
