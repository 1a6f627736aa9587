package trial

import (
	"fmt"
	"strings"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/checker/sched"
)

// maxSteps bounds an execution: the calls are short.
const maxSteps = 5000

// site reports whether a position is that of a base operation.
func (c *Case) site(file string, line int) bool {
	for _, l := range c.Lines {
		if l == line && (file == c.File || strings.HasSuffix(file, "/"+c.File)) {
			return true
		}
	}
	return false
}

// test is the calls of an execution, with their arguments.
type test struct {
	world, mine []int
	steps       []step
	before      int // how many of the steps come before the call, always
}

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
	cells    []cell
	final    []any
	states   [2]sched.State
	schedule sched.Schedule
}

// cell is an entry of a map, or an atomic.
type cell struct{ object, key any }

// program is what the execution runs.
func (x *execution) program(c *Case) sched.Program {
	x.results = make([][]any, 1+len(x.test.steps))
	x.other = make([]Operation, len(x.test.steps))
	x.mine = c.Call.operation(x.test.mine)
	for i := range x.test.steps {
		x.other[i] = x.test.steps[i].operation()
	}
	return sched.Program{
		Setup: func() { x.world = c.New.Do(nil, x.test.world)[0] },
		Threads: []func(){
			func() {
				x.call(&x.mine, 0, func() []any { return c.Call.Do(x.world, x.test.mine) })
			},
			func() {
				for i := range x.test.steps {
					sched.Mark(sched.Boundary)
					x.call(&x.other[i], 1+i, func() []any { return x.do(&x.test.steps[i]) })
				}
			},
		},
	}
}

// call makes a call, and notes when it began and what it returned. A panic is
// a result.
func (x *execution) call(op *Operation, index int, do func() []any) {
	op.Begin = x.tick()
	returned := false
	defer func() {
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
	return c.swap(s.with)
}

// stepped is told of each step.
func (x *execution) stepped(thread int, op sched.Op, object, key any) {
	x.placement.stepped(thread, op)
	if thread != mine || op.File == "" {
		return
	}
	x.mine.Steps = append(x.mine.Steps, BaseOperation{Line: op.Line, At: x.tick(), Kind: op.Kind.String()})
	x.meet(object, key)
}

// meet notes a cell of the extension.
func (x *execution) meet(object, key any) {
	if object == nil {
		return
	}
	if _, isMap := object.(mapLike); isMap && key == nil {
		return // the whole map
	}
	for _, c := range x.cells {
		if c.object == object && c.key == key {
			return
		}
	}
	x.cells = append(x.cells, cell{object, key})
}

// finish notes how the execution ended and reads what the cells hold, once no
// thread runs.
func (x *execution) finish(o *sched.Outcome) {
	x.schedule = o.Schedule
	for i := range o.Threads {
		x.states[i] = o.Threads[i].State
	}
	for _, c := range x.cells {
		x.final = append(x.final, c.load())
	}
	for i := range x.results {
		if x.results[i] == nil {
			x.results[i] = []any{"no return: " + x.states[min(i, 1)].String()}
		}
	}
}

// observation is all that can be told apart, as text.
func (x *execution) observation() []string {
	return lineup.Texts(append(x.results[:len(x.results):len(x.results)], x.final))
}

// serial reports whether the extension ran undisturbed: each step of B came
// when none of its base operations were done, or all.
func (x *execution) serial() bool {
	total := len(x.mine.Steps)
	for i := range x.other {
		n := 0
		for _, s := range x.mine.Steps {
			if s.At < x.other[i].Begin {
				n++
			}
		}
		if n != 0 && n != total {
			return false
		}
	}
	return true
}
