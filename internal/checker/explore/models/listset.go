package models

import "github.com/mapatom/mapatom/internal/checker/explore"

// listSet is a set as a sorted list between two sentinels, in the way of the
// sets that Vechev, Yahav and Yorsh check: threads go through the list without
// synchronization, and change it in a short atomic section that first looks
// whether the two nodes are still neighbours and the first not removed. Where
// a contains, or a change that fails, takes effect depends on what others do
// later, so there are no fixed linearization points.
func listSet(b explore.Bounds) *explore.Model { return newListSet("list-set", b, true) }

// listSetUnmarked does not mark what it removes: an add can link its node
// behind one that is out of the list, where nobody finds it.
func listSetUnmarked(b explore.Bounds) *explore.Model {
	return newListSet("list-set-unmarked", b, false)
}

// listKeys is how many different keys are used.
const listKeys = 2

func newListSet(name string, b explore.Bounds, marks bool) *explore.Model {
	const headNode, tailNode = 1, 2
	m := explore.NewModel(name, b, explore.NewSet())
	heap := m.Heap(2 + b.Threads*b.Operations)
	root := m.Shared(explore.Pointer)
	key, next, removed := heap.Field(explore.UpTo(listKeys+1)), heap.Field(explore.Pointer), heap.Field(explore.UpTo(1))
	before, at, node := m.Local(explore.Pointer), m.Local(explore.Pointer), m.Local(explore.Pointer)
	m.Init(func(x *explore.Thread) {
		x.Set(root, headNode)
		x.Set(next.Of(headNode), tailNode)
		x.Set(key.Of(tailNode), listKeys+1)
	})

	// locate leaves the first node whose key is not less in at, and the one
	// before it in before.
	locate := func() explore.Label {
		start := m.Private("before := head", func(x *explore.Thread) { x.Set(before, x.Get(root)) })
		step := m.Atomic("at := before.next", func(x *explore.Thread) { x.Set(at, x.Get(next.Of(x.Get(before)))) })
		m.Private("if at.key < k, go on", func(x *explore.Thread) {
			if x.Get(key.Of(x.Get(at))) < x.Argument() {
				x.Set(before, x.Get(at))
				x.Forget(at)
				x.Goto(step)
			}
		})
		return start
	}
	valid := func(x *explore.Thread) bool {
		return x.Get(next.Of(x.Get(before))) == x.Get(at) && x.Get(removed.Of(x.Get(before))) == 0
	}
	again := func(x *explore.Thread, start explore.Label) {
		x.Forget(before, at, node)
		x.Goto(start)
	}

	m.Method("add", explore.UpToArgument(listKeys), explore.UpTo(1))
	start := locate()
	m.Atomic("atomic: if still neighbours, link a node or fail", func(x *explore.Thread) {
		switch {
		case !valid(x):
			again(x, start)
		case x.Get(key.Of(x.Get(at))) == x.Argument():
			x.Return(0)
		default:
			n := x.New()
			x.Set(key.Of(n), x.Argument())
			x.Set(next.Of(n), x.Get(at))
			x.Set(next.Of(x.Get(before)), n)
			x.Return(1)
		}
	})

	m.Method("remove", explore.UpToArgument(listKeys), explore.UpTo(1))
	startRemove := locate()
	m.Atomic("atomic: if still neighbours, unlink the node or fail", func(x *explore.Thread) {
		switch {
		case !valid(x):
			again(x, startRemove)
		case x.Get(key.Of(x.Get(at))) != x.Argument():
			x.Return(0)
		default:
			if marks {
				x.Set(removed.Of(x.Get(at)), 1)
			}
			x.Set(next.Of(x.Get(before)), x.Get(next.Of(x.Get(at))))
			x.Return(1)
		}
	})

	m.Method("contains", explore.UpToArgument(listKeys), explore.UpTo(1))
	locate()
	m.Private("return at.key = k", func(x *explore.Thread) {
		if x.Get(key.Of(x.Get(at))) == x.Argument() {
			x.Return(1)
			return
		}
		x.Return(0)
	})
	return m
}
