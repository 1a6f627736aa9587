package lineup

import (
	"fmt"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/internal/checker/values"
)

// event is the call of an operation, or its return.
type event int16

func callOf(op int) event   { return event(op) << 1 }
func returnOf(op int) event { return event(op)<<1 | 1 }

func (e event) op() (op int, isReturn bool) { return int(e >> 1), e&1 == 1 }

// record is the history of one execution: its events in order, and what the
// operations that returned gave. It is stuck if the operations that did not
// return never will.
type record struct {
	marks   []event
	replies []values.Reply // of each operation of the plan
	stuck   bool
}

// recorder runs the operations of a plan and records them. One is used for
// all executions of a check, one after the other; only one of its threads
// runs at a time.
type recorder struct {
	plan    *plan
	object  any
	open    int   // the thread of the test that is within an operation, or -1
	failed  error // New panicked
	blocks  bool  // an operation of a model says that it blocks
	record  record
	numbers values.Numbers    // of the pointers of the execution
	spare   []*values.Printer // that nobody uses
	replies map[string]string // texts that were seen, so that each is kept once
	program sched.Program
	choose  func(n int) int // what a model's Choose asks; nil where there is none
	chose   bool            // it was asked
}

func newRecorder(p *plan) *recorder {
	r := &recorder{plan: p, replies: map[string]string{}, numbers: values.Numbers{}}
	r.record.replies = make([]values.Reply, len(p.ops))
	r.program.Setup = func() {
		r.create()
		r.run(-1, p.initial)
	}
	for t, lane := range p.lanes {
		r.program.Threads = append(r.program.Threads, func() { r.run(t, lane) })
	}
	if len(p.final) > 0 {
		r.program.Final = func() { r.run(-1, p.final) }
	}
	return r
}

// start prepares for an execution.
func (r *recorder) start() sched.Program {
	r.record.marks, r.record.stuck = r.record.marks[:0], false
	r.object, r.open, r.failed, r.blocks = nil, -1, nil, false
	clear(r.numbers)
	return r.program
}

// create makes the object.
func (r *recorder) create() {
	defer func() {
		if p := recover(); p != nil {
			r.failed = fmt.Errorf("making a %s panicked: %v", r.plan.subject.Name, p)
		}
	}()
	r.object = r.plan.subject.New()
	if m, ok := r.object.(interface{ choices() *Choices }); ok {
		m.choices().choose = r.choose
	}
}

// run makes the calls of one thread of the test, or of the main one, which is
// -1. A switch between two of them is no preemption.
func (r *recorder) run(thread int, ops []int) {
	for i, op := range ops {
		if i > 0 {
			sched.Mark(sched.Boundary)
		}
		if r.failed != nil || r.blocks {
			return
		}
		r.open = thread
		r.call(op)
		r.open = -1
	}
}

// call makes one call. The call is recorded when its first step is about to
// be taken, the return right after its last: no two operations look
// concurrent that were not.
func (r *recorder) call(op int) {
	r.record.marks = append(r.record.marks, callOf(op))
	sched.Called()
	defer func() {
		// A thread that is unwound after the execution does not come here
		// with a panic, and has returned nothing.
		if p := recover(); p != nil {
			if p == any(errBlocked) {
				r.blocks = true
				return
			}
			r.returned(op, []any{fmt.Sprintf("panic: %v", p)})
		}
	}()
	r.returned(op, r.plan.ops[op].Do(r.object))
}

// returned records a return, once the results are known: those of an
// iterator are when it has been run.
func (r *recorder) returned(op int, results []any) {
	p := r.printer()
	text, refs := p.Reply(results)
	kept, known := r.replies[string(text)]
	if !known {
		kept = string(text)
		r.replies[kept] = kept
	}
	r.spare = append(r.spare, p)
	r.record.replies[op] = values.Reply{Text: kept, Refs: refs}
	r.record.marks = append(r.record.marks, returnOf(op))
	sched.Returned()
}

// printer gives one that no other thread uses.
func (r *recorder) printer() *values.Printer {
	n := len(r.spare)
	if n == 0 {
		return newPrinter(r.numbers)
	}
	p := r.spare[n-1]
	r.spare = r.spare[:n-1]
	return p
}

// pending are the operations that were called and did not return.
func (r *record) pending() []int {
	open := map[int]bool{}
	for _, m := range r.marks {
		op, isReturn := m.op()
		open[op] = !isReturn
	}
	var ops []int
	for _, m := range r.marks {
		if op, isReturn := m.op(); !isReturn && open[op] {
			ops = append(ops, op)
		}
	}
	return ops
}

// only is the record without the pending calls but one: H[e] of section 2.3.
func (r *record) only(e int) *record {
	gone := map[int]bool{}
	for _, op := range r.pending() {
		gone[op] = op != e
	}
	out := &record{replies: r.replies, stuck: r.stuck}
	for _, m := range r.marks {
		if op, _ := m.op(); !gone[op] {
			out.marks = append(out.marks, m)
		}
	}
	return out
}

// clone is a copy that later executions do not change.
func (r *record) clone() *record {
	return &record{
		marks:   append([]event(nil), r.marks...),
		replies: append([]values.Reply(nil), r.replies...),
		stuck:   r.stuck,
	}
}

// key is the same for two records if they are the same history.
func (r *record) key(buf []byte) []byte {
	for _, m := range r.marks {
		buf = append(buf, byte(m), byte(m>>8))
		op, isReturn := m.op()
		if !isReturn {
			continue
		}
		buf = append(buf, r.replies[op].Text...)
		buf = append(buf, 0xFF) // not in UTF-8
		for _, ref := range r.replies[op].Refs {
			buf = append(buf, byte(ref), byte(ref>>8))
		}
	}
	if r.stuck {
		buf = append(buf, '#')
	}
	return buf
}
