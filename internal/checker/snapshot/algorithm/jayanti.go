package algorithm

// P. Jayanti's algorithm for several scanners ("An optimal multi-writer
// snapshot algorithm", STOC 2005), with one writer a segment. Snapshots are
// taken in rounds of three phases that all scanners push forward together: in
// the first, a scanner clears its array b; in the second, one reads the
// segments into its array a, while updates forward what they write to the b
// that was cleared; in the third, what is in b overrides a, and the result
// becomes the snapshot SS. A scan pushes two rounds to their ends, the second
// of which began after the scan did, and returns SS.
//
// X, SS and the cells of b are read by load-linked (LL) and written by
// store-conditional (SC), which succeeds if nobody wrote since; VL asks whether
// it would. Such a register has a bit for every process whose SC would succeed.
//
// A process that may still store to X need not remember what it loaded: X is
// still that.
var jayantiInfo = Info{
	Name: "jayanti", Title: "Jayanti, with LL/SC (2005)",
	Bug: "an update forwards its value by a plain write, without LL and SC",
	create: func(l *layout) program {
		l.fix(13, jayantiB+jayantiCell*len(l.segments), 6)
		return &jayanti{l}
	},
}

type jayanti struct{ *layout }

// Shared registers. Process p is p+1 in them, and nobody is 0.
const (
	jayantiPhase   = 0 // of X, from 0
	jayantiToggle  = 1 // of X
	jayantiFilled  = 2 // of X: whose a is complete, in phase 2
	jayantiCleared = 3 // of X: whose b was cleared, in phases 1 and 2
	jayantiXLink   = 4 // view: processes
	jayantiSToggle = 6 // of SS
	jayantiSValue  = 7 // of SS, view
	jayantiSLink   = 9
	jayantiSegment = 11 // the segments, view
)

// Own registers: a, and for each segment a cell of b: 0 for nothing, or the
// value + 1, and its links.
const (
	jayantiA    = 0
	jayantiB    = 2
	jayantiCell = 3
)

// Local variables.
const (
	jayantiIndex   = 0
	jayantiRound   = 1 // the second push of a scan, the second attempt of an update
	jayantiView    = 2 // the snapshot in the making
	jayantiSaved   = 4 // what was loaded of X, where it is needed after X may have changed
	jayantiFetched = 5 // the value of a segment on its way to a
)

const (
	jayantiStart byte = iota
	// An update.
	jayantiUpdate
	jayantiCellLoad
	jayantiCellValid
	jayantiCellStore
	jayantiCellWrite
	// A scan: the first phase, the second, the third.
	jayantiPush
	jayantiClearLoad
	jayantiClearStore
	jayantiSetCleared
	jayantiPush2
	jayantiRead
	jayantiFill
	jayantiSetFilled
	jayantiPush3
	jayantiTakeA
	jayantiTakeB
	jayantiLoadSS
	jayantiValidSS
	jayantiStoreSS
	jayantiAdvance
	jayantiReturn
)

func (j *jayanti) init(state []byte) { state[j.shared+jayantiToggle] = 1 }

// idle: an update of a segment that stays 0 forwards 0 where there is 0.
func (j *jayanti) idle(p int) bool { return !j.changes(p) }

// jayantiSteps has the code of each step.
var jayantiSteps = [...]func(*jayanti, *Thread){
	jayantiStart:  (*jayanti).start,
	jayantiUpdate: (*jayanti).loadForUpdate, jayantiCellLoad: (*jayanti).cellLoad, jayantiCellValid: (*jayanti).cellValid,
	jayantiCellStore: (*jayanti).cellStore, jayantiCellWrite: (*jayanti).cellWrite,
	jayantiPush:      (*jayanti).push,
	jayantiClearLoad: (*jayanti).clearLoad, jayantiClearStore: (*jayanti).clearStore, jayantiSetCleared: (*jayanti).setCleared,
	jayantiPush2: (*jayanti).push,
	jayantiRead:  (*jayanti).read, jayantiFill: (*jayanti).fill, jayantiSetFilled: (*jayanti).setFilled,
	jayantiPush3: (*jayanti).push,
	jayantiTakeA: (*jayanti).takeA, jayantiTakeB: (*jayanti).takeB,
	jayantiLoadSS: (*jayanti).loadSS, jayantiValidSS: (*jayanti).validSS, jayantiStoreSS: (*jayanti).storeSS,
	jayantiAdvance: (*jayanti).advance, jayantiReturn: (*jayanti).result,
}

func (j *jayanti) step(x *Thread) { jayantiSteps[x.pc](j, x) }

func (j *jayanti) start(x *Thread) {
	if x.op == Scan {
		j.push(x)
		return
	}
	put(x.shared, jayantiSegment, at(x.shared, jayantiSegment).With(x.p, byte(x.op)))
	x.say("A[%d] := %d", x.p, x.op)
	x.pc = jayantiUpdate
}

// Links of the register whose links are at b[i:].
func link(b []byte, i, p int)              { put(b, i, at(b, i)|1<<p) }
func unlink(b []byte, i, p int)            { put(b, i, at(b, i)&^(1<<p)) }
func linked(b []byte, i, p int) bool       { return at(b, i).Bit(p) == 1 }
func written(b []byte, i int)              { put(b, i, 0) }
func (j *jayanti) mayStore(x *Thread) bool { return linked(x.shared, jayantiXLink, x.p) }

// cell gives the cell of a process's b for the segment with an index; its
// links are at 1.
func (j *jayanti) cell(state []byte, p, index int) []byte {
	at := jayantiB + jayantiCell*index
	return j.ownOf(state, p)[at : at+jayantiCell]
}

// mine is the index of the process's segment.
func (j *jayanti) mine(p int) int {
	for i, s := range j.segments {
		if s == p {
			return i
		}
	}
	return 0
}

func (j *jayanti) loadForUpdate(x *Thread) {
	x.say("LL(X): phase %d", x.shared[jayantiPhase]+1)
	if x.shared[jayantiPhase] != 1 {
		x.finish(0)
		return
	}
	x.local[jayantiSaved] = x.shared[jayantiCleared]
	if x.pc = jayantiCellWrite; !j.Buggy {
		link(x.shared, jayantiXLink, x.p)
		x.pc = jayantiCellLoad
	}
}

func (j *jayanti) cellLoad(x *Thread) {
	link(j.cell(x.state, int(x.local[jayantiSaved]-1), j.mine(x.p)), 1, x.p)
	x.say("LL(b[%d][%d])", x.local[jayantiSaved]-1, x.p)
	x.pc = jayantiCellValid
}

// cellValid ends the update if X has changed: the second attempt would find
// the same.
func (j *jayanti) cellValid(x *Thread) {
	x.say("VL(X): %t", j.mayStore(x))
	if x.pc = jayantiCellStore; !j.mayStore(x) {
		j.endUpdate(x)
	}
}

func (j *jayanti) cellStore(x *Thread) {
	cell := j.cell(x.state, int(x.local[jayantiSaved]-1), j.mine(x.p))
	ok := linked(cell, 1, x.p)
	if ok {
		cell[0] = byte(x.op) + 1
		written(cell, 1)
	}
	x.say("SC(b[%d][%d], %d): %t", x.local[jayantiSaved]-1, x.p, x.op, ok)
	if x.local[jayantiRound] == 1 {
		j.endUpdate(x)
		return
	}
	x.local[jayantiRound], x.pc = 1, jayantiCellLoad
}

func (j *jayanti) endUpdate(x *Thread) {
	unlink(x.shared, jayantiXLink, x.p)
	unlink(j.cell(x.state, int(x.local[jayantiSaved]-1), j.mine(x.p)), 1, x.p)
	x.finish(0)
}

// cellWrite is the bug.
func (j *jayanti) cellWrite(x *Thread) {
	cell := j.cell(x.state, int(x.local[jayantiSaved]-1), j.mine(x.p))
	cell[0] = byte(x.op) + 1
	written(cell, 1)
	x.say("b[%d][%d] := %d", x.local[jayantiSaved]-1, x.p, x.op)
	x.finish(0)
}

// push loads X and goes on with the phase that it shows. The second load of a
// push does not go back to the first phase, nor the third to the second.
func (j *jayanti) push(x *Thread) {
	phase := x.shared[jayantiPhase]
	x.say("LL(X): phase %d", phase+1)
	link(x.shared, jayantiXLink, x.p)
	x.local[jayantiIndex] = 0
	switch {
	case phase == 0 && x.pc != jayantiPush2 && x.pc != jayantiPush3:
		x.pc = jayantiClearLoad
	case phase == 1 && x.pc != jayantiPush3:
		x.pc = jayantiRead
	case phase == 2:
		x.pc = jayantiTakeA
	default:
		j.endPush(x)
	}
}

// endPush begins the second push, or ends the scan.
func (j *jayanti) endPush(x *Thread) {
	unlink(x.shared, jayantiXLink, x.p)
	put(x.local, jayantiView, 0)
	x.local[jayantiIndex], x.local[jayantiSaved] = 0, 0
	if x.pc = jayantiPush; x.local[jayantiRound] == 1 {
		x.pc = jayantiReturn
	}
	x.local[jayantiRound] = 1
}

// next goes on with the next segment, or, after the last, to what follows.
func (j *jayanti) next(x *Thread, same, then byte) {
	x.pc = same
	if x.local[jayantiIndex]++; int(x.local[jayantiIndex]) == len(j.segments) {
		x.pc, x.local[jayantiIndex] = then, 0
	}
}

// segment is the one that the process is at.
func (j *jayanti) segment(x *Thread) int { return j.segments[x.local[jayantiIndex]] }

func (j *jayanti) clearLoad(x *Thread) {
	link(j.cell(x.state, x.p, int(x.local[jayantiIndex])), 1, x.p)
	x.say("LL(b[%d][%d])", x.p, j.segment(x))
	x.pc = jayantiClearStore
}

func (j *jayanti) clearStore(x *Thread) {
	cell := j.cell(x.state, x.p, int(x.local[jayantiIndex]))
	ok := linked(cell, 1, x.p)
	x.say("SC(b[%d][%d], nothing): %t", x.p, j.segment(x), ok)
	if !ok {
		x.pc = jayantiClearLoad
		return
	}
	cell[0] = 0
	written(cell, 1)
	j.next(x, jayantiClearLoad, jayantiSetCleared)
}

// storeX is SC(X, ...), if it succeeds, and says so.
func (j *jayanti) storeX(x *Thread, phase byte) bool {
	ok := j.mayStore(x)
	x.say("SC(X, phase %d): %t", phase+1, ok)
	if ok {
		x.shared[jayantiPhase] = phase
		written(x.shared, jayantiXLink)
	}
	return ok
}

func (j *jayanti) setCleared(x *Thread) {
	if j.storeX(x, 1) {
		x.shared[jayantiCleared] = byte(x.p + 1)
	}
	x.pc = jayantiPush2
}

func (j *jayanti) read(x *Thread) {
	s := j.segment(x)
	x.local[jayantiFetched] = at(x.shared, jayantiSegment).Bit(s)
	x.say("A[%d] is %d", s, x.local[jayantiFetched])
	x.pc = jayantiFill
}

func (j *jayanti) fill(x *Thread) {
	s := j.segment(x)
	put(x.own, jayantiA, at(x.own, jayantiA).With(s, x.local[jayantiFetched]))
	x.say("a[%d][%d] := %d", x.p, s, x.local[jayantiFetched])
	x.local[jayantiFetched] = 0
	j.next(x, jayantiRead, jayantiSetFilled)
}

func (j *jayanti) setFilled(x *Thread) {
	if j.storeX(x, 2) {
		x.shared[jayantiFilled] = byte(x.p + 1)
	}
	x.pc = jayantiPush3
}

func (j *jayanti) takeA(x *Thread) {
	s, who := j.segment(x), int(x.shared[jayantiFilled]-1)
	v := at(j.ownOf(x.state, who), jayantiA).Bit(s)
	x.say("a[%d][%d] is %d", who, s, v)
	put(x.local, jayantiView, at(x.local, jayantiView).With(s, v))
	j.next(x, jayantiTakeA, jayantiTakeB)
}

func (j *jayanti) takeB(x *Thread) {
	s, who := j.segment(x), int(x.shared[jayantiCleared]-1)
	cell := j.cell(x.state, who, int(x.local[jayantiIndex]))
	if cell[0] == 0 {
		x.say("b[%d][%d] is nothing", who, s)
	} else {
		x.say("b[%d][%d] is %d", who, s, cell[0]-1)
		put(x.local, jayantiView, at(x.local, jayantiView).With(s, cell[0]-1))
	}
	j.next(x, jayantiTakeB, jayantiLoadSS)
}

// loadSS skips the store if this round's snapshot is there already.
func (j *jayanti) loadSS(x *Thread) {
	x.say("LL(SS): toggle %d", x.shared[jayantiSToggle])
	if x.shared[jayantiSToggle] == x.shared[jayantiToggle] {
		put(x.local, jayantiView, 0)
		x.pc = jayantiAdvance
		return
	}
	link(x.shared, jayantiSLink, x.p)
	x.pc = jayantiValidSS
}

func (j *jayanti) validSS(x *Thread) {
	x.say("VL(X): %t", j.mayStore(x))
	if !j.mayStore(x) {
		unlink(x.shared, jayantiSLink, x.p)
		j.endPush(x)
		return
	}
	x.local[jayantiSaved] = x.shared[jayantiToggle]
	x.pc = jayantiStoreSS
}

func (j *jayanti) storeSS(x *Thread) {
	ok := linked(x.shared, jayantiSLink, x.p)
	if v := at(x.local, jayantiView); ok {
		x.shared[jayantiSToggle] = x.local[jayantiSaved]
		put(x.shared, jayantiSValue, v)
		written(x.shared, jayantiSLink)
	}
	x.say("SC(SS, %b): %t", at(x.local, jayantiView), ok)
	put(x.local, jayantiView, 0)
	x.local[jayantiSaved], x.pc = 0, jayantiAdvance
}

// advance begins the next round. Whose arrays were used is of no more use.
func (j *jayanti) advance(x *Thread) {
	if j.storeX(x, 0) {
		x.shared[jayantiToggle] ^= 1
		x.shared[jayantiFilled], x.shared[jayantiCleared] = 0, 0
	}
	j.endPush(x)
}

func (j *jayanti) result(x *Thread) {
	v := at(x.shared, jayantiSValue)
	x.say("SS is %b", v)
	x.finish(v)
}
