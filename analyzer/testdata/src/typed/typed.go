// Package typed proves that values have their Go type. Each mistake has a neighbour
// beside it that is right, and says so.
package typed

import (
	"sync"
	"sync/atomic"
)

// Window is a number without a sign: below zero it is large.
type Window struct{ n atomic.Uint32 }

func (w *Window) Set(n uint32) { w.n.Store(n) }

func (w *Window) Shrink() bool {
	if v := w.n.Load(); v-1 > 5 {
		w.n.Store(v - 1) // want "lost-update"
		return true
	}
	return false
}

//mapatom:atomic
func (w *Window) ShrinkRight() bool {
	for {
		v := w.n.Load()
		if v-1 <= 5 {
			return false
		}
		if w.n.CompareAndSwap(v, v-1) {
			return true
		}
	}
}

// Even goes up by two: what is odd never happens.
type Even struct{ n atomic.Int64 }

func (e *Even) Step() { e.n.Add(2) }

//mapatom:atomic
func (e *Even) Reset() bool {
	if e.n.Load()%2 != 0 {
		e.n.Store(0)
		return true
	}
	return false
}

// EvenBits asks for the lowest bit.
type EvenBits struct{ n atomic.Uint64 }

func (e *EvenBits) Step() { e.n.Add(2) }

//mapatom:atomic
func (e *EvenBits) Reset() bool {
	if e.n.Load()&1 != 0 {
		e.n.Store(0)
		return true
	}
	return false
}

// Uneven goes up by one.
type Uneven struct{ n atomic.Int64 }

func (e *Uneven) Step() { e.n.Add(1) }

func (e *Uneven) Reset() bool {
	if e.n.Load()%2 != 0 {
		e.n.Store(0) // want "lost-update"
		return true
	}
	return false
}

// Parity is the register of ESOP 2014, figure 6: between two odd numbers there is an
// even one.
type Parity struct{ n atomic.Int64 }

func (p *Parity) Increase() { p.n.Add(1) }

//mapatom:atomic
func (p *Parity) OptimisticIsEven() bool {
	first := p.n.Load()
	if first%2 == 0 {
		return true
	}
	second := p.n.Load()
	return first != second
}

// ParityBits is the same with a mask.
type ParityBits struct{ n atomic.Uint64 }

func (p *ParityBits) Increase() { p.n.Add(1) }

//mapatom:atomic
func (p *ParityBits) OptimisticIsEven() bool {
	first := p.n.Load()
	if first&1 == 0 {
		return true
	}
	second := p.n.Load()
	if first == second {
		return false
	}
	return true
}

// Odd goes from one odd number to the next.
type Odd struct{ m sync.Map }

func (o *Odd) Put(k string, n int) { o.m.Store(k, 2*n+1) }

func (o *Odd) OptimisticIsEven(k string) bool {
	first, _ := o.m.Load(k)
	if first == nil || first.(int)%2 == 0 {
		return true
	}
	second, _ := o.m.Load(k) // want "inconsistent-read"
	return first != second
}

// Same returns what it compared.
type Same struct{ m sync.Map }

func (s *Same) Put(k string, n int) { s.m.Store(k, n) }

func (s *Same) Twice(k string) bool {
	v, _ := s.m.Load(k)
	w, _ := s.m.Load(k) // want "inconsistent-read"
	return v == w
}

// Once compares one number with itself.
//
//mapatom:atomic
func (s *Same) Once(k string) bool {
	v, ok := s.m.Load(k)
	if ok && v != v {
		s.m.Delete(k)
	}
	return v == v
}

// Small overflows.
type Small struct{ m sync.Map }

func (s *Small) Put(k string, n int8) { s.m.Store(k, n) }

func (s *Small) Overflow(k string) bool {
	v, ok := s.m.Load(k)
	if !ok {
		return false
	}
	if n := v.(int8); n+1 < n {
		s.m.Store(k, int8(0)) // want "lost-update"
		return true
	}
	return false
}

// Wide is the same number in more bits, where it fits.
type Wide struct{ m sync.Map }

func (w *Wide) Put(k string, n int8) { w.m.Store(k, n) }

//mapatom:atomic
func (w *Wide) Overflow(k string) bool {
	v, ok := w.m.Load(k)
	if !ok {
		return false
	}
	if n := int(v.(int8)); n+1 < n {
		w.m.Store(k, int8(0))
		return true
	}
	return false
}

// Text is never nil, also where it is put together.
type Text struct{ m sync.Map }

//mapatom:atomic
func (t *Text) Join(k, a, b string) any {
	v, _ := t.m.LoadOrStore(k, a+b)
	if v == nil {
		t.m.Delete(k)
	}
	return v
}

type node struct{ next int }

// Nodes has nil pointers, which are there.
type Nodes struct{ m sync.Map }

func (t *Nodes) Put(k string, n *node) { t.m.Store(k, n) }
func (t *Nodes) Forget(k string)       { t.m.Store(k, (*node)(nil)) }

func (t *Nodes) Drop(k string) bool {
	v, ok := t.m.Load(k)
	if !ok {
		return false
	}
	if n := v.(*node); n == nil {
		t.m.Delete(k) // want "stale-delete"
		return true
	}
	return false
}

// DropNil asks for something else: nothing there is nil.
//
//mapatom:atomic
func (t *Nodes) DropNil(k string) bool {
	v, ok := t.m.Load(k)
	if ok && v == nil {
		t.m.Delete(k)
		return true
	}
	return false
}

// Mixed holds values of two types.
type Mixed struct{ m sync.Map }

func (m *Mixed) Name(k, s string)       { m.m.Store(k, s) }
func (m *Mixed) Number(k string, n int) { m.m.Store(k, n) }

// Which knows both of them.
//
//mapatom:atomic
func (m *Mixed) Which(k string) int {
	v, ok := m.m.Load(k)
	if !ok {
		return 0
	}
	switch v.(type) {
	case string:
		return 1
	case int:
		return 2
	}
	m.m.Delete(k)
	return 3
}

// Both sees one after the other.
func (m *Mixed) Both(k string) bool {
	v, _ := m.m.Load(k)
	_, isText := v.(string)
	w, _ := m.m.Load(k) // want "inconsistent-read"
	_, isNumber := w.(int)
	return isText && isNumber
}

// Flags are true or false.
type Flags struct{ m sync.Map }

func (f *Flags) Set(k string, b bool) { f.m.Store(k, b) }

//mapatom:atomic
func (f *Flags) Neither(k string) bool {
	v, ok := f.m.Load(k)
	if !ok {
		return false
	}
	if b := v.(bool); b != true && b != false {
		f.m.Delete(k)
		return true
	}
	return false
}

func (f *Flags) Toggle(k string) bool {
	v, ok := f.m.Load(k)
	if !ok {
		return false
	}
	b := v.(bool)
	f.m.Store(k, !b) // want "lost-update"
	return b
}

// Pages divides: a panic for zero is one as well.
type Pages struct{ size atomic.Int32 }

func (p *Pages) Resize(n int32) { p.size.Store(n) }

func (p *Pages) Count(bytes int32) int32 {
	if p.size.Load() == 0 {
		return 0
	}
	return bytes / p.size.Load() // want "crash"
}

//mapatom:atomic
func (p *Pages) CountRight(bytes int32) int32 {
	size := p.size.Load()
	if size == 0 {
		return 0
	}
	return bytes / size
}
