package models

import "github.com/mapatom/mapatom/internal/checker/explore"

// shann is the bounded queue of Shann, Huang and Chen. A dequeuer that finds
// its slot empty takes it that another one emptied it, and moves the front on
// for it. But it reads the slot before it looks whether the queue is empty: if
// a value is put in between, the front is moved past that value (Colvin and
// Groves 2005, section 3.3). An enqueuer can move the rear past an empty slot
// in the same way.
func shann(b explore.Bounds) *explore.Model { return newShann("shann-queue", b, false) }

// shannFixed looks whether the queue is empty, or full, and then reads the
// slot.
func shannFixed(b explore.Bounds) *explore.Model { return newShann("shann-queue-fixed", b, true) }

// shannCapacity is how many values the queue holds. With one slot it could not
// be in order, and with more it fills up only in long histories.
const shannCapacity = 2

func newShann(name string, b explore.Bounds, fixed bool) *explore.Model {
	m := explore.NewModel(name, b, explore.NewBoundedQueue(shannCapacity))
	count := explore.UpTo(uint8(b.Threads*b.Operations + shannCapacity))
	front, rear := m.Shared(count), m.Shared(count)
	slot := m.SharedArray(shannCapacity, explore.Value)
	version := m.SharedArray(shannCapacity, count)
	at, value, seen, other := m.Local(count), m.Local(explore.Value), m.Local(count), m.Local(count)

	readSlot := func(x *explore.Thread) {
		i := int(x.Get(at)) % shannCapacity
		x.Set(value, x.Get(slot.At(i)))
		x.Set(seen, x.Get(version.At(i)))
	}
	// change is CAS of a slot and its version.
	change := func(x *explore.Thread, to byte) bool {
		i := int(x.Get(at)) % shannCapacity
		return x.DCAS(slot.At(i), version.At(i), x.Get(value), x.Get(seen), to, x.Get(seen)+1)
	}
	restart := func(x *explore.Thread, l explore.Label) {
		x.Forget(at, value, seen, other)
		x.Goto(l)
	}

	m.Method("enq", explore.Fresh, explore.UpTo(1))
	enq := m.Atomic("at := rear", func(x *explore.Thread) { x.Set(at, x.Get(rear)) })
	isFull := func(x *explore.Thread) {
		if x.Get(at) == x.Get(front)+shannCapacity {
			x.Return(0)
		}
	}
	if fixed {
		m.Atomic("if at = front+capacity, return full", isFull)
	}
	m.Atomic("value, version := slot[at]", readSlot)
	m.Atomic("if at ≠ rear, start again", func(x *explore.Thread) {
		if x.Get(at) != x.Get(rear) {
			restart(x, enq)
		}
	})
	if !fixed {
		m.Atomic("if at = front+capacity, return full", isFull)
	}
	var helpRear explore.Label
	m.Private("if value ≠ null, help", func(x *explore.Thread) {
		if x.Get(value) != 0 {
			x.Forget(value, seen)
			x.Goto(helpRear)
		}
	})
	m.Atomic("CAS(slot[at], null, v)", func(x *explore.Thread) {
		if !change(x, x.Argument()) {
			restart(x, enq)
		}
	})
	m.Atomic("CAS(rear, at, at+1)", func(x *explore.Thread) {
		x.CAS(rear, x.Get(at), x.Get(at)+1)
		x.Return(1)
	})
	helpRear = m.Atomic("CAS(rear, at, at+1), start again", func(x *explore.Thread) {
		x.CAS(rear, x.Get(at), x.Get(at)+1)
		restart(x, enq)
	})

	m.Method("deq", explore.NoArgument, explore.Value)
	deq := m.Atomic("at := front", func(x *explore.Thread) { x.Set(at, x.Get(front)) })
	isEmpty := func(x *explore.Thread) {
		if x.Get(at) == x.Get(rear) {
			x.Return(0)
		}
	}
	if fixed {
		m.Atomic("if at = rear, return empty", isEmpty)
	}
	m.Atomic("value, version := slot[at]", readSlot)
	m.Atomic("if at ≠ front, start again", func(x *explore.Thread) {
		if x.Get(at) != x.Get(front) {
			restart(x, deq)
		}
	})
	if !fixed {
		m.Atomic("if at = rear, return empty", isEmpty)
	}
	var helpFront explore.Label
	m.Private("if value = null, help", func(x *explore.Thread) {
		if x.Get(value) == 0 {
			x.Forget(seen)
			x.Goto(helpFront)
		}
	})
	m.Atomic("CAS(slot[at], value, null)", func(x *explore.Thread) {
		if !change(x, 0) {
			restart(x, deq)
		}
	})
	m.Atomic("CAS(front, at, at+1)", func(x *explore.Thread) {
		x.CAS(front, x.Get(at), x.Get(at)+1)
		x.Return(x.Get(value))
	})
	helpFront = m.Atomic("CAS(front, at, at+1), start again", func(x *explore.Thread) {
		x.CAS(front, x.Get(at), x.Get(at)+1)
		restart(x, deq)
	})
	return m
}
