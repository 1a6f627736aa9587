package models

import "github.com/mapatom/mapatom/internal/checker/explore"

// msQueue is Michael and Scott's queue where a node is kept as long as anyone
// refers to it, so that it needs no counted pointers. An empty dequeue takes
// effect where it read that the head has no successor, if it finds later that
// the head is still the same.
func msQueue(b explore.Bounds) *explore.Model {
	m := explore.NewModel("ms-queue", b, explore.NewQueue())
	head, tail := m.Shared(explore.Pointer), m.Shared(explore.Pointer)
	heap := m.Heap(1 + b.Threads*b.Operations)
	value, next := heap.Field(explore.Value), heap.Field(explore.Pointer)
	node, first, last, after := m.Local(explore.Pointer), m.Local(explore.Pointer), m.Local(explore.Pointer), m.Local(explore.Pointer)
	m.Init(func(x *explore.Thread) {
		x.Set(head, 1)
		x.Set(tail, 1)
	})

	m.Method("enq", explore.Fresh, explore.UpTo(0))
	m.Private("node := new(v)", func(x *explore.Thread) {
		x.Set(node, x.New())
		x.Set(value.Of(x.Get(node)), x.Argument())
	})
	retry := m.Atomic("last := tail", func(x *explore.Thread) { x.Set(last, x.Get(tail)) })
	m.Atomic("after := last.next", func(x *explore.Thread) { x.Set(after, x.Get(next.Of(x.Get(last)))) })
	var help explore.Label
	m.Atomic("if last ≠ tail, start again", func(x *explore.Thread) {
		switch {
		case x.Get(last) != x.Get(tail):
			x.Forget(last, after)
			x.Goto(retry)
		case x.Get(after) != 0:
			x.Goto(help)
		}
	})
	m.Atomic("CAS(last.next, nil, node)", func(x *explore.Thread) {
		if x.CAS(next.Of(x.Get(last)), 0, x.Get(node)) {
			x.Point()
			return
		}
		x.Forget(last)
		x.Goto(retry)
	})
	m.Atomic("CAS(tail, last, node)", func(x *explore.Thread) {
		x.CAS(tail, x.Get(last), x.Get(node))
		x.Return()
	})
	help = m.Atomic("CAS(tail, last, after)", func(x *explore.Thread) {
		x.CAS(tail, x.Get(last), x.Get(after))
		x.Forget(last, after)
		x.Goto(retry)
	})

	m.Method("deq", explore.NoArgument, explore.Value)
	again := m.Atomic("first := head", func(x *explore.Thread) { x.Set(first, x.Get(head)) })
	m.Atomic("last := tail", func(x *explore.Thread) { x.Set(last, x.Get(tail)) })
	m.Atomic("after := first.next", func(x *explore.Thread) {
		x.Set(after, x.Get(next.Of(x.Get(first))))
		if x.Get(after) == 0 {
			x.Point()
		}
	})
	restart := func(x *explore.Thread) {
		x.Forget(first, last, after)
		x.Goto(again)
	}
	var behind explore.Label
	m.Atomic("if first ≠ head, start again", func(x *explore.Thread) {
		switch {
		case x.Get(first) != x.Get(head):
			restart(x)
		case x.Get(first) != x.Get(last):
			x.Forget(last)
		case x.Get(after) == 0:
			x.Return(0)
		default:
			x.Goto(behind)
		}
	})
	m.Atomic("CAS(head, first, after)", func(x *explore.Thread) {
		if !x.CAS(head, x.Get(first), x.Get(after)) {
			restart(x)
			return
		}
		x.Point()
		x.Return(x.Get(value.Of(x.Get(after)))) // nobody writes it again
	})
	behind = m.Atomic("CAS(tail, last, after)", func(x *explore.Thread) {
		x.CAS(tail, x.Get(last), x.Get(after))
		restart(x)
	})
	return m
}
