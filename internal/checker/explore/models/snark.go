package models

import (
	"strings"

	"github.com/mapatom/mapatom/internal/checker/explore"
)

// The Snark deque is a doubly linked list with a hat on either end. A popped
// node points to itself on the side that it was popped from; the dummy node
// points to itself on both, so that a hat on either says that the deque is
// empty. Doherty et al. (2004, section 3) found two faults in it:
//
//  1. A pop reads a hat, and later finds that the node points to itself. By
//     then the node may have been popped from the other side, while the hat
//     has moved on and the deque is not empty.
//  2. A pop that has read the hat and the neighbour of its node is overtaken:
//     both are popped, and a slow pop moves the hat back onto the popped node,
//     whose neighbour is still the same. The value is popped a second time.
type snark struct {
	*explore.Model
	repair             snarkRepair
	leftHat, rightHat  explore.Variable
	dummy              explore.Variable // the node that ends the list; nodes have no fixed numbers
	value, left, right explore.Variable // of nodes
	taken              explore.Variable // of nodes: somebody has the value
	node, hat, other   explore.Variable // registers
	neighbour, popped  explore.Variable
}

// A snarkRepair says which of the faults are corrected.
type snarkRepair int

const (
	asPublished snarkRepair = iota
	rereadsHat              // the first: before it returns empty, a pop looks whether the hat has moved
	takesOnce               // both: a value belongs to the pop that marks its node
)

func snark1(b explore.Bounds) *explore.Model     { return newSnark("snark-1", b, asPublished) }
func snark2(b explore.Bounds) *explore.Model     { return newSnark("snark-2", b, rereadsHat) }
func snarkFixed(b explore.Bounds) *explore.Model { return newSnark("snark-fixed", b, takesOnce) }

// newSnark starts with two values in the deque, so that they need not be
// pushed first.
func newSnark(name string, b explore.Bounds, repair snarkRepair) *explore.Model {
	s := &snark{Model: explore.NewModel(name, b, explore.NewDeque(1, 2)), repair: repair}
	s.leftHat, s.rightHat, s.dummy = s.Shared(explore.Pointer), s.Shared(explore.Pointer), s.Shared(explore.Pointer)
	heap := s.Heap(3 + b.Threads*b.Operations)
	s.value, s.left, s.right = heap.Field(explore.Value), heap.Field(explore.Pointer), heap.Field(explore.Pointer)
	if repair == takesOnce {
		s.taken = heap.Field(explore.UpTo(1))
	}
	s.node, s.hat, s.other = s.Local(explore.Pointer), s.Local(explore.Pointer), s.Local(explore.Pointer)
	s.neighbour, s.popped = s.Local(explore.Pointer), s.Local(explore.Value)
	s.Init(s.twoValues)
	fromRight := snarkSide{s.rightHat, s.leftHat, s.right, s.left,
		strings.NewReplacer("MINE", "rightHat", "OTHER", "leftHat", "OUT", "R", "IN", "L")}
	fromLeft := snarkSide{s.leftHat, s.rightHat, s.left, s.right,
		strings.NewReplacer("MINE", "leftHat", "OTHER", "rightHat", "OUT", "L", "IN", "R")}
	s.push("pushRight", fromRight)
	s.push("pushLeft", fromLeft)
	s.pop("popRight", fromRight)
	s.pop("popLeft", fromLeft)
	return s.Model
}

// twoValues makes the list of 1 and 2.
func (s *snark) twoValues(x *explore.Thread) {
	const dummy, a, b = 1, 2, 3
	for node, w := range map[byte][3]byte{dummy: {0, dummy, dummy}, a: {1, dummy, b}, b: {2, a, dummy}} {
		x.Set(s.value.Of(node), w[0])
		x.Set(s.left.Of(node), w[1])
		x.Set(s.right.Of(node), w[2])
	}
	x.Set(s.dummy, dummy)
	x.Set(s.leftHat, a)
	x.Set(s.rightHat, b)
}

// A snarkSide is an end of the deque: names are as seen from there.
type snarkSide struct {
	myHat, otherHat explore.Variable
	out, in         explore.Variable // fields: away from the deque, and into it
	text            *strings.Replacer
}

// restart forgets what the operation has read, and goes back.
func (s *snark) restart(x *explore.Thread, l explore.Label) {
	x.Forget(s.hat, s.other, s.neighbour)
	x.Goto(l)
}

func (s *snark) push(name string, e snarkSide) {
	text := e.text.Replace
	s.Method(name, explore.Fresh, explore.UpTo(0))
	s.Private("node := new(v)", func(x *explore.Thread) {
		n := x.New()
		x.Set(s.node, n)
		x.Set(s.value.Of(n), x.Argument())
		x.Set(e.out.Of(n), x.Get(s.dummy))
	})
	retry := s.Atomic(text("hat := MINE"), func(x *explore.Thread) { x.Set(s.hat, x.Get(e.myHat)) })
	var onto explore.Label
	s.Atomic(text("next := hat.OUT"), func(x *explore.Thread) {
		next := x.Get(e.out.Of(x.Get(s.hat)))
		if next != x.Get(s.hat) {
			x.Set(s.neighbour, next)
			x.Goto(onto)
		}
	})
	s.Atomic(text("empty: other := OTHER"), func(x *explore.Thread) {
		x.Set(e.in.Of(x.Get(s.node)), x.Get(s.dummy))
		x.Set(s.other, x.Get(e.otherHat))
	})
	link := func(second func(*explore.Thread) (explore.Variable, byte)) func(*explore.Thread) {
		return func(x *explore.Thread) {
			n := x.Get(s.node)
			v, old := second(x)
			if x.DCAS(e.myHat, v, x.Get(s.hat), old, n, n) {
				x.Return()
				return
			}
			x.Set(e.in.Of(n), 0)
			s.restart(x, retry)
		}
	}
	s.Atomic(text("DCAS(MINE, OTHER; hat, other; node, node)"),
		link(func(x *explore.Thread) (explore.Variable, byte) { return e.otherHat, x.Get(s.other) }))
	onto = s.Private(text("node.IN := hat"), func(x *explore.Thread) { x.Set(e.in.Of(x.Get(s.node)), x.Get(s.hat)) })
	s.Atomic(text("DCAS(MINE, hat.OUT; hat, next; node, node)"),
		link(func(x *explore.Thread) (explore.Variable, byte) { return e.out.Of(x.Get(s.hat)), x.Get(s.neighbour) }))
}

func (s *snark) pop(name string, e snarkSide) {
	text := e.text.Replace
	s.Method(name, explore.NoArgument, explore.Value)
	retry := s.Atomic(text("hat := MINE"), func(x *explore.Thread) { x.Set(s.hat, x.Get(e.myHat)) })
	s.Atomic(text("other := OTHER"), func(x *explore.Thread) { x.Set(s.other, x.Get(e.otherHat)) })
	var only, more, take explore.Label
	s.Atomic(text("is hat.OUT = hat?"), func(x *explore.Thread) {
		hat := x.Get(s.hat)
		switch {
		case x.Get(e.out.Of(hat)) != hat && hat == x.Get(s.other):
			x.Goto(only)
		case x.Get(e.out.Of(hat)) != hat:
			x.Forget(s.other)
			x.Goto(more)
		case s.repair == asPublished:
			x.Return(0)
		default:
			x.Forget(s.other)
		}
	})
	if s.repair != asPublished {
		s.Atomic(text("is MINE = hat?"), func(x *explore.Thread) {
			if x.Get(e.myHat) == x.Get(s.hat) {
				x.Return(0)
				return
			}
			s.restart(x, retry)
		})
	}
	only = s.Atomic(text("DCAS(MINE, OTHER; hat, hat; dummy, dummy)"), func(x *explore.Thread) {
		hat, dummy := x.Get(s.hat), x.Get(s.dummy)
		switch {
		case !x.DCAS(e.myHat, e.otherHat, hat, hat, dummy, dummy):
			s.restart(x, retry)
		case s.repair == takesOnce:
			x.Forget(s.other)
			x.Goto(take)
		default:
			x.Return(x.Get(s.value.Of(hat))) // nobody writes it again
		}
	})
	more = s.Atomic(text("next := hat.IN"), func(x *explore.Thread) { x.Set(s.neighbour, x.Get(e.in.Of(x.Get(s.hat)))) })
	s.Atomic(text("DCAS(MINE, hat.IN; hat, next; next, hat)"), func(x *explore.Thread) {
		hat, next := x.Get(s.hat), x.Get(s.neighbour)
		if !x.DCAS(e.myHat, e.in.Of(hat), hat, next, next, hat) {
			s.restart(x, retry)
			return
		}
		x.Forget(s.neighbour)
		if s.repair != takesOnce {
			x.Set(s.popped, x.Get(s.value.Of(hat)))
		}
	})
	if s.repair == takesOnce {
		take = s.Atomic("CAS(hat.taken, no, yes)", func(x *explore.Thread) {
			hat := x.Get(s.hat)
			if !x.CAS(s.taken.Of(hat), 0, 1) {
				s.restart(x, retry)
				return
			}
			x.Set(s.popped, x.Get(s.value.Of(hat)))
		})
	}
	s.Atomic(text("hat.OUT := dummy, return hat.V"), func(x *explore.Thread) {
		x.Set(e.out.Of(x.Get(s.hat)), x.Get(s.dummy))
		x.Return(x.Get(s.popped))
	})
}
