package verify

import (
	"sync/atomic"

	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/snapshot"
	"github.com/mapatom/mapatom/internal/checker/snapshot/algorithm"
)

// A move is what makes one state of the product follow another: process p does
// its next step, or begins an operation.
type move struct {
	process uint8
	begins  bool
	op      algorithm.Operation
}

// A watch decides what processes may invoke, and notes what they invoke and
// return. What it remembers is the mark of a state, the byte headerOnes of its
// header, and, of each process, the byte BlockUser of its block. It is used by
// several goroutines.
type watch interface {
	// start is the mark before anything is invoked.
	start() int32
	// may reports whether a process may invoke an operation.
	may(header []byte, p int, op algorithm.Operation) bool
	invoke(mark int32, header, block []byte, p int, op algorithm.Operation) int32
	// returns is told what came back, and reports whether that can be right.
	returns(mark int32, block []byte, p int, op algorithm.Operation, got algorithm.View) (int32, bool)
	// states is the number of marks that it gave.
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
}

// system is the product as what is explored. Moves that begin an operation have
// the length 1, all others 0: a violation is shown with as few operations as it
// takes.
func (p *product) system() *reach.System {
	s := &reach.System{Size: p.machine.StateSize(), Free: true, NewWorker: func() reach.Worker { return newWorker(p) }}
	if w, ok := p.watch.(*candidates); ok {
		s.Bytes = w.bytes
	}
	return s
}

// start is the state in which nothing was invoked yet.
func (p *product) start() reach.State {
	s := reach.State{Bytes: make([]byte, p.machine.StateSize()), Mark: p.watch.start()}
	p.machine.Init(s.Bytes)
	p.machine.Normalize(s.Bytes)
	return s
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

// A worker makes the moves of a product, for one goroutine.
type worker struct {
	*product
	x       algorithm.Thread
	next    reach.State
	choices []move
	single  bool       // private steps are moves like others
	perm    []uint8    // where the last move put each process
	note    func(Step) // told every step, in words if the thread is verbose; may be nil
}

func newWorker(p *product) *worker {
	return &worker{product: p, next: reach.State{Bytes: make([]byte, p.machine.StateSize())}, perm: make([]uint8, len(p.order))}
}

// Start adds the state that everything starts in.
func (w *worker) Start(to *reach.Successors) error {
	s := w.start()
	to.Add(s.Bytes, s.Mark)
	return nil
}

// Expand makes the moves of a state.
func (w *worker) Expand(s reach.State, length int, to *reach.Successors) error {
	w.choices = w.moves(s.Bytes, length == 1, w.choices[:0])
	for _, m := range w.choices {
		if w.set(s); w.do(&w.next, m) {
			to.Add(w.next.Bytes, w.next.Mark)
		} else {
			to.Wrong()
		}
	}
	return nil
}

// set makes a state the one that do changes.
func (w *worker) set(s reach.State) {
	copy(w.next.Bytes, s.Bytes)
	w.next.Mark = s.Mark
}

// do makes a move and reports whether the watch is content. The state that
// follows may have processes in another order: w.perm says where each one went.
func (w *worker) do(s *reach.State, m move) (ok bool) {
	state, id := s.Bytes, int(m.process)
	block := w.machine.Block(state, id)
	var out outcome
	if m.begins {
		if w.operations > 0 {
			block[algorithm.BlockCount]++
		}
		s.Mark = w.watch.invoke(s.Mark, state[:algorithm.HeaderSize], block, id, m.op)
		out.op = m.op
		out.got, out.returned = w.machine.Begin(&w.x, state, id, m.op)
	} else {
		out.op = w.machine.Open(state, id)
		out.got, out.returned = w.machine.Step(&w.x, state, id)
	}
	w.tell(id, m.begins, out)
	if out.returned {
		if s.Mark, ok = w.watch.returns(s.Mark, block, id, out.op, out.got); !ok {
			return false
		}
	}
	w.machine.Normalize(state)
	if !w.single {
		w.merge(state)
	}
	if len(w.alike) > 1 {
		w.machine.Sort(state, w.alike, w.perm)
	}
	return true
}

// tell notes a step.
func (w *worker) tell(id int, begins bool, out outcome) {
	if w.note != nil {
		w.note(Step{id, w.x.Said(), begins, out.op, out.returned, out.got})
	}
}

// merge does the private steps of all processes.
func (w *worker) merge(state []byte) {
	for again := true; again; {
		again = false
		for _, id := range w.order[:w.active] {
			for !w.machine.Idle(state, id) && w.machine.Private(state, id) {
				op := w.machine.Open(state, id)
				w.machine.Step(&w.x, state, id)
				w.tell(id, false, outcome{op: op})
				w.machine.Normalize(state)
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

// automata are the watch of Polynomial mode. The mark is a snapshot.State, and a
// process's byte the floor of its scan.
type automata struct {
	clients
	seen [1 << 16]atomic.Bool // by mark
}

func (a *automata) start() int32 { return a.mark(0) }

func (a *automata) mark(s snapshot.State) int32 {
	if !a.seen[s].Load() {
		a.seen[s].Store(true)
	}
	return int32(s)
}

func (a *automata) states() (n int64) {
	for s := range a.seen {
		if a.seen[s].Load() {
			n++
		}
	}
	return n
}

func (a *automata) invoke(mark int32, header, block []byte, p int, op algorithm.Operation) int32 {
	a.note(header, p, op)
	s := snapshot.State(mark)
	switch op {
	case algorithm.Scan:
		block[algorithm.BlockUser] = byte(s.Floor())
	case algorithm.Update1:
		s = s.Invoke(int(a.segment(p) - 1))
	}
	return a.mark(s)
}

func (a *automata) returns(mark int32, block []byte, p int, op algorithm.Operation, got algorithm.View) (int32, bool) {
	s, ok := snapshot.State(mark), true
	switch op {
	case algorithm.Scan:
		if got&^(1<<a.i|1<<a.j) != 0 {
			return mark, false
		}
		values := snapshot.Values(got.Bit(a.i) | got.Bit(a.j)<<1)
		s, ok = s.Scan(snapshot.Values(block[algorithm.BlockUser]), values)
	case algorithm.Update1:
		s = s.Return(int(a.segment(p) - 1))
	}
	block[algorithm.BlockUser] = 0
	return a.mark(s), ok
}
