// Package effects proves that what is done between a check and the write that it guards
// is part of the outcome: two callers must not both do it.
package effects

import (
	"log"
	"reflect"
	"sync"
	"sync/atomic"
)

// Meter counts, elsewhere.
type Meter interface{ Add(n int) }

type Tracker struct {
	tracked atomic.Bool
	meter   Meter
}

func (t *Tracker) Track(n int) {
	if !t.tracked.Load() {
		t.meter.Add(n)
		t.tracked.Store(true) // want "non-atomic|lost-update"
	}
}

// TrackRight decides before it counts.
//
//mapatom:atomic
func (t *Tracker) TrackRight(n int) {
	if t.tracked.CompareAndSwap(false, true) {
		t.meter.Add(n)
	}
}

// Quiet only says what it does.
type Quiet struct{ tracked atomic.Bool }

//mapatom:atomic
func (q *Quiet) Track() {
	if !q.tracked.Load() {
		log.Println("tracked")
		q.tracked.Store(true)
	}
}

// Names fills a new object, of which one is kept.
type Names struct{ m sync.Map }

type name struct {
	mu   sync.Mutex
	text string
}

//mapatom:atomic
func (n *Names) Get(k string, fill func(*name)) *name {
	if v, ok := n.m.Load(k); ok {
		return v.(*name)
	}
	v := &name{}
	fill(v)
	w, _ := n.m.LoadOrStore(k, v)
	return w.(*name)
}

// Types describes each type once, and those of its fields. What a loop does to the description is
// not done to the type, nor to what somebody else has put there.
type Types struct{ m sync.Map }

type description struct {
	names  []string
	places map[string]int
	inner  []*description
}

func (t *Types) Describe(typ reflect.Type) (*description, error) {
	if v, ok := t.m.Load(typ); ok {
		return v.(*description), nil
	}
	d, err := t.describe(typ)
	if err != nil {
		return nil, err
	}
	if v, loaded := t.m.LoadOrStore(typ, d); loaded {
		d = v.(*description)
	}
	return d, nil
}

func (t *Types) describe(typ reflect.Type) (*description, error) {
	d := &description{places: map[string]int{}}
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Type.Kind() == reflect.Struct {
			inner, err := t.Describe(f.Type)
			if err != nil {
				return nil, err
			}
			d.inner = append(d.inner, inner)
		}
		d.names = append(d.names, f.Name)
		d.places[f.Name] = i
	}
	return d, nil
}
