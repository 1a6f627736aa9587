package verify

import (
	"fmt"
	"strconv"
	"strings"
)

// Schedule is the trace as a text that Replay understands, a word for each step:
// the number of the process, and what it invokes if it begins an operation.
//
//	2:scan 0:update(1) 0 2
func (t *Trace) Schedule() string {
	words := make([]string, len(t.Steps))
	for i, s := range t.Steps {
		words[i] = strconv.Itoa(s.Process)
		if s.Begins {
			words[i] += ":" + s.Op.String()
		}
	}
	return strings.Join(words, " ")
}

// Replay has the processes of an algorithm make the steps of a schedule, and
// reports whether the history went wrong, which ends it. Of the options, those of
// the algorithm and the mode count, and the pair, which is 0,1 if there is none.
func Replay(o Options, schedule string) (t *Trace, wrong bool, err error) {
	pairs, err := o.pairs()
	if err != nil {
		return nil, false, err
	}
	p, err := o.product(pairs[0], o.Processes)
	if err != nil {
		return nil, false, err
	}
	p.alike = nil
	t = &Trace{Algorithm: o.Algorithm, Processes: o.Processes, Pair: pairs[0]}
	w := newWorker(p)
	w.single, w.x.Verbose = true, true
	w.note = func(s Step) { t.Steps = append(t.Steps, s) }
	here := p.start()
	for i, word := range strings.Fields(schedule) {
		if wrong {
			return nil, false, fmt.Errorf("step %d, %q: the step before it ends the run", i+1, word)
		}
		m, err := w.moveOf(here.Bytes, word)
		if err != nil {
			return nil, false, fmt.Errorf("step %d, %q: %w", i+1, word, err)
		}
		wrong = !w.do(&here, m)
	}
	return t, wrong, nil
}

// moveOf is the move that a word of a schedule stands for.
func (w *worker) moveOf(state []byte, word string) (move, error) {
	number, call, begins := strings.Cut(word, ":")
	id, err := strconv.Atoi(number)
	if err != nil || id < 0 || id >= len(w.order) {
		return move{}, fmt.Errorf("there is no process %q: want 0 to %d", number, len(w.order)-1)
	}
	if !w.machine.Idle(state, id) {
		if begins {
			return move{}, fmt.Errorf("process %d is in the middle of %s", id, w.machine.Open(state, id))
		}
		return move{process: uint8(id)}, nil
	}
	var may []string
	for _, m := range w.moves(state, true, nil) {
		if int(m.process) != id {
			continue
		}
		if m.op.String() == call {
			return m, nil
		}
		may = append(may, fmt.Sprintf("%d:%s", id, m.op))
	}
	if may == nil {
		return move{}, fmt.Errorf("process %d has begun all its operations", id)
	}
	return move{}, fmt.Errorf("process %d begins something next: want %s", id, strings.Join(may, " or "))
}
