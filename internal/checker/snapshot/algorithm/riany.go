package algorithm

// The coordinated collect of Y. Riany, N. Shavit and D. Touitou ("Towards a
// practical snapshot algorithm", TCS 269, 2001), unbounded. Snapshots have
// numbers. A segment has its last value, with the number that the writer saw,
// and the value that it had before that number: snapshot s takes the last value
// if its number is smaller than s, else the one before. All scanners collect
// snapshot s together, into cells that are filled once; a scan completes the
// current snapshot, begins the next one, which then began after the scan did,
// and completes that. The cells of a snapshot are here compare-and-swap
// registers, one for each segment and number; the paper has n rows of them that
// are used again.
//
// Numbers are only compared, and so only their order is kept: those that a
// process holds, and the current one, are renumbered from 1. The number of a
// segment is replaced by the largest of these that it is not smaller than, or 0,
// which compares alike with all of them: see normalize.
var rianyInfo = Info{
	Name: "riany", Title: "Riany et al., coordinated collect (2001)",
	Bug: "a scan that is too late to fill a cell keeps the value that it has read itself",
	create: func(l *layout) program {
		l.fix(1+rianyRow*(l.Processes+3), 3, 6)
		return &riany{l}
	},
}

type riany struct{ *layout }

// Shared: the current number, and for every number a row of cells.
const (
	rianyNumber = 0
	rianyRows   = 1
	rianyRow    = 4 // two views: the cells that are filled, and their values
)

// Own registers: the segment.
const (
	rianyHigh   = 0
	rianyStamp  = 1
	rianyLow    = 2
	rianyHeld   = 0 // local: the number that the process works on, 0 for none
	rianyIndex  = 1
	rianySecond = 2 // the scan's second collect
	rianyFound  = 3 // the value for a cell
	rianyView   = 4
)

const (
	rianyStart byte = iota
	rianyWriteLow
	rianyWriteHigh
	rianyBegin
	rianyCell
	rianyReadHigh
	rianyReadLow
	rianyFill
	rianyAgain
	rianyNext
)

func (r *riany) init(state []byte) { state[r.shared+rianyNumber] = 1 }
func (r *riany) idle(p int) bool   { return !r.changes(p) }
func (r *riany) row(n byte) int    { return rianyRows + rianyRow*int(n) }

// rianySteps has the code of each step.
var rianySteps = [...]func(*riany, *Thread){
	rianyStart: (*riany).start, rianyWriteLow: (*riany).writeLow, rianyWriteHigh: (*riany).writeHigh,
	rianyBegin: (*riany).begin, rianyCell: (*riany).cell, rianyReadHigh: (*riany).readHigh, rianyReadLow: (*riany).readLow,
	rianyFill: (*riany).fill, rianyAgain: (*riany).again, rianyNext: (*riany).next,
}

func (r *riany) step(x *Thread) { rianySteps[x.pc](r, x) }

// start reads the current number, which every operation does first.
func (r *riany) start(x *Thread) {
	if x.op == Scan {
		r.begin(x)
		return
	}
	x.local[rianyHeld] = x.shared[rianyNumber]
	x.say("number is %d", x.local[rianyHeld])
	if x.pc = rianyWriteHigh; x.own[rianyStamp] != x.local[rianyHeld] {
		x.pc = rianyWriteLow
	}
}

func (r *riany) writeLow(x *Thread) {
	x.own[rianyLow] = x.own[rianyHigh]
	x.say("low[%d] := %d", x.p, x.own[rianyLow])
	x.pc = rianyWriteHigh
}

func (r *riany) writeHigh(x *Thread) {
	x.own[rianyHigh], x.own[rianyStamp] = byte(x.op), x.local[rianyHeld]
	x.say("high[%d] := %d, number %d", x.p, x.op, x.own[rianyStamp])
	x.finish(0)
}

// begin starts a collect of the current snapshot.
func (r *riany) begin(x *Thread) {
	x.local[rianyHeld], x.local[rianyIndex] = x.shared[rianyNumber], 0
	put(x.local, rianyView, 0)
	x.say("number is %d", x.local[rianyHeld])
	x.pc = rianyCell
}

// cell looks whether there is something to do for a segment.
func (r *riany) cell(x *Thread) {
	s, row := r.segments[x.local[rianyIndex]], r.row(x.local[rianyHeld])
	if at(x.shared, row).Bit(s) == 0 {
		x.say("cell %d of snapshot %d is empty", s, x.local[rianyHeld])
		x.pc = rianyReadHigh
		return
	}
	v := at(x.shared, row+2).Bit(s)
	x.say("cell %d of snapshot %d is %d", s, x.local[rianyHeld], v)
	r.got(x, v)
}

func (r *riany) readHigh(x *Thread) {
	s := r.segments[x.local[rianyIndex]]
	own := r.ownOf(x.state, s)
	x.say("high[%d] is %d, number %d", s, own[rianyHigh], own[rianyStamp])
	if x.pc = rianyReadLow; own[rianyStamp] < x.local[rianyHeld] {
		x.local[rianyFound], x.pc = own[rianyHigh], rianyFill
	}
}

func (r *riany) readLow(x *Thread) {
	s := r.segments[x.local[rianyIndex]]
	x.local[rianyFound] = r.ownOf(x.state, s)[rianyLow]
	x.say("low[%d] is %d", s, x.local[rianyFound])
	x.pc = rianyFill
}

func (r *riany) fill(x *Thread) {
	s, row := r.segments[x.local[rianyIndex]], r.row(x.local[rianyHeld])
	filled, v := at(x.shared, row), x.local[rianyFound]
	x.say("CAS(cell %d of snapshot %d, empty, %d): %t", s, x.local[rianyHeld], v, filled.Bit(s) == 0)
	if filled.Bit(s) == 1 && !r.Buggy {
		x.local[rianyFound], x.pc = 0, rianyAgain
		return
	}
	if filled.Bit(s) == 0 {
		put(x.shared, row, filled|1<<s)
		put(x.shared, row+2, at(x.shared, row+2).With(s, v))
	}
	r.got(x, v)
}

// again reads what another scan has filled in.
func (r *riany) again(x *Thread) {
	s := r.segments[x.local[rianyIndex]]
	v := at(x.shared, r.row(x.local[rianyHeld])+2).Bit(s)
	x.say("cell %d of snapshot %d is %d", s, x.local[rianyHeld], v)
	r.got(x, v)
}

// got takes up the value of a segment, and goes on to the next one. The values
// of the first collect are not needed.
func (r *riany) got(x *Thread, v byte) {
	if x.local[rianySecond] == 1 {
		put(x.local, rianyView, at(x.local, rianyView).With(r.segments[x.local[rianyIndex]], v))
	}
	x.local[rianyFound], x.pc = 0, rianyCell
	if x.local[rianyIndex]++; int(x.local[rianyIndex]) < len(r.segments) {
		return
	}
	if x.local[rianySecond] == 1 {
		x.finish(at(x.local, rianyView))
		return
	}
	x.local[rianyIndex], x.local[rianySecond], x.pc = 0, 1, rianyNext
}

// next begins the next snapshot, unless somebody has.
func (r *riany) next(x *Thread) {
	ok := x.shared[rianyNumber] == x.local[rianyHeld]
	x.say("CAS(number, %d, %d): %t", x.local[rianyHeld], x.local[rianyHeld]+1, ok)
	if ok {
		x.shared[rianyNumber]++
		row := r.row(x.shared[rianyNumber])
		clear(x.shared[row : row+rianyRow])
	}
	x.local[rianyHeld], x.pc = 0, rianyBegin
}

// normalize renumbers. Numbers that are held are compared with each other, the
// current one, and those of the segments; those of the segments only with
// numbers that are held, now or later, and what will be held is not smaller
// than the current one. So for a segment's number all that counts is how many of
// the held ones and the current one are not larger.
func (r *riany) normalize(state []byte) {
	r.skip(state)
	shared := state[r.shared:r.first]
	var held [MaxProcesses + 3]bool // by number: at most one a process, and one more
	held[shared[rianyNumber]] = true
	for p := range r.Processes {
		held[r.localOf(state, p)[rianyHeld]] = true
	}
	held[0] = false
	var rank [len(held)]byte
	last := byte(0)
	for n := range rank {
		if held[n] {
			last++
			copy(shared[r.row(last):r.row(last)+rianyRow], shared[r.row(byte(n)):])
		}
		rank[n] = last
	}
	clear(shared[r.row(last+1):])
	r.dropRows(state, shared, rank[:])
	shared[rianyNumber] = rank[shared[rianyNumber]]
	for p := range r.Processes {
		own := r.ownOf(state, p)
		own[rianyStamp] = rank[own[rianyStamp]]
		local := r.localOf(state, p)
		local[rianyHeld] = rank[local[rianyHeld]]
	}
}

// skip has a scan whose cell was filled by another one meanwhile read it: what
// it reads before that, or found already, it will not use.
func (r *riany) skip(state []byte) {
	if r.Buggy || r.Full {
		return
	}
	for p := range r.Processes {
		pc := &state[r.first+p*r.block+blockPC]
		if *pc >= rianyReadHigh && *pc <= rianyFill && r.isFilled(state, p) {
			*pc, r.localOf(state, p)[rianyFound] = rianyAgain, 0
		}
	}
}

// dropRows clears the rows of numbers that only updates hold.
func (r *riany) dropRows(state, shared, rank []byte) {
	var used [MaxProcesses + 3]bool
	used[rank[shared[rianyNumber]]] = true
	for p := range r.Processes {
		if block := state[r.first+p*r.block:]; Operation(block[blockOp]) == Scan {
			used[rank[r.localOf(state, p)[rianyHeld]]] = true
		}
	}
	for n := range rank {
		if row := r.row(byte(n)); !used[n] && row+rianyRow <= len(shared) {
			clear(shared[row : row+rianyRow])
		}
	}
}

// private: a cell is filled once, and once it is, nobody cares for the segment.
// The low value of a segment is read only by those who find that its number is
// not smaller than that of their snapshot, which is the current one, or all its
// cells are filled; and it is written when its number is smaller than that.
func (r *riany) private(state []byte, p int) bool {
	block := state[r.first+p*r.block:]
	switch block[blockPC] {
	case rianyAgain:
		return !r.last(state, p)
	case rianyCell:
		return r.isFilled(state, p) && !r.last(state, p)
	case rianyWriteLow:
		return !r.Buggy
	}
	return false
}

// isFilled reports whether the cell that a scan is at is filled.
func (r *riany) isFilled(state []byte, p int) bool {
	local := r.localOf(state, p)
	return at(state[r.shared:], r.row(local[rianyHeld])).Bit(r.segments[local[rianyIndex]]) == 1
}

// last reports whether the value that a scan is about to get is its last.
func (r *riany) last(state []byte, p int) bool {
	local := r.localOf(state, p)
	return local[rianySecond] == 1 && int(local[rianyIndex]) == len(r.segments)-1
}

// rename has nothing to do: no register names a process.
func (r *riany) rename([]byte, []uint8) {}
