package models

import "github.com/mapatom/mapatom/internal/checker/explore"

// treiber is Treiber's stack where a node is kept as long as anyone refers to
// it.
func treiber(b explore.Bounds) *explore.Model { return newTreiber("treiber", b, false) }

// treiberABA is the stack where a popped node is freed at once. A pop that
// read the top and its successor and was then overtaken can find the same
// node on top again, and put a successor there that was popped long ago.
func treiberABA(b explore.Bounds) *explore.Model { return newTreiber("treiber-aba", b, true) }

func newTreiber(name string, b explore.Bounds, freed bool) *explore.Model {
	m := explore.NewModel(name, b, explore.NewStack())
	top := m.Shared(explore.Pointer)
	heap := m.Heap(b.Threads * b.Operations)
	value, next := heap.Field(explore.Value), heap.Field(explore.Pointer)
	if freed {
		heap.Manual()
	}
	node, old, below := m.Local(explore.Pointer), m.Local(explore.Pointer), m.Local(explore.Pointer)

	m.Method("push", explore.Fresh, explore.UpTo(0))
	allocate := func(x *explore.Thread) {
		x.Set(node, x.New())
		x.Set(value.Of(x.Get(node)), x.Argument())
	}
	if freed {
		m.Atomic("node := allocate(v)", allocate) // others may free a node first
	} else {
		m.Private("node := allocate(v)", allocate)
	}
	read := m.Atomic("old := top", func(x *explore.Thread) { x.Set(old, x.Get(top)) })
	m.Private("node.next := old", func(x *explore.Thread) { x.Set(next.Of(x.Get(node)), x.Get(old)) })
	m.Atomic("CAS(top, old, node)", func(x *explore.Thread) {
		if x.CAS(top, x.Get(old), x.Get(node)) {
			x.Point()
			x.Return()
			return
		}
		x.Set(next.Of(x.Get(node)), 0)
		x.Forget(old)
		x.Goto(read)
	})

	m.Method("pop", explore.NoArgument, explore.Value)
	again := m.Atomic("old := top", func(x *explore.Thread) {
		x.Set(old, x.Get(top))
		if x.Get(old) == 0 {
			x.Point()
			x.Return(0)
		}
	})
	m.Atomic("below := old.next", func(x *explore.Thread) { x.Set(below, x.Get(next.Of(x.Get(old)))) })
	m.Atomic("CAS(top, old, below)", func(x *explore.Thread) {
		if !x.CAS(top, x.Get(old), x.Get(below)) {
			x.Forget(old, below)
			x.Goto(again)
			return
		}
		x.Point()
		if !freed {
			x.Return(x.Get(value.Of(x.Get(old))))
		}
	})
	if freed {
		result := m.Local(explore.Value)
		m.Atomic("result := old.value", func(x *explore.Thread) {
			x.Set(result, x.Get(value.Of(x.Get(old))))
			x.Forget(below)
		})
		m.Atomic("free(old)", func(x *explore.Thread) {
			x.Free(x.Get(old))
			x.Return(x.Get(result))
		})
	}
	return m
}
