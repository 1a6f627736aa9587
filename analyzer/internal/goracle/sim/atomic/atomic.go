// Package atomic stands in for sync/atomic, in programs that package sim
// runs. A variable is a plain one.
package atomic

import (
	"reflect"

	"github.com/mapatom/mapatom/analyzer/internal/goracle/sim"
)

// cell is a variable of a comparable type.
type cell[T comparable] struct{ v T }

func (c *cell[T]) Load() T {
	sim.Before()
	sim.Found(c.v, true, false)
	return c.v
}

func (c *cell[T]) Store(v T) {
	sim.Before()
	sim.Found(c.v, true, true)
	c.v = v
	sim.Wrote(c.v)
}

func (c *cell[T]) Swap(v T) T {
	sim.Before()
	old := c.v
	sim.Found(old, true, true)
	c.v = v
	sim.Wrote(c.v)
	return old
}

func (c *cell[T]) CompareAndSwap(old, new T) bool {
	sim.Before()
	if c.v != old || sim.GiveUp() {
		sim.Found(c.v, true, false)
		return false
	}
	sim.Found(c.v, true, true)
	c.v = new
	sim.Wrote(c.v)
	return true
}

func (c *cell[T]) SimLoad() any   { return c.v }
func (c *cell[T]) SimStore(v any) { c.v = v.(T) }

// number is a variable that can be added to.
type number[T int32 | int64 | uint32 | uint64 | uintptr] struct{ cell[T] }

func (n *number[T]) Add(d T) T {
	sim.Before()
	sim.Found(n.v, true, true)
	n.v += d
	sim.Wrote(n.v)
	return n.v
}

func (n *number[T]) And(mask T) T {
	sim.Before()
	old := n.v
	sim.Found(n.v, true, true)
	n.v &= mask
	sim.Wrote(n.v)
	return old
}

func (n *number[T]) Or(mask T) T {
	sim.Before()
	old := n.v
	sim.Found(n.v, true, true)
	n.v |= mask
	sim.Wrote(n.v)
	return old
}

type (
	Bool    struct{ cell[bool] }
	Int32   struct{ number[int32] }
	Int64   struct{ number[int64] }
	Uint32  struct{ number[uint32] }
	Uint64  struct{ number[uint64] }
	Uintptr struct{ number[uintptr] }
	// Pointer has the name of the standard one.
	Pointer[T any] struct{ cell[*T] }
)

// SimStore takes nil as well.
func (p *Pointer[T]) SimStore(v any) {
	p.v, _ = v.(*T)
}

// Value holds any value, after the first one of its type only.
type Value struct{ v any }

func (c *Value) check(v any) {
	if v == nil {
		panic("sync/atomic: store of nil value into Value")
	}
	if c.v != nil && reflect.TypeOf(c.v) != reflect.TypeOf(v) {
		panic("sync/atomic: store of inconsistently typed value into Value")
	}
}

func (c *Value) Load() any {
	sim.Before()
	sim.Found(c.v, true, false)
	return c.v
}

func (c *Value) Store(v any) {
	sim.Before()
	c.check(v)
	sim.Found(c.v, c.v != nil, true)
	c.v = v
	sim.Wrote(c.v)
}

func (c *Value) Swap(v any) any {
	sim.Before()
	c.check(v)
	old := c.v
	sim.Found(old, old != nil, true)
	c.v = v
	sim.Wrote(c.v)
	return old
}

func (c *Value) CompareAndSwap(old, new any) bool {
	sim.Before()
	if new == nil {
		panic("sync/atomic: compare and swap of nil value into Value")
	}
	if old != nil && reflect.TypeOf(old) != reflect.TypeOf(new) {
		panic("sync/atomic: compare and swap of inconsistently typed values")
	}
	if c.v != nil && reflect.TypeOf(c.v) != reflect.TypeOf(new) {
		panic("sync/atomic: compare and swap of inconsistently typed value into Value")
	}
	if c.v != old || sim.GiveUp() {
		sim.Found(c.v, true, false)
		return false
	}
	sim.Found(c.v, true, true)
	c.v = new
	sim.Wrote(c.v)
	return true
}

func (c *Value) SimLoad() any   { return c.v }
func (c *Value) SimStore(v any) { c.v = v }
