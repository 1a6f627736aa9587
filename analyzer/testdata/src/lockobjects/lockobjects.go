// Package lockobjects holds objects of another package that are locks: the methods of their
// types take them, or say that they have not, and give them back. Who is told that he has it
// not returns, and who gives it back has it: else it is no lock.
package lockobjects

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"

	"locklib"
)

// Tried refuses who comes second.
type Tried struct {
	try    locklib.Try
	totals sync.Map
}

func (t *Tried) Add(name string, n int) error {
	if err := t.try.Lock(); err != nil {
		return err
	}
	defer t.try.Unlock()
	v, _ := t.totals.Load(name)
	old, _ := v.(int)
	t.totals.Store(name, old+n)
	return nil
}

// Ignored goes on although it was refused.
type Ignored struct {
	try    locklib.Try
	totals sync.Map
}

func (i *Ignored) Add(name string, n int) {
	_ = i.try.Lock()
	defer i.try.Unlock()
	v, _ := i.totals.Load(name)
	old, _ := v.(int)
	i.totals.Store(name, old+n) // want "lost-update"
}

// Refused goes on if it was refused.
type Refused struct {
	try    locklib.Try
	totals sync.Map
}

func (r *Refused) Add(name string, n int) {
	if err := r.try.Lock(); err == nil {
		r.try.Unlock()
		return
	}
	v, _ := r.totals.Load(name)
	old, _ := v.(int)
	r.totals.Store(name, old+n) // want "lost-update"
}

// Early gives it back between the two.
type Early struct {
	try    locklib.Try
	totals sync.Map
}

func (e *Early) Add(name string, n int) {
	if e.try.Lock() != nil {
		return
	}
	v, _ := e.totals.Load(name)
	old, _ := v.(int)
	e.try.Unlock()
	e.totals.Store(name, old+n) // want "lost-update"
}

// Started has a state: Stop gives back what it does not have.
type Started struct {
	flag   locklib.Flag
	totals sync.Map
}

func (s *Started) Start(name string) {
	if !s.flag.Set() {
		return
	}
	v, _ := s.totals.Load(name)
	old, _ := v.(int)
	s.totals.Store(name, old+1) // want "lost-update"
}

func (s *Started) Stop() { s.flag.Clear() }

// Flagged has a flag that only who has set it clears.
type Flagged struct {
	flag   locklib.Flag
	totals sync.Map
}

func (f *Flagged) Add(name string, n int) {
	if !f.flag.Set() {
		return
	}
	defer func() { f.flag.Clear() }()
	v, _ := f.totals.Load(name)
	old, _ := v.(int)
	f.totals.Store(name, old+n)
}

// Beside has one who writes without it.
type Beside struct {
	flag   locklib.Flag
	totals sync.Map
}

func (b *Beside) Add(name string, n int) {
	if b.flag.Set() {
		v, _ := b.totals.Load(name)
		old, _ := v.(int)
		b.totals.Store(name, old+n) // want "lost-update"
		b.flag.Clear()
	}
}

func (b *Beside) Put(name string, n int) { b.totals.Store(name, n) }

// Turns take it by either method, of an object that is elsewhere.
type Turns struct {
	turn   *locklib.Turn
	totals sync.Map
}

func NewTurns() *Turns { return &Turns{turn: locklib.NewTurn()} }

func (t *Turns) Add(name string, n int) {
	t.turn.Take()
	defer t.turn.Give()
	v, _ := t.totals.Load(name)
	old, _ := v.(int)
	t.totals.Store(name, old+n)
}

func (t *Turns) AddUnless(ctx context.Context, name string, n int) error {
	if err := t.turn.TakeUnless(ctx); err != nil {
		return err
	}
	v, _ := t.totals.Load(name)
	old, _ := v.(int)
	t.totals.Store(name, old+n)
	t.turn.Give()
	return nil
}

// Tolls have what lets two in.
type Tolls struct {
	toll   locklib.Toll
	totals sync.Map
}

func (t *Tolls) Add(name string, n int) {
	if !t.toll.Set() {
		return
	}
	defer t.toll.Clear()
	v, _ := t.totals.Load(name)
	old, _ := v.(int)
	t.totals.Store(name, old+n) // want "lost-update"
}

// One lets one in.
type One struct {
	sem    *semaphore.Weighted
	totals sync.Map
}

func NewOne() *One { return &One{sem: semaphore.NewWeighted(1)} }

func (o *One) Add(ctx context.Context, name string, n int) error {
	if err := o.sem.Acquire(ctx, 1); err != nil {
		return err
	}
	defer o.sem.Release(1)
	v, _ := o.totals.Load(name)
	old, _ := v.(int)
	o.totals.Store(name, old+n)
	return nil
}

// Two lets two in.
type Two struct {
	sem    *semaphore.Weighted
	totals sync.Map
}

func NewTwo() *Two { return &Two{sem: semaphore.NewWeighted(2)} }

func (t *Two) Add(name string, n int) {
	if !t.sem.TryAcquire(1) {
		return
	}
	defer t.sem.Release(1)
	v, _ := t.totals.Load(name)
	old, _ := v.(int)
	t.totals.Store(name, old+n) // want "lost-update"
}

// Many lets in as many as somebody says.
type Many struct {
	sem    *semaphore.Weighted
	totals sync.Map
}

func NewMany(n int64) *Many { return &Many{sem: semaphore.NewWeighted(n)} }

func (m *Many) Add(name string, n int) {
	if !m.sem.TryAcquire(1) {
		return
	}
	defer m.sem.Release(1)
	v, _ := m.totals.Load(name)
	old, _ := v.(int)
	m.totals.Store(name, old+n) // want "lost-update"
}
