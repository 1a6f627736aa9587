package trial

import (
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/checker/sched"
)

// maxSteps bounds an execution: the calls are short.
const maxSteps = 1000

// isSite reports whether a position is that of a base operation.
func (c *Case) isSite(file string, line int) bool { return c.site(file, line) != nil }

// site is that of the base operation that is called at a position, nil if there
// is none.
func (c *Case) site(file string, line int) *Site {
	for i := range c.Sites {
		if s := &c.Sites[i]; s.Line == line && s.File == file {
			return s
		}
	}
	return nil
}

// test is the calls of an execution, with their arguments.
type test struct {
	world, mine []int
	steps       []step
	before      int // how many of the steps come before the call, always
	split       int // see manner
}

// pieces is how many places the steps have: a call that is split has two.
func (t *test) pieces() int { return len(t.steps) + min(t.split, 1) }

// execution is one execution of a test.
type execution struct {
	*placement
	test  *test
	world any
	clock int
	mine  Operation
	other []Operation
	// results are those of the calls, A's first; nil without a return.
	results  [][]any
	after    []look
	cells    []cell
	states   [2]sched.State
	stuck    sched.Stuck
	schedule sched.Schedule
	read     bool                // what the cells hold is known
	deep     bool                // what is behind their pointers counts
	seen     map[string][]string // texts by the cells they tell of
}

// program is what the execution runs.
func (x *execution) program(c *Case) sched.Program {
	x.results = make([][]any, 1+len(x.test.steps))
	x.other = make([]Operation, len(x.test.steps))
	x.mine = c.Call.operation(x.test.mine)
	for i := range x.test.steps {
		x.other[i] = x.test.steps[i].operation()
	}
	x.after, x.deep = c.looks(x.mine.Args), c.Deep
	if x.split > 0 {
		x.after = append([]look{{Call: &together}}, x.after...)
	}
	return sched.Program{
		Abrupt: x.rest == never,
		Final:  func() { x.look() },
		Setup: func() {
			x.world = c.New.Do(nil, x.test.world)[0]
			if w, ok := x.world.(sharer); ok {
				w.same().parted = x.split > 0
			}
		},
		Threads: []func(){
			func() {
				x.call(&x.mine, 0, func() []any { return c.Call.Do(x.world, x.test.mine) })
				if x.spawned || x.later {
					sched.Mark(sched.Boundary) // until that has come to rest
				}
			},
			func() {
				for i := range x.test.steps {
					sched.Mark(sched.Boundary)
					x.call(&x.other[i], 1+i, func() []any { return x.do(&x.test.steps[i]) })
				}
				if x.leaves && x.rest != never {
					x.over = true
					sched.Mark(sched.Boundary) // until that has come to rest
				}
			},
		},
	}
}

// call makes a call, and notes when it began and what it returned. A panic is
// a result.
func (x *execution) call(op *Operation, index int, do func() []any) {
	op.Begin = x.tick()
	x.calling = x.calling || index > 0
	returned := false
	defer func() {
		if index > 0 {
			x.calling = false
		} else {
			x.returned = true
		}
		if !returned {
			p := recover()
			if p == nil {
				return // the execution is over, and the thread only unwinds
			}
			x.results[index] = []any{fmt.Sprintf("panic: %v", p)}
		}
		op.End = x.tick()
	}()
	results := do()
	if w, ok := x.world.(sharer); ok {
		w.same().note(results)
	}
	if results == nil {
		results = []any{}
	}
	x.results[index] = results
	returned = true
}

func (x *execution) tick() int { x.clock++; return x.clock }

// do takes one step of B.
func (x *execution) do(s *step) []any {
	if s.raw == "" {
		return s.call.Do(x.world, s.args)
	}
	if len(x.cells) == 0 {
		return []any{"there is no cell yet"}
	}
	c := x.cells[0]
	if s.raw == Delete {
		return c.remove()
	}
	return c.swap(another(s.with))
}

// stepped is told of each step.
func (x *execution) stepped(thread int, op sched.Op, object, key any) {
	if x.placement.stepped(thread, op) {
		x.mine.Steps = append(x.mine.Steps, BaseOperation{file: op.File, Line: op.Line, At: x.tick(), Kind: op.Kind.String()})
	}
	if thread == mine {
		x.meet(op, object, key)
	}
}

// look is a call that is made after all others.
type look struct {
	*Call
	args    []int
	results []any
}

// maxLooks bounds the calls after the others.
const maxLooks = 4

// looks are the calls that tell what others came to, with arguments in the same
// words where they have them.
func (c *Case) looks(words []string) []look {
	var all []look
	for i := range c.Ends {
		all = append(all, look{Call: &c.Ends[i]})
	}
	if c.Runs {
		all = append(all, look{Call: &runs})
	}
	looking := 0
	for _, g := range c.all() {
		if !g.Looks || looking == maxLooks {
			continue
		}
		args := make([]int, len(g.Args))
		for i, choices := range g.Args {
			for _, word := range words {
				if at := slices.Index(choices, word); at >= 0 {
					args[i] = at
					break
				}
			}
		}
		all = append(all, look{Call: g, args: args})
		looking++
	}
	if c.Goes {
		all = append(all, look{Call: &goesOn})
	}
	return all
}

// look notes what the cells hold, and makes the calls after the others.
func (x *execution) look() {
	for i := range x.cells {
		if x.deep {
			x.cells[i].look()
		} else {
			x.cells[i].read()
		}
	}
	x.read = true
	if w, ok := x.world.(sharer); ok {
		w.same().started = x.rest != never && (x.spawned || x.leaves)
	}
	for i := range x.after {
		l := &x.after[i]
		func() {
			defer func() {
				if p := recover(); p != nil {
					l.results = []any{fmt.Sprintf("panic: %v", p)}
				}
			}()
			l.results = l.Do(x.world, l.args)
			if x.deep && l.Args == nil {
				l.results = behind(l.results)
			}
		}()
	}
}

// behind is what was read of memory, and what is behind the pointers in it.
func behind(read []any) []any {
	if text := deep(read[0]); text != "" {
		return append(read, text)
	}
	return read
}

// finish notes how the execution ended and reads what the cells hold, once no
// thread runs.
func (x *execution) finish(o *sched.Outcome) {
	x.schedule, x.stuck = o.Schedule, o.Stuck
	for i := range o.Threads {
		x.states[i] = o.Threads[i].State
	}
	if !x.read {
		for i := range x.cells {
			x.cells[i].read()
		}
	}
	for i := range x.results {
		if x.results[i] == nil {
			x.results[i] = []any{"no return: " + x.states[min(i, 1)].String()}
		}
	}
}

// before counts the base operations of the extension before a time.
func (x *execution) before(at int) int {
	n := 0
	for _, s := range x.mine.Steps {
		if s.At < at {
			n++
		}
	}
	return n
}

// spans are the base operations of the extension before the beginning and before the
// end of each part of a step of B that began.
func (x *execution) spans(step int) [][2]int {
	op := &x.other[step]
	from, to := x.before(op.Begin), x.before(op.Begin)
	if op.End >= 0 {
		to = x.before(op.End)
	}
	if step < len(x.other)-1 || x.parts < 2 {
		return [][2]int{{from, to}}
	}
	if op.End < 0 {
		to = x.doneAtNext
	}
	return [][2]int{{from, x.doneAtStop}, {x.doneAtNext, to}}
}

// relation is how the steps of B lie to the base operations of A.
type relation int

const (
	// serial: each came when none of them were done, or all.
	serial relation = iota
	// interrupted: each came between two of them, and at once.
	interrupted
	// mixed: one was itself interrupted by them, because it had to wait. It
	// is not atomic, and what comes of it proves nothing.
	mixed
)

// relation classes the execution. A step that does not return has nothing to
// be interrupted in: it took place when it came to its end.
func (x *execution) relation() relation {
	total, is := len(x.mine.Steps), serial
	for i, op := range x.other {
		if op.Begin < 0 {
			continue // an earlier one did not return
		}
		for _, span := range x.spans(i) {
			if span[0] != span[1] {
				return mixed
			}
			if span[0] != 0 && span[0] != total {
				is = interrupted
			}
		}
	}
	return is
}

// A call may return before its extension is done, which goes on in a goroutine or
// by a timer. What others look at in between is meant to be seen, as that an entry is
// there until it expires: that proves nothing. But what they change then is not
// the first one's to take back.

// afterwards reports whether a step of B was called when A had returned, with a
// base operation done.
func (x *execution) afterwards(step int) bool {
	end := x.mine.End
	return end >= 0 && x.other[step].Begin > end && x.before(end) > 0
}

// looksOn reports whether a step of B returned something when all that A had still
// to do came after it had returned.
func (x *execution) looksOn() bool {
	for i, op := range x.other {
		n := x.before(op.Begin)
		if n > 0 && n < len(x.mine.Steps) && x.mine.End >= 0 && x.mine.Steps[n].At > x.mine.End && len(x.results[1+i]) > 0 {
			return true
		}
	}
	return false
}

// mayBe reports whether a serial execution has the steps of B in an order in which
// they can have been: what was called after A had returned came after A.
func (x *execution) mayBe(y *execution) bool {
	for i := range x.other {
		first := y.other[i].Begin >= 0 && y.before(y.other[i].Begin) == 0
		if x.afterwards(i) && first && len(y.mine.Steps) > 0 {
			return false
		}
	}
	return true
}
