package lineup

import (
	"context"
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/internal/checker/values"
)

// What section 6 of the paper leaves to future work: methods that may do
// otherwise than they would by themselves. They are said of an invocation, and
// a model says it by choosing.

// MayRefuse has a call be allowed to give these results without effect while
// another call is under way, whatever it would give by itself: a TryTake, say,
// that gives up where it loses a race. By itself it must not.
//
//	lineup.Invoke("TryTake").MayRefuse(0, false)
func (inv Invocation) MayRefuse(results ...any) Invocation {
	inv.refusal = &results
	return inv
}

// Async has a call take effect at any time after it began, even after it
// returned, but before a call of one of the methods that began after that takes
// effect: a line that is logged before the next Flush, say. Such calls of one
// thread take effect in their order.
//
//	lineup.Invoke("Print", "a").Async("Flush")
func (inv Invocation) Async(until ...string) Invocation {
	inv.async, inv.until = true, until
	return inv
}

// Choices make a model nondeterministic. It has them as an embedded field, and
// all that it may choose is then in the specification:
//
//	type bag struct {
//		lineup.Choices
//		items []int
//	}
//
//	func (b *bag) Take() int { i := b.Choose(len(b.items)); ... }
type Choices struct{ choose func(n int) int }

// Choose gives a number from 0 to below n, each in an execution of its own.
func (c *Choices) Choose(n int) int {
	if c.choose == nil {
		panic("lineup: Choose is for the models of CheckAgainst")
	}
	return c.choose(n)
}

func (c *Choices) choices() *Choices { return c }

// A suspect is a history of phase 2 that no serial one explains, of calls that
// may do otherwise.
type suspect struct {
	record  *record
	outcome sched.Outcome
	cause   Cause
	without int
}

// relaxed reports whether some call of the test may do otherwise than it would
// by itself.
func (p *plan) relaxed() bool {
	return slices.ContainsFunc(p.ops, func(inv *Invocation) bool { return inv.refusal != nil || inv.async })
}

// acquit looks whether what the calls may do otherwise explains the suspects.
// The first that it does not explain is the failure.
func (k *checking) acquit(ctx context.Context) error {
	suspects := k.suspects
	k.suspects = nil
	for _, s := range suspects {
		if k.result.Verdict == Failed || ctx.Err() != nil {
			return nil
		}
		ok, err := k.excused(ctx, s.record)
		if err != nil {
			return err
		}
		if !ok {
			k.fail(s.record, &s.outcome, s.cause, s.without)
		}
	}
	return nil
}

// excused reports whether the history is one of the specification without the
// calls that were refused, some or all of them, and with those that are
// asynchronous taking effect later.
func (k *checking) excused(ctx context.Context, r *record) (bool, error) {
	if r.stuck {
		for _, e := range r.pending() {
			if ok, err := k.excusedOne(ctx, r.only(e)); !ok {
				return false, err
			}
		}
		return true, nil
	}
	return k.excusedOne(ctx, r)
}

func (k *checking) excusedOne(ctx context.Context, r *record) (bool, error) {
	refused := k.refused(r)
	for set := range 1 << len(refused) {
		var gone []int
		for i, op := range refused {
			if set>>i&1 == 1 {
				gone = append(gone, op)
			}
		}
		spec, err := k.without(ctx, gone)
		if err != nil {
			return false, err
		}
		if spec.hasLateWitness(r.leaving(gone)) {
			return true, nil
		}
	}
	return false, nil
}

// refused are the calls that gave what a refusal gives, while another was under
// way.
func (k *checking) refused(r *record) []int {
	var ops []int
	times := r.times(len(k.plan.ops))
	for _, op := range r.calls() {
		inv := k.plan.ops[op]
		if inv.refusal == nil || times[op].ret == len(r.marks) || r.replies[op].Text != k.plan.refusals[op] {
			continue
		}
		if slices.ContainsFunc(r.calls(), func(other int) bool {
			return other != op && times[other].call < times[op].ret && times[op].call < times[other].ret
		}) {
			ops = append(ops, op)
		}
	}
	return ops
}

// refusalText is what a refusal gives, as a recorder writes it.
func refusalText(inv *Invocation) string {
	if inv.refusal == nil {
		return ""
	}
	text, _ := newPrinter(values.Numbers{}).Reply(*inv.refusal)
	return string(text)
}

// leaving is the record as if some calls had not been made.
func (r *record) leaving(gone []int) *record {
	out := &record{replies: r.replies, stuck: r.stuck}
	for _, m := range r.marks {
		if op, _ := m.op(); !slices.Contains(gone, op) {
			out.marks = append(out.marks, m)
		}
	}
	return out
}

// without is the specification of the test without some calls, in which
// asynchronous ones come in any order after those of their thread that are
// before them.
func (k *checking) without(ctx context.Context, gone []int) (*specification, error) {
	key := fmt.Sprint(gone)
	if s := k.parts[key]; s != nil {
		return s, nil
	}
	p := k.plan
	if k.Model != nil {
		var err error
		if p, err = k.Model.plan(k.plan.test); err != nil {
			return nil, err
		}
	}
	part := *p
	part.lanes = nil
	keep := func(ops []int, async bool) (some []int) {
		for _, op := range ops {
			if !slices.Contains(gone, op) && k.plan.ops[op].async == async {
				some = append(some, op)
			}
		}
		return some
	}
	for _, lane := range p.lanes {
		for _, async := range []bool{false, true} {
			if some := keep(lane, async); len(some) > 0 {
				part.lanes = append(part.lanes, some)
			}
		}
	}
	part.initial = slices.Concat(keep(p.initial, false), keep(p.initial, true))
	part.final = slices.Concat(keep(p.final, false), keep(p.final, true))
	spec := newSpecification(k.plan)
	if err := k.serialRuns(ctx, &part, spec, new(Phase)); err != nil {
		return nil, err
	}
	if k.parts == nil {
		k.parts = map[string]*specification{}
	}
	k.parts[key] = spec
	return spec, nil
}

// serialRuns adds every serial execution of a plan to a specification.
func (k *checking) serialRuns(ctx context.Context, p *plan, spec *specification, phase *Phase) error {
	rec := newRecorder(p)
	s := &serially{rec: rec}
	rec.choose = s.choose
	err := k.explore(ctx, rec, s, phase, func(r *record, o *sched.Outcome) bool {
		spec.loose = spec.loose || rec.chose
		spec.add(r)
		return true
	})
	if err == nil && !phase.Exhausted {
		err = context.Cause(ctx)
	}
	return err
}

// hasLateWitness is hasWitness where asynchronous calls may take effect after
// they returned.
func (s *specification) hasLateWitness(r *record) bool {
	sec := s.sections[s.plan.threadKey(r)]
	if sec == nil {
		return false
	}
	times := r.times(len(s.plan.ops))
	return slices.ContainsFunc(sec.orders, func(order []int) bool {
		for i, first := range order {
			for _, then := range order[i+1:] {
				if s.plan.mustPrecede(times, then, first) {
					return false
				}
			}
		}
		return true
	})
}

// mustPrecede reports whether a call has to take effect before another.
func (p *plan) mustPrecede(times spans, a, b int) bool {
	if times[a].ret >= times[b].call {
		return false
	}
	inv := p.ops[a]
	return !inv.async || slices.Contains(inv.until, p.ops[b].Method) || p.ops[b].async && p.lane(a) == p.lane(b)
}

// lane is the thread of the test that makes a call; -1 is the main one.
func (p *plan) lane(op int) int {
	return slices.IndexFunc(p.lanes, func(ops []int) bool { return slices.Contains(ops, op) })
}

// choose is a fork between the choices of a model.
func (s *serially) choose(n int) int {
	if n <= 0 {
		panic(fmt.Sprintf("lineup: Choose(%d): there is nothing to choose from", n))
	}
	if s.depth == len(s.path) {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		s.path = append(s.path, fork{threads: all})
	}
	f := &s.path[s.depth]
	s.depth++
	s.rec.chose = true
	return f.threads[f.at]
}
