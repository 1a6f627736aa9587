package explore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Schedule is the trace as a text that Replay understands, one word for each
// step: the number of the thread from 1, and where it applies what it calls and
// what it chooses.
//
//	1:push 2:add(3) 1 2/0,1
//
// Values that are put in are not part of it: the n-th is n.
func (t *Trace) Schedule() string {
	words := make([]string, len(t.Steps))
	for i := range t.Steps {
		s := &t.Steps[i]
		w := strconv.Itoa(s.Thread + 1)
		if s.Call != nil {
			w += ":" + t.m.callText(s.Call)
		}
		for n, c := range s.Choices {
			w += string("/,"[min(n, 1)]) + strconv.Itoa(c)
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}

// callText is a call as a schedule has it.
func (m *Model) callText(c *Call) string {
	method := &m.methods[c.Method]
	if method.argument.options == nil {
		return method.name
	}
	return fmt.Sprintf("%s(%d)", method.name, c.Argument)
}

// Replay runs the model as a schedule says. Full is whether the schedule is
// of an exploration with Options.Full. Trace.Wrong says whether the history
// is one that no right object has; a step that goes wrong ends the run.
func Replay(m *Model, schedule string, full bool) (*Trace, error) {
	if err := m.prepare(); err != nil {
		return nil, err
	}
	if m.object.Methods == nil {
		return nil, fmt.Errorf("model %s: %w", m.Name, errNoObject)
	}
	t := newTracer(m, newCandidates(m, false), !full)
	for i, word := range strings.Fields(schedule) {
		if t.trace.Wrong {
			return nil, fmt.Errorf("step %d, %q: the step before it ends the run", i+1, word)
		}
		if err := t.replay(word); err != nil {
			return nil, fmt.Errorf("step %d, %q: %w", i+1, word, err)
		}
	}
	return t.trace, nil
}

// replay takes the step that a word of a schedule says.
func (t *tracer) replay(word string) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case modelError:
			err = p
		default:
			panic(p)
		}
	}()
	word, choices, _ := strings.Cut(word, "/")
	number, call, _ := strings.Cut(word, ":")
	thread, err := strconv.Atoi(number)
	if err != nil || thread < 1 || thread > t.e.m.Bounds.Threads {
		return fmt.Errorf("there is no thread %q: want 1 to %d", number, t.e.m.Bounds.Threads)
	}
	t.e.x.choices = t.e.x.choices[:0]
	for c := range strings.SplitSeq(choices, ",") {
		if choices == "" {
			break
		}
		n, err := strconv.Atoi(c)
		if err != nil || n < 0 {
			return fmt.Errorf("a choice of %q: want a number", c)
		}
		t.e.x.choices = append(t.e.x.choices, branch{taken: n})
	}
	c, err := t.callOf(thread-1, call)
	if err != nil {
		return err
	}
	copy(t.e.out.state, t.state)
	if !t.e.run(t.observer, thread-1, c) {
		return fmt.Errorf("thread %d is blocked", thread)
	}
	t.accept(&t.e.out)
	return nil
}

// callOf is the call that a word names, if the thread can make it: nil in the
// middle of an operation.
func (t *tracer) callOf(thread int, name string) (*Call, error) {
	m := t.e.m
	words := t.state[m.base(thread):]
	if words[headerPC] != 0 {
		if name != "" {
			return nil, fmt.Errorf("thread %d is in the middle of %s", thread+1, m.methods[m.program[words[headerPC]].method].name)
		}
		return nil, nil
	}
	calls := m.mayCall(thread, int(words[headerCalled]))
	i := slices.IndexFunc(calls, func(c Call) bool { return m.callText(&c) == name })
	if i >= 0 {
		return &calls[i], nil
	}
	var may []string
	for i := range calls {
		may = append(may, m.callText(&calls[i]))
	}
	if len(may) == 0 {
		return nil, fmt.Errorf("thread %d has made all its calls", thread+1)
	}
	return nil, fmt.Errorf("thread %d calls something next: want %d:%s", thread+1, thread+1, strings.Join(may, ", "))
}
