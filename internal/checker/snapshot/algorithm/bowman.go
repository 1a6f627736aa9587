package algorithm

// J. Bowman's obstruction-free algorithm ("Obstruction-free snapshot,
// obstruction-free consensus, and fetch-and-add modulo k", 2011), as algorithm
// 1 of the paper of package snapshot has it. A scan puts its name into Active,
// reads all segments, and is done if its name is still there; an update takes
// any name away before it writes.
var bowmanInfo = Info{
	Name: "bowman", Title: "Bowman, obstruction-free (2011)",
	Bug:    "a scan stops when any name is in Active, not only its own",
	create: func(l *layout) program { l.fix(3, 0, 3); return &bowman{l} },
}

type bowman struct{ *layout }

const (
	bowmanActive = 0 // a shared byte: process+1, 0 for none
	bowmanA      = 1 // shared, a view
	bowmanIndex  = 0 // a local byte
	bowmanView   = 1 // local
)

const (
	bowmanStart byte = iota
	bowmanWrite
	bowmanEnter
	bowmanRead
	bowmanCheck
)

func (b *bowman) init([]byte) {}

// idle is false: every update takes names away.
func (b *bowman) idle(int) bool { return false }

func (b *bowman) step(x *Thread) {
	switch {
	case x.pc == bowmanStart && x.op != Scan:
		x.shared[bowmanActive] = 0
		x.say("Active := none")
		if x.pc = bowmanWrite; !b.changes(x.p) {
			x.finish(0)
		}
	case x.pc == bowmanWrite:
		put(x.shared, bowmanA, at(x.shared, bowmanA).With(x.p, byte(x.op)))
		x.say("A[%d] := %d", x.p, x.op)
		x.finish(0)
	case x.pc == bowmanStart || x.pc == bowmanEnter:
		x.shared[bowmanActive] = byte(x.p + 1)
		clear(x.local)
		x.say("Active := %d", x.p)
		x.pc = bowmanRead
	case x.pc == bowmanRead:
		s := b.segments[x.local[bowmanIndex]]
		v := at(x.shared, bowmanA).Bit(s)
		x.say("A[%d] is %d", s, v)
		put(x.local, bowmanView, at(x.local, bowmanView).With(s, v))
		if x.local[bowmanIndex]++; int(x.local[bowmanIndex]) == len(b.segments) {
			x.local[bowmanIndex], x.pc = 0, bowmanCheck
		}
	case x.pc == bowmanCheck:
		b.check(x)
	}
}

// check ends the scan or starts it again.
func (b *bowman) check(x *Thread) {
	active := x.shared[bowmanActive]
	if active == 0 {
		x.say("Active is none")
	} else {
		x.say("Active is %d", active-1)
	}
	if active == byte(x.p+1) || b.Buggy && active != 0 {
		x.finish(at(x.local, bowmanView))
		return
	}
	clear(x.local)
	x.pc = bowmanEnter
}

// normalize has a scan whose name was taken away start again: it cannot come
// back, and what else the scan reads is of no use.
func (b *bowman) normalize(state []byte) {
	active := state[b.shared+bowmanActive]
	for p := range b.Processes {
		block := state[b.first+p*b.block:]
		if pc := block[blockPC]; !b.Buggy && !b.Full && (pc == bowmanRead || pc == bowmanCheck) && int(active) != p+1 {
			block[blockPC] = bowmanEnter
			clear(b.localOf(state, p))
		}
	}
}

func (b *bowman) rename(state []byte, to []uint8) {
	if active := &state[b.shared+bowmanActive]; *active != 0 {
		*active = to[*active-1] + 1
	}
}

// changes reports whether a segment can ever be other than 0.
func (l *layout) changes(segment int) bool {
	for _, s := range l.segments {
		if s == segment {
			return true
		}
	}
	return false
}
