package verify

import (
	"unsafe"

	"github.com/mapatom/mapatom/checker/snapshot"
	"github.com/mapatom/mapatom/checker/snapshot/algorithm"
)

// A move is what makes one state of the product follow another: process p does
// its next step, or begins an operation.
type move struct {
	process uint8
	begins  bool
	op      algorithm.Operation
}

// A watch decides what processes may invoke, and notes what they invoke and
// return. What it remembers is in the header of a state, and, of each process,
// in the byte BlockUser of its block.
type watch interface {
	// may reports whether a process may invoke an operation.
	may(header []byte, p int, op algorithm.Operation) bool
	invoke(header, block []byte, p int, op algorithm.Operation)
	// returns is told what came back, and reports whether that can be right.
	returns(header, block []byte, p int, op algorithm.Operation, got algorithm.View) bool
	// states is the number of states that it was in, not counting what is in
	// blocks.
	states() int64
}

// A product is a machine and what watches it.
type product struct {
	machine    *algorithm.Machine
	watch      watch
	active     int   // only so many processes invoke anything: those of order
	order      []int // the processes, those of the pair first
	operations int   // that each process may invoke; 0 for any number
	alike      []int // processes that may be exchanged for each other
	perm       []uint8
	note       func(Step) // told every step, in words if the thread is verbose; may be nil
}

// bytesOf gives the bytes of words, in memory order, which differs between
// machines but is the same everywhere in one run.
func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
}

// moves appends the moves that can be made in a state: those that begin an
// operation, or the others.
func (p *product) moves(state []byte, begin bool, to []move) []move {
	for _, id := range p.order[:p.active] {
		if idle := p.machine.Idle(state, id); idle != begin {
			continue
		} else if !idle {
			to = append(to, move{process: uint8(id)})
			continue
		}
		if p.operations > 0 && int(p.machine.Block(state, id)[algorithm.BlockCount]) == p.operations {
			continue
		}
		for op := algorithm.Update0; op <= algorithm.Scan; op++ {
			if !p.machine.Vacuous(id, op) && p.watch.may(state[:algorithm.HeaderSize], id, op) {
				to = append(to, move{uint8(id), true, op})
			}
		}
	}
	return to
}

// do makes a move and reports whether the watch is content. The state that
// follows may have processes in another order: p.perm says where each one went.
func (p *product) do(x *algorithm.Thread, state []byte, m move) (outcome, bool) {
	header, id := state[:algorithm.HeaderSize], int(m.process)
	block := p.machine.Block(state, id)
	var out outcome
	if m.begins {
		if p.operations > 0 {
			block[algorithm.BlockCount]++
		}
		p.watch.invoke(header, block, id, m.op)
		out.op = m.op
		out.got, out.returned = p.machine.Begin(x, state, id, m.op)
	} else {
		out.op = p.machine.Open(state, id)
		out.got, out.returned = p.machine.Step(x, state, id)
	}
	p.tell(x, id, m.begins, out)
	if out.returned && !p.watch.returns(header, block, id, out.op, out.got) {
		return out, false
	}
	p.machine.Normalize(state)
	p.merge(x, state)
	if len(p.alike) > 1 {
		p.machine.Sort(state, p.alike, p.perm)
	}
	return out, true
}

// tell notes a step.
func (p *product) tell(x *algorithm.Thread, id int, begins bool, out outcome) {
	if p.note != nil {
		p.note(Step{id, x.Said(), begins, out.op, out.returned, out.got})
	}
}

// merge does the private steps of all processes.
func (p *product) merge(x *algorithm.Thread, state []byte) {
	for again := true; again; {
		again = false
		for _, id := range p.order[:p.active] {
			for !p.machine.Idle(state, id) && p.machine.Private(state, id) {
				op := p.machine.Open(state, id)
				p.machine.Step(x, state, id)
				p.tell(x, id, false, outcome{op: op})
				p.machine.Normalize(state)
				again = true
			}
		}
	}
}

// An outcome is what became of a step.
type outcome struct {
	op       algorithm.Operation
	returned bool
	got      algorithm.View
}

// clients has the processes of a simple history: those of the pair begin to
// write 1 at some time, and all others write 0 only. The last byte of the header
// has who has begun.
type clients struct{ i, j int }

const headerOnes = algorithm.HeaderSize - 1

// segment is the bit of a process that may write 1, 0 for the others.
func (c clients) segment(p int) byte {
	switch p {
	case c.i:
		return 1
	case c.j:
		return 2
	}
	return 0
}

func (c clients) may(header []byte, p int, op algorithm.Operation) bool {
	mine := c.segment(p)
	switch op {
	case algorithm.Update0:
		return header[headerOnes]&mine == 0
	case algorithm.Update1:
		return mine != 0
	}
	return true
}

func (c clients) note(header []byte, p int, op algorithm.Operation) {
	if op == algorithm.Update1 {
		header[headerOnes] |= c.segment(p)
	}
}

// automata are the watch of Polynomial mode. The first two bytes of the header
// have a snapshot.State, and a process's byte the floor of its scan.
type automata struct {
	clients
	seen map[snapshot.State]bool
}

func stateOf(header []byte) snapshot.State {
	return snapshot.State(header[0]) | snapshot.State(header[1])<<8
}

func (a automata) set(header []byte, s snapshot.State) {
	header[0], header[1] = byte(s), byte(s>>8)
	a.seen[s] = true
}

func (a automata) states() int64 { return int64(len(a.seen)) }

func (a automata) invoke(header, block []byte, p int, op algorithm.Operation) {
	a.note(header, p, op)
	switch op {
	case algorithm.Scan:
		block[algorithm.BlockUser] = byte(stateOf(header).Floor())
	case algorithm.Update1:
		a.set(header, stateOf(header).Invoke(int(a.segment(p)-1)))
	}
}

func (a automata) returns(header, block []byte, p int, op algorithm.Operation, got algorithm.View) bool {
	s := stateOf(header)
	switch op {
	case algorithm.Scan:
		values := snapshot.Values(got.Bit(a.i) | got.Bit(a.j)<<1)
		if got&^(1<<a.i|1<<a.j) != 0 {
			return false
		}
		next, ok := s.Scan(snapshot.Values(block[algorithm.BlockUser]), values)
		if !ok {
			return false
		}
		s = next
	case algorithm.Update1:
		s = s.Return(int(a.segment(p) - 1))
	}
	block[algorithm.BlockUser] = 0
	a.set(header, s)
	return true
}
