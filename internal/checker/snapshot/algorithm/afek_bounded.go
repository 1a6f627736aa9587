package algorithm

// The bounded algorithm has, in place of numbers, a bit that each update of a
// process toggles, and for every pair of processes a handshake: a scan copies
// the updater's bit before it reads the registers, and an update sets it to
// the opposite of the scanner's.
var afekBoundedInfo = Info{
	Name: "afek-bounded", Title: "Afek et al., bounded (1993)",
	Bug:    "an update copies the handshake bits of the scanners and does not negate them",
	create: func(l *layout) program { l.fix(0, 8, 14); return &afekBounded{l} },
}

type afekBounded struct{ *layout }

// Own, beside value and view: the handshake bits of the register, the toggle,
// and the handshake bits of the process's scans, which are registers of their
// own.
const (
	afekP      = 3 // view: p[me][j]
	afekQ      = 5 // view: q[me][j]
	afekToggle = 7
)

// Local, beside those of the unbounded algorithm. afekSame has the registers
// whose handshake bit was still the copy when a was read.
const (
	afekToggles = 10 // view: the toggles in a
	afekNew     = 12 // view: handshake bits that an update is to write
)

// afekCopy is the bit of afekFlags that a handshake copies.
const afekCopy = 4

const (
	afekBoundedStart byte = iota
	afekBoundedUpdate
	afekBoundedRead
	afekBoundedCopy
	afekBoundedFirst
	afekBoundedSecond
	afekBoundedWrite
)

func (f *afekBounded) init([]byte)   {}
func (f *afekBounded) idle(int) bool { return false }

func (f *afekBounded) step(x *Thread) {
	if x.pc == afekBoundedStart {
		x.local[afekIndex] = f.next(x.p, 0)
		if x.pc = afekBoundedUpdate; x.op == Scan {
			x.pc = afekBoundedRead
		}
	}
	switch j := int(x.local[afekIndex]); x.pc {
	case afekBoundedUpdate:
		bit := at(f.ownOf(x.state, j), afekQ).Bit(x.p)
		x.say("q[%d][%d] is %d", j, x.p, bit)
		if !f.Buggy {
			bit ^= 1
		}
		put(x.local, afekNew, at(x.local, afekNew).With(j, bit))
		f.advance(x, afekBoundedUpdate, afekBoundedRead)
	case afekBoundedRead:
		bit := at(f.ownOf(x.state, j), afekP).Bit(x.p)
		x.say("p[%d][%d] is %d", j, x.p, bit)
		x.local[afekFlags] = x.local[afekFlags]&^afekCopy | bit*afekCopy
		x.pc = afekBoundedCopy
	case afekBoundedCopy:
		bit := x.local[afekFlags] / afekCopy & 1
		put(x.own, afekQ, at(x.own, afekQ).With(j, bit))
		x.say("q[%d][%d] := %d", x.p, j, bit)
		x.local[afekFlags] &^= afekCopy
		f.advance(x, afekBoundedRead, afekBoundedFirst)
	case afekBoundedFirst:
		f.first(x, j)
	case afekBoundedSecond:
		f.second(x, j)
	case afekBoundedWrite:
		f.write(x)
	}
}

// private: the registers of a process that does nothing do not change, and it
// reads none.
func (f *afekBounded) private(state []byte, p int) bool {
	pc, j := state[f.layout.first+p*f.block+blockPC], int(f.localOf(state, p)[afekIndex])
	return pc != afekBoundedStart && pc != afekBoundedWrite && f.acting.Bit(j) == 0 &&
		!(pc == afekBoundedSecond && f.next(p, byte(j+1)) == byte(f.Processes))
}

// advance goes on to the next process in the same loop, or, after the last, to
// what follows, and reports whether it did the latter.
func (f *afekBounded) advance(x *Thread, same, then byte) bool {
	x.pc = same
	if x.local[afekIndex] = f.next(x.p, x.local[afekIndex]+1); int(x.local[afekIndex]) < f.Processes {
		return false
	}
	x.pc, x.local[afekIndex] = then, f.next(x.p, 0)
	return true
}

// first reads a register of the first collect.
func (f *afekBounded) first(x *Thread, j int) {
	r := f.ownOf(x.state, j)
	p := at(r, afekP).Bit(x.p)
	x.say("read r[%d]: p[%d] is %d, toggle %d", j, x.p, p, r[afekToggle])
	if p == at(x.own, afekQ).Bit(j) {
		put(x.local, afekSame, at(x.local, afekSame)|1<<j)
		put(x.local, afekToggles, at(x.local, afekToggles).With(j, r[afekToggle]))
	}
	f.advance(x, afekBoundedFirst, afekBoundedSecond)
}

// second reads a register of the second collect, and decides at its end.
func (f *afekBounded) second(x *Thread, j int) {
	r := f.ownOf(x.state, j)
	same, toggles := at(x.local, afekSame), at(x.local, afekToggles)
	p := at(r, afekP).Bit(x.p)
	x.say("read r[%d] again: p[%d] is %d, toggle %d, value %d", j, x.p, p, r[afekToggle], r[afekValue])
	still := same.Bit(j) == 1 && p == at(x.own, afekQ).Bit(j) && toggles.Bit(j) == r[afekToggle]
	put(x.local, afekSame, same&^(1<<j))
	put(x.local, afekToggles, toggles&^(1<<j))
	f.collected(x, j, !still, r)
	if f.advance(x, afekBoundedSecond, afekBoundedFirst) {
		f.decide(x, afekBoundedRead, afekBoundedWrite)
	}
}

// write is the end of an update.
func (f *afekBounded) write(x *Thread) {
	x.own[afekValue] = byte(x.op)
	put(x.own, afekView, at(x.local, afekRead))
	put(x.own, afekP, at(x.local, afekNew))
	x.own[afekToggle] ^= 1
	x.say("r[%d] := %d, p %b, toggle %d, view %b", x.p, x.op, at(x.own, afekP), x.own[afekToggle], at(x.own, afekView))
	x.finish(0)
}
