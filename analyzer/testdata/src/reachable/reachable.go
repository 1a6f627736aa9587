// Package reachable proves which maps and atomics other packages can get at: not
// those in fields of structs without a name, in fields of types that nothing
// exported leads to, in containers that stay in the package, or in variables that
// only a literal has. To these nothing happens but what this package does; every
// positive has a part that lets the map out, or that breaks the step itself.
package reachable

import (
	"strings"
	"sync"
	"sync/atomic"
)

// Block keeps a number in a struct without a name.
type Block struct {
	mu   sync.Mutex
	last struct {
		seq uint64
		ts  int64
	}
	first span
}

// span has no exported name, and nothing exported has a span.
type span struct{ Seq, Ts uint64 }

func (b *Block) Advance(seq uint64, ts int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if atomic.LoadUint64(&b.last.seq) < seq {
		atomic.StoreUint64(&b.last.seq, seq)
		b.last.ts = ts
	}
}

func (b *Block) Begin(seq uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if first := atomic.LoadUint64(&b.first.Seq); first > seq {
		atomic.StoreUint64(&b.first.Seq, seq)
	}
}

// Loaded sets what is not shared yet from outside.
func Loaded(seq uint64, s *[2]uint64) *Block {
	b := &Block{}
	b.last.seq = seq
	b.first = span{Seq: s[0], Ts: s[1]}
	return b
}

// Hurried does without the lock.
type Hurried struct {
	last struct{ seq uint64 }
}

func (h *Hurried) Advance(seq uint64) {
	if atomic.LoadUint64(&h.last.seq) < seq {
		atomic.StoreUint64(&h.last.seq, seq) // want "lost-update"
	}
}

// Lending gives the address of the number away.
type Lending struct {
	mu   sync.Mutex
	last struct{ seq uint64 }
}

func (l *Lending) Seq() *uint64 { return &l.last.seq }

func (l *Lending) Advance(seq uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if atomic.LoadUint64(&l.last.seq) < seq {
		atomic.StoreUint64(&l.last.seq, seq) // want "lost-update"
	}
}

// Span is exported, and so are its fields.
type Span struct {
	mu  sync.Mutex
	Seq uint64
}

func (s *Span) Advance(seq uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if atomic.LoadUint64(&s.Seq) < seq {
		atomic.StoreUint64(&s.Seq, seq) // want "lost-update"
	}
}

// shown has no exported name, but Shown returns one.
type shown struct {
	mu  sync.Mutex
	Seq uint64
}

func Shown() *shown { return &shown{} }

func (s *shown) Advance(seq uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if atomic.LoadUint64(&s.Seq) < seq {
		atomic.StoreUint64(&s.Seq, seq) // want "lost-update"
	}
}

// state is a variable of a type without a name.
var state struct {
	sync.Mutex
	m sync.Map
}

func State(id string) any {
	state.Lock()
	defer state.Unlock()
	if v, ok := state.m.Load(id); ok {
		return v
	}
	v := new(int)
	state.m.Store(id, v)
	return v
}

// Shards has one map for each of a few keys.
type Shards struct{ shards [8]sync.Map }

func (s *Shards) shard(id string) *sync.Map { return &s.shards[len(id)%8] }

// Upper stores the same value whoever does it, and nobody removes it.
func (s *Shards) Upper(text string) string {
	m := s.shard(text)
	if v, ok := m.Load(text); ok {
		return v.(string)
	}
	upper := strings.ToUpper(text)
	m.Store(text, upper)
	return upper
}

// Forgetful removes them as well.
type Forgetful struct{ shards [8]sync.Map }

func (s *Forgetful) Remember(text string) { s.shards[len(text)%8].Store(text, text) }

func (s *Forgetful) Forget(text string) { s.shards[len(text)%8].Delete(text) }

func (s *Forgetful) Upper(text string) string {
	m := &s.shards[len(text)%8]
	if _, ok := m.Load(text); !ok {
		return ""
	}
	v, _ := m.Load(text) // want "crash"
	return v.(string)
}

// Memo has a map that only the literal has.
func Memo() func(string) string {
	memo := sync.Map{}
	return func(text string) string {
		if v, ok := memo.Load(text); ok {
			return v.(string)
		}
		upper := strings.ToUpper(text)
		memo.Store(text, upper)
		return upper
	}
}

// MemoPointer has a pointer to one.
func MemoPointer(first string) func(string) string {
	memo := &sync.Map{}
	memo.Store(first, strings.ToUpper(first))
	return func(text string) string {
		if v, ok := memo.Load(text); ok {
			return v.(string)
		}
		upper := strings.ToUpper(text)
		memo.Store(text, upper)
		return upper
	}
}

// MemoOf has one counter for each text, or two.
func MemoOf() func(string) *atomic.Int64 {
	memo := sync.Map{}
	return func(text string) *atomic.Int64 {
		if v, ok := memo.Load(text); ok {
			return v.(*atomic.Int64)
		}
		n := &atomic.Int64{}
		memo.Store(text, n) // want "duplicate-instance"
		return n
	}
}

// MemoGiven has the caller's map.
func MemoGiven(memo *sync.Map) func(string) string {
	return func(text string) string {
		if v, ok := memo.Load(text); ok {
			return v.(string)
		}
		upper := strings.ToUpper(text)
		memo.Store(text, upper) // want "lost-update"
		return upper
	}
}

// MemoPublished gives its map away.
func MemoPublished(publish func(*sync.Map)) func(string) string {
	memo := sync.Map{}
	publish(&memo)
	return func(text string) string {
		if v, ok := memo.Load(text); ok {
			return v.(string)
		}
		upper := strings.ToUpper(text)
		memo.Store(text, upper) // want "lost-update"
		return upper
	}
}

// Reader counts a window down while one goroutine of its own fills it up.
type Reader struct {
	window atomic.Int64
	stop   chan struct{}
}

func (r *Reader) Read() { r.window.Add(-1) }

// NewReader starts the only goroutine that adds.
func NewReader() *Reader {
	r := &Reader{stop: make(chan struct{})}
	go func() {
		for {
			if r.window.Load() >= 100 {
				continue
			}
			r.window.Add(100)
		}
	}()
	return r
}

// Filled has a method for its goroutine.
type Filled struct{ window atomic.Int64 }

func (r *Filled) Read() { r.window.Add(-1) }

func NewFilled() *Filled {
	r := &Filled{}
	go r.fill()
	return r
}

func (r *Filled) fill() {
	for {
		if r.window.Load() < 100 {
			r.window.Add(100)
		}
	}
}

// Flooded has two.
type Flooded struct{ window atomic.Int64 }

func NewFlooded() *Flooded {
	r := &Flooded{}
	for range 2 {
		go r.fill()
	}
	return r
}

func (r *Flooded) fill() {
	for {
		if r.window.Load() < 100 {
			r.window.Add(100) // want "non-atomic"
		}
	}
}
