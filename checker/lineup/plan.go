package lineup

import (
	"strconv"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/internal/checker/values"
)

// mainThread is what histories call the thread that makes the calls before
// and after the others.
const mainThread = "main"

// plan is a test with the invocations that it names. Operations are numbered
// thread by thread: the initial calls, those of each thread, the final ones.
type plan struct {
	test    Test
	subject *Subject
	ops     []*Invocation
	// threads has the operations of each thread of the histories. If the test
	// has initial or final calls, thread 0 is the one that makes them.
	names   []string
	threads [][]int
	// lanes are the operations of each thread of the test; initial and final
	// those of the main thread.
	lanes          [][]int
	initial, final []int
	refusals       []string // what a refusal of each operation gives
}

// threadName names the threads of a test A, B, C.
func threadName(t int) string { return sched.ThreadName(t) }

// plan looks up what the test names.
func (s *Subject) plan(m Test) (*plan, error) {
	p := &plan{test: m, subject: s}
	add := func(calls []Call) (ops []int, err error) {
		for _, c := range calls {
			inv, err := s.find(c)
			if err != nil {
				return nil, err
			}
			ops = append(ops, len(p.ops))
			p.ops = append(p.ops, inv)
			p.refusals = append(p.refusals, refusalText(inv))
		}
		return ops, nil
	}
	var err error
	if p.initial, err = add(m.Initial); err != nil {
		return nil, err
	}
	for _, calls := range m.Threads {
		lane, err := add(calls)
		if err != nil {
			return nil, err
		}
		p.lanes = append(p.lanes, lane)
	}
	if p.final, err = add(m.Final); err != nil {
		return nil, err
	}
	if len(p.initial)+len(p.final) > 0 {
		p.names = []string{mainThread}
		p.threads = [][]int{append(p.initial[:len(p.initial):len(p.initial)], p.final...)}
	}
	for t, lane := range p.lanes {
		p.names = append(p.names, threadName(t))
		p.threads = append(p.threads, lane)
	}
	return p, nil
}

// began counts the calls of a record that the threads of the test began.
func (p *plan) began(r *record) int {
	first, last := len(p.initial), len(p.ops)-len(p.final)
	n := 0
	for _, m := range r.marks {
		if op, isReturn := m.op(); !isReturn && op >= first && op < last {
			n++
		}
	}
	return n
}

// history is a record as others see it, with the pointers named in the order
// in which they come up.
func (p *plan) history(r *record) *history.History {
	h := &history.History{Threads: p.names, Stuck: r.stuck}
	at := make([]int, len(p.ops))
	threadOf := make([]int, len(p.ops))
	for t, ops := range p.threads {
		for _, op := range ops {
			threadOf[op] = t
		}
	}
	pointers := values.Names{}
	for i, m := range r.marks {
		op, isReturn := m.op()
		if isReturn {
			o := &h.Operations[at[op]]
			o.Return = int64(i + 1)
			o.Results = splitReply(pointers.Text(r.replies[op]))
			continue
		}
		at[op] = len(h.Operations)
		h.Operations = append(h.Operations, history.Operation{
			Thread: threadOf[op], Method: p.ops[op].Method, Args: argValues(p.ops[op].Args),
			Call: int64(i + 1), Return: history.Pending,
		})
	}
	return h
}

// argValues are the arguments as values of a history: numbers, booleans and
// strings as they are, every other expression as its text.
func argValues(args []string) []history.Value {
	values := make([]history.Value, len(args))
	for i, a := range args {
		values[i] = argValue(a)
	}
	return values
}

func argValue(arg string) history.Value {
	if arg == "true" || arg == "false" {
		return history.Value(arg)
	}
	if n, err := strconv.ParseInt(arg, 10, 64); err == nil && strconv.FormatInt(n, 10) == arg {
		return history.Value(arg)
	}
	if s, err := strconv.Unquote(arg); err == nil {
		return history.String(s)
	}
	return history.String(arg)
}

// splitReply takes the list of results apart. The text is our own JSON.
func splitReply(text string) []history.Value {
	values := []history.Value{}
	depth, quoted, start := 0, false, 1
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case depth > 0 && (c == ']' || c == '}'):
			depth--
		case depth == 0 && (c == ',' || c == ']'):
			if start < i {
				values = append(values, history.Value(text[start:i]))
			}
			start = i + 1
		}
	}
	return values
}
