package verify

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/snapshot/algorithm"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// A Trace is an execution that is wrong, step by step.
type Trace struct {
	Algorithm string
	Processes int
	Pair      [2]int // the processes that write 1, 0 and 1 if all may
	Steps     []Step
}

// A Step is one step of a process.
type Step struct {
	Process int
	Text    string // what it did
	Begins  bool   // it is the first of the operation
	Op      algorithm.Operation
	Returns bool // it is the last of the operation
	Got     algorithm.View
}

// newTrace makes the moves that lead along a path, and then go wrong, a second
// time on a product that does not exchange processes, to know whom each move is
// about.
func newTrace(p *product, path []reach.State, name string) *Trace {
	t := &Trace{Algorithm: name, Processes: len(p.order), Pair: [2]int{p.order[0], p.order[1]}}
	plain := *p
	plain.alike = nil
	sorted, verbose := newWorker(p), newWorker(&plain)
	verbose.x.Verbose = true
	verbose.note = func(s Step) { t.Steps = append(t.Steps, s) }
	here := p.start()
	names := make([]uint8, len(p.order))
	for p := range names {
		names[p] = uint8(p)
	}
	for k, s := range path {
		var next *reach.State // nil: the move that goes wrong
		if k+1 < len(path) {
			next = &path[k+1]
		}
		m := sorted.between(s, next)
		m.process = names[m.process]
		verbose.do(&here, m)
		if len(p.alike) > 1 && next != nil {
			old := slices.Clone(names)
			for p, q := range sorted.perm {
				names[q] = old[p]
			}
		}
	}
	return t
}

// begun is the number of operations in the trace.
func (t *Trace) begun() (n int) {
	for _, s := range t.Steps {
		if s.Begins {
			n++
		}
	}
	return n
}

// between finds the move from a state to another one, or to what goes wrong. The
// exploration has found one.
func (w *worker) between(s reach.State, next *reach.State) move {
	all := w.moves(s.Bytes, true, w.moves(s.Bytes, false, nil))
	i := slices.IndexFunc(all, func(m move) bool {
		w.set(s)
		ok := w.do(&w.next, m)
		return !ok && next == nil || ok && next != nil && bytes.Equal(w.next.Bytes, next.Bytes) && w.next.Mark == next.Mark
	})
	return all[i]
}

// History gives the operations of the trace. Time is the number of the step;
// the segments are called by the number of the process that writes them.
func (t *Trace) History() *history.History {
	h := &history.History{Initial: "0"}
	for p := range t.Processes {
		h.Threads = append(h.Threads, "p"+strconv.Itoa(p))
	}
	open := make([]int, t.Processes)
	for now, s := range t.Steps {
		if s.Begins {
			open[s.Process] = len(h.Operations)
			h.Operations = append(h.Operations, t.invocation(s, int64(now)))
		}
		if s.Returns {
			op := &h.Operations[open[s.Process]]
			op.Return, op.Results = int64(now), []history.Value{}
			if s.Op == algorithm.Scan {
				for p := range t.Processes {
					op.Results = append(op.Results, number(int(s.Got.Bit(p))))
				}
			}
		}
	}
	return h
}

func number(n int) history.Value { return history.Value(strconv.Itoa(n)) }

// invocation is an operation that did not return yet.
func (t *Trace) invocation(s Step, now int64) history.Operation {
	op := history.Operation{Thread: s.Process, Method: "scan", Call: now, Return: history.Pending}
	if s.Op != algorithm.Scan {
		op.Method, op.Args = "update", []history.Value{number(s.Process), number(int(s.Op))}
	}
	return op
}

// Picture draws the trace: the operations, and within each its steps.
func (t *Trace) Picture() *witness.Picture {
	p := witness.FromHistory(t.History())
	p.Kind = "snapshot"
	open := make([]int, t.Processes)
	next := 0
	for now, s := range t.Steps {
		if s.Begins {
			open[s.Process] = next
			next++
		}
		op := &p.Operations[open[s.Process]]
		op.Inner = append(op.Inner, witness.Operation{
			Thread: op.Thread, Method: s.Text, Step: true, Call: int64(now), Return: witness.Instant(now),
		})
	}
	return p
}

// Lines gives the steps as text, one a line.
func (t *Trace) Lines() []string {
	width := len(strconv.Itoa(len(t.Steps)))
	var lines []string
	for i, s := range t.Steps {
		line := fmt.Sprintf("%*d  p%d  %s", width, i+1, s.Process, s.Text)
		if s.Begins {
			line += "   begins " + s.Op.String()
		}
		if s.Returns {
			line += "   returns"
			if s.Op == algorithm.Scan {
				line += " " + s.Got.Text(t.Processes)
			}
		}
		lines = append(lines, line)
	}
	return lines
}
