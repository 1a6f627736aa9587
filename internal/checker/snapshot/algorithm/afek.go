package algorithm

// The two single-writer algorithms of Y. Afek, H. Attiya, D. Dolev, E. Gafni,
// M. Merritt and N. Shavit, "Atomic snapshots of shared memory" (JACM 40,
// 1993). A scan reads all registers twice and is done if nothing moved in
// between; a process that was seen to move twice has done a whole scan
// meanwhile, since an update begins with one and leaves its view in the
// register, and that view will do.
//
// What a process reads of its own register it knows, and so it reads the
// others only.

// The unbounded algorithm numbers the updates of each process. A scan learns
// of the numbers only whether that of a register is the one that it read there
// before, and since they grow, what has become different stays different. So
// each process has a bit for every register that it read, which an update of
// the register clears: this is exact, and the states are finitely many.
var afekUnboundedInfo = Info{
	Name: "afek-unbounded", Title: "Afek et al., unbounded (1993)",
	Bug:    "an update does not increment its sequence number",
	create: func(l *layout) program { l.fix(0, 3, 10); return &afekUnbounded{l} },
}

type afekUnbounded struct{ *layout }

// Own: the value and the view of the register. The number is in the bits of
// its readers.
const (
	afekValue = 0
	afekView  = 1
)

// Local variables. Those of the two algorithms have the same places.
const (
	afekIndex  = 0 // the register to be read next
	afekSame   = 1 // view: registers whose number is the one in a
	afekMoved  = 3 // view: processes that were seen to move once
	afekRead   = 5 // view: the values in b
	afekBorrow = 7 // view: that of a register that moved twice
	afekFlags  = 9
)

// The bits of afekFlags.
const (
	afekChanged  = 1 // something moved between a and b
	afekBorrowed = 2 // afekBorrow is there
)

// The program: which of the two collects it is in, and then the update's
// write. A step that is not within a collect begins one.
const (
	afekStart byte = iota
	afekFirst
	afekSecond
	afekWrite
)

func (f *afekUnbounded) init([]byte)   {}
func (f *afekUnbounded) idle(int) bool { return false }

func (f *afekUnbounded) step(x *Thread) {
	switch x.pc {
	case afekStart:
		x.pc, x.local[afekIndex] = afekFirst, f.next(x.p, 0)
		f.first(x)
	case afekFirst:
		f.first(x)
	case afekSecond:
		f.second(x)
	case afekWrite:
		f.write(x)
	}
}

// next is the first process from p on that is not me, Processes if there is
// none.
func (l *layout) next(me int, p byte) byte {
	if int(p) == me {
		p++
	}
	return p
}

// first reads a register of the first collect.
func (f *afekUnbounded) first(x *Thread) {
	j := x.local[afekIndex]
	put(x.local, afekSame, at(x.local, afekSame)|1<<j)
	x.say("read r[%d]", j)
	if x.local[afekIndex] = f.next(x.p, j+1); int(x.local[afekIndex]) == f.Processes {
		x.pc, x.local[afekIndex] = afekSecond, f.next(x.p, 0)
	}
}

// second reads a register of the second collect, and decides at its end.
func (f *afekUnbounded) second(x *Thread) {
	j := int(x.local[afekIndex])
	r := f.ownOf(x.state, j)
	same := at(x.local, afekSame)
	if same.Bit(j) == 0 {
		x.say("r[%d] has moved", j)
	} else {
		x.say("r[%d] has not moved: %d", j, r[afekValue])
	}
	f.collected(x, j, same.Bit(j) == 0, r)
	put(x.local, afekSame, same&^(1<<j))
	if x.local[afekIndex] = f.next(x.p, byte(j+1)); int(x.local[afekIndex]) == f.Processes {
		f.decide(x, afekFirst, afekWrite)
	}
}

// collected takes up what the second collect read of process j.
func (l *layout) collected(x *Thread, j int, moved bool, r []byte) {
	v := &x.local[afekFlags]
	if !moved {
		if *v&afekChanged == 0 {
			put(x.local, afekRead, at(x.local, afekRead).With(j, r[afekValue]))
		}
		return
	}
	// What was read will not be returned.
	*v |= afekChanged
	put(x.local, afekRead, 0)
	seen := at(x.local, afekMoved)
	if seen.Bit(j) == 1 && *v&afekBorrowed == 0 {
		*v |= afekBorrowed
		put(x.local, afekBorrow, at(r, afekView))
	}
	put(x.local, afekMoved, seen|1<<j)
}

// decide ends a scan after its second collect, or begins another pair at the
// point again. An update goes on to its write.
func (l *layout) decide(x *Thread, again, write byte) {
	v := at(x.local, afekRead).With(x.p, x.own[afekValue])
	switch x.local[afekFlags] & (afekChanged | afekBorrowed) {
	case afekChanged:
		x.pc, x.local[afekIndex] = again, l.next(x.p, 0)
		x.local[afekFlags] &^= afekChanged
		return
	case afekChanged | afekBorrowed:
		v = at(x.local, afekBorrow)
	}
	if x.op == Scan {
		x.finish(v)
		return
	}
	clear(x.local[:afekFlags])
	x.local[afekFlags] &^= afekChanged | afekBorrowed
	put(x.local, afekRead, v)
	x.pc = write
}

// private: the register of a process that does nothing does not change.
func (f *afekUnbounded) private(state []byte, p int) bool {
	pc, j := state[f.layout.first+p*f.block+blockPC], int(f.localOf(state, p)[afekIndex])
	return pc != afekStart && pc != afekWrite && f.acting.Bit(j) == 0 && !(pc == afekSecond && f.next(p, byte(j+1)) == byte(f.Processes))
}

// write is the end of an update.
func (f *afekUnbounded) write(x *Thread) {
	x.own[afekValue] = byte(x.op)
	put(x.own, afekView, at(x.local, afekRead))
	x.say("r[%d] := %d, number + 1, view %b", x.p, x.op, at(x.local, afekRead))
	if !f.Buggy {
		for q := range f.Processes {
			local := f.localOf(x.state, q)
			put(local, afekSame, at(local, afekSame)&^(1<<x.p))
		}
	}
	x.finish(0)
}

// localOf gives the local variables of a process.
func (l *layout) localOf(state []byte, p int) []byte {
	at := l.first + p*l.block + blockOwn + l.own
	return state[at : at+l.local : at+l.local]
}
