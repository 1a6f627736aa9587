package models

import . "github.com/mapatom/mapatom/checker/explore"

// The Snark deque is a doubly linked list with a hat on either end. A popped
// node points to itself where it was popped from; the dummy node points to
// itself on both sides, so that a hat on either sort says that the deque is
// empty from there. Doherty et al. (2004) found two faults in it:
//
//  1. A pop reads a hat, and later finds that the node points to itself. By
//     then the node may have been popped from the other side, while the hat
//     has moved on and the deque is not empty.
//  2. A pop that has read the hat and the neighbour of the node is overtaken:
//     both are popped, and a slow pop moves the hat back onto the popped node,
//     whose neighbour is still the same. The value is popped a second time.
type snark struct {
	*Model
	repair             snarkRepair
	leftHat, rightHat  Variable
	dummy              Variable // the node that ends the list; nodes have no fixed numbers
	value, left, right Variable // of nodes
	claimed            Variable // of nodes: the value was taken
}

// snarkRepair says which of the faults are corrected.
type snarkRepair int

const (
	asPublished snarkRepair = iota
	rereadsHat              // the first: looks again whether the hat has moved
	claims                  // and the second: the value of a node is taken once
)

// snarkPublished starts with two values in the deque.
func snarkPublished(b Bounds) *Model { return newSnark("snark-1", b, asPublished) }
func snarkHalf(b Bounds) *Model      { return newSnark("snark-2", b, rereadsHat) }
func snarkFixed(b Bounds) *Model     { return newSnark("snark-fixed", b, claims) }

func newSnark(name string, b Bounds, repair snarkRepair) *Model {
	s := &snark{Model: NewModel(name, b, NewDeque(1, 2)), repair: repair}
	s.leftHat, s.rightHat, s.dummy = s.Shared(Pointer), s.Shared(Pointer), s.Shared(Pointer)
	heap := s.Heap(3 + b.Threads*b.Operations)
	s.value, s.left, s.right = heap.Field(Value), heap.Field(Pointer), heap.Field(Pointer)
	if repair == claims {
		s.claimed = heap.Field(UpTo(1))
	}
	s.Init(s.twoValues)
	registers := snarkRegisters{
		node: s.Local(Pointer), hat: s.Local(Pointer), other: s.Local(Pointer), neighbour: s.Local(Pointer), result: s.Local(Value),
	}
	fromRight := snarkSide{registers, s.rightHat, s.leftHat, s.right, s.left}
	fromLeft := snarkSide{registers, s.leftHat, s.rightHat, s.left, s.right}
	s.push("pushRight", fromRight)
	s.push("pushLeft", fromLeft)
	s.pop("popRight", fromRight)
	s.pop("popLeft", fromLeft)
	return s.Model
}

// twoValues makes the list of 1 and 2 between dummies.
func (s *snark) twoValues(x *Thread) {
	const dummy, a, b = 1, 2, 3
	x.Set(s.dummy, dummy)
	for node, w := range map[byte][3]byte{dummy: {0, dummy, dummy}, a: {1, dummy, b}, b: {2, a, dummy}} {
		x.Set(s.value.Of(node), w[0])
		x.Set(s.left.Of(node), w[1])
		x.Set(s.right.Of(node), w[2])
	}
	x.Set(s.leftHat, a)
	x.Set(s.rightHat, b)
}

// snarkRegisters are what a thread keeps.
type snarkRegisters struct{ node, hat, other, neighbour, result Variable }

// A snarkSide is an end of the deque: names are as seen from there.
type snarkSide struct {
	snarkRegisters
	myHat, otherHat Variable
	out, in         Variable // fields: away from the deque, and into it
}

func (s *snark) push(name string, e snarkSide) {
	s.Method(name, Fresh, UpTo(0))
	s.Private("node := new(v)", func(x *Thread) {
		n := x.New()
		x.Set(e.node, n)
		x.Set(s.value.Of(n), x.Argument())
		x.Set(e.out.Of(n), x.Get(s.dummy))
	})
	retry := s.Atomic("hat := myHat", func(x *Thread) { x.Set(e.hat, x.Get(e.myHat)) })
	var onto Label
	s.Atomic("out := hat.out", func(x *Thread) {
		x.Set(e.neighbour, x.Get(e.out.Of(x.Get(e.hat))))
		if x.Get(e.neighbour) != x.Get(e.hat) {
			x.Goto(onto)
			return
		}
		x.Forget(e.neighbour)
	})
	s.Atomic("other := otherHat", func(x *Thread) {
		x.Set(e.in.Of(x.Get(e.node)), x.Get(s.dummy))
		x.Set(e.other, x.Get(e.otherHat))
	})
	s.Atomic("DCAS(myHat, otherHat: hat, other → node, node)", func(x *Thread) {
		n := x.Get(e.node)
		if x.DCAS(e.myHat, e.otherHat, x.Get(e.hat), x.Get(e.other), n, n) {
			x.Return()
			return
		}
		x.Set(e.in.Of(n), 0)
		x.Forget(e.hat, e.other)
		x.Goto(retry)
	})
	onto = s.Private("node.in := hat", func(x *Thread) { x.Set(e.in.Of(x.Get(e.node)), x.Get(e.hat)) })
	s.Atomic("DCAS(myHat, hat.out: hat, out → node, node)", func(x *Thread) {
		n := x.Get(e.node)
		if x.DCAS(e.myHat, e.out.Of(x.Get(e.hat)), x.Get(e.hat), x.Get(e.neighbour), n, n) {
			x.Return()
			return
		}
		x.Set(e.in.Of(n), 0)
		x.Forget(e.hat, e.neighbour)
		x.Goto(retry)
	})
}

func (s *snark) pop(name string, e snarkSide) {
	s.Method(name, NoArgument, Value)
	retry := s.Atomic("hat := myHat", func(x *Thread) { x.Set(e.hat, x.Get(e.myHat)) })
	s.Atomic("other := otherHat", func(x *Thread) { x.Set(e.other, x.Get(e.otherHat)) })
	again := func(x *Thread) {
		x.Forget(e.hat, e.other, e.neighbour, e.result)
		x.Goto(retry)
	}
	var last, more, take Label
	s.Atomic("if hat.out = hat, the deque is empty", func(x *Thread) {
		hat := x.Get(e.hat)
		switch {
		case x.Get(e.out.Of(hat)) == hat:
			if s.repair == asPublished {
				x.Return(0)
			}
			x.Forget(e.other)
		case hat == x.Get(e.other):
			x.Goto(last)
		default:
			x.Forget(e.other)
			x.Goto(more)
		}
	})
	if s.repair != asPublished {
		s.Atomic("if myHat = hat, return empty", func(x *Thread) {
			if x.Get(e.myHat) == x.Get(e.hat) {
				x.Return(0)
				return
			}
			again(x)
		})
	}
	last = s.Atomic("DCAS(myHat, otherHat: hat, hat → dummy, dummy)", func(x *Thread) {
		hat := x.Get(e.hat)
		dummy := x.Get(s.dummy)
		if !x.DCAS(e.myHat, e.otherHat, hat, hat, dummy, dummy) {
			again(x)
			return
		}
		x.Forget(e.other)
		if s.repair == claims {
			x.Goto(take)
			return
		}
		x.Return(x.Get(s.value.Of(hat))) // nobody writes it again
	})
	more = s.Atomic("in := hat.in", func(x *Thread) { x.Set(e.neighbour, x.Get(e.in.Of(x.Get(e.hat)))) })
	s.Atomic("DCAS(myHat, hat.in: hat, in → in, hat)", func(x *Thread) {
		hat, in := x.Get(e.hat), x.Get(e.neighbour)
		if !x.DCAS(e.myHat, e.in.Of(hat), hat, in, in, hat) {
			again(x)
			return
		}
		x.Set(e.result, x.Get(s.value.Of(hat)))
		x.Forget(e.neighbour)
		if s.repair == claims {
			x.Forget(e.result)
		}
	})
	s.clean(e, &take, again)
}

// clean is what a pop does when its node is out of the deque.
func (s *snark) clean(e snarkSide, take *Label, again func(*Thread)) {
	if s.repair != claims {
		s.Atomic("hat.out := dummy, return hat.value", func(x *Thread) {
			x.Set(e.out.Of(x.Get(e.hat)), x.Get(s.dummy))
			x.Return(x.Get(e.result))
		})
		return
	}
	*take = s.Atomic("CAS(hat.claimed, no, yes)", func(x *Thread) {
		hat := x.Get(e.hat)
		if !x.CAS(s.claimed.Of(hat), 0, 1) {
			again(x)
			return
		}
		x.Set(e.result, x.Get(s.value.Of(hat)))
	})
	s.Atomic("hat.out := dummy, return hat.value", func(x *Thread) {
		x.Set(e.out.Of(x.Get(e.hat)), x.Get(s.dummy))
		x.Return(x.Get(e.result))
	})
}
