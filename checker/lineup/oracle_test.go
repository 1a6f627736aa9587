package lineup

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/checker/values"
)

var (
	diffRounds = flag.Int("diff.rounds", 10_000, "histories to compare with the definitions")
	diffSeed   = flag.Uint64("diff.seed", 1, "where they begin")
)

// occurrence is an event as the definitions of section 2 have it.
type occurrence struct {
	thread   int
	op       int
	isReturn bool
	reply    string // with pointers as numbers of the execution
	refs     []int32
}

// occurrences are the events of a record, with a final # told apart.
func occurrences(p *plan, r *record) []occurrence {
	thread := map[int]int{}
	for t, ops := range p.threads {
		for _, op := range ops {
			thread[op] = t
		}
	}
	var all []occurrence
	for _, m := range r.marks {
		op, isReturn := m.op()
		o := occurrence{thread: thread[op], op: op, isReturn: isReturn}
		if isReturn {
			o.reply, o.refs = r.replies[op].Text, r.replies[op].Refs
		}
		all = append(all, o)
	}
	return all
}

// witnesses is "S is a serial witness for H", from the definition: the same
// events in each thread, up to a renaming of pointers, and every order of H
// in S.
func witnesses(s, h []occurrence) bool {
	to, from := map[int32]int32{}, map[int32]int32{}
	if len(s) != len(h) {
		return false
	}
	for t := range 4 {
		a, b := ofThread(s, t), ofThread(h, t)
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if a[i].op != b[i].op || a[i].isReturn != b[i].isReturn || a[i].reply != b[i].reply || len(a[i].refs) != len(b[i].refs) {
				return false
			}
			for k, x := range a[i].refs {
				y := b[i].refs[k]
				if to[x] != 0 && to[x] != y || from[y] != 0 && from[y] != x {
					return false
				}
				to[x], from[y] = y, x
			}
		}
	}
	for _, e1 := range h {
		for _, e2 := range h {
			if before(h, e1.op, e2.op) && !before(s, e1.op, e2.op) {
				return false
			}
		}
	}
	return true
}

func ofThread(h []occurrence, t int) []occurrence {
	return slices.DeleteFunc(slices.Clone(h), func(o occurrence) bool { return o.thread != t })
}

// before is e1 <H e2: the return of e1 comes before the call of e2.
func before(h []occurrence, e1, e2 int) bool {
	ret := slices.IndexFunc(h, func(o occurrence) bool { return o.op == e1 && o.isReturn })
	call := slices.IndexFunc(h, func(o occurrence) bool { return o.op == e2 && !o.isReturn })
	return ret >= 0 && call > ret
}

// linearizable is Definitions 1 and 2.
func linearizable(h []occurrence, stuck bool, full, blocked [][]occurrence) bool {
	isWitness := func(h []occurrence) func(s []occurrence) bool {
		return func(s []occurrence) bool { return witnesses(s, h) }
	}
	if !stuck {
		return slices.ContainsFunc(full, isWitness(h))
	}
	for _, e := range h {
		if returns(h, e.op) {
			continue
		}
		only := slices.DeleteFunc(slices.Clone(h), func(o occurrence) bool { return o.op != e.op && !returns(h, o.op) })
		if !slices.ContainsFunc(blocked, isWitness(only)) {
			return false
		}
	}
	return true
}

func returns(h []occurrence, op int) bool {
	return slices.ContainsFunc(h, func(o occurrence) bool { return o.op == op && o.isReturn })
}

// drawer makes random plans and histories.
type drawer struct{ *rand.Rand }

// plan has up to three threads with up to three operations.
func (d drawer) plan() *plan {
	m := Test{}
	s := &Subject{Name: "random"}
	for t := range 1 + d.IntN(3) {
		var calls []Call
		for i := range 1 + d.IntN(3) {
			c := Call{Method: fmt.Sprintf("M%d%d", t, i)}
			calls = append(calls, c)
			s.Invocations = append(s.Invocations, Invocation{Call: c})
		}
		m.Threads = append(m.Threads, calls)
	}
	p, err := s.plan(m)
	if err != nil {
		panic(err)
	}
	return p
}

// reply is one of few, so that histories agree often.
func (d drawer) reply() values.Reply {
	switch d.IntN(4) {
	case 0:
		return values.Reply{Text: "[0]"}
	case 1:
		return values.Reply{Text: "[1]"}
	default:
		return values.Reply{Text: "[" + values.Mark + "]", Refs: []int32{int32(1 + d.IntN(2))}}
	}
}

// serial is a random serial history. What a call gives depends on the calls
// before it, or, rarely, on nothing.
func (d drawer) serial(p *plan, memory map[string]values.Reply) *record {
	r := &record{replies: make([]values.Reply, len(p.ops))}
	next := make([]int, len(p.lanes))
	key := ""
	for {
		var able []int
		for t, lane := range p.lanes {
			if next[t] < len(lane) {
				able = append(able, t)
			}
		}
		if len(able) == 0 {
			return r
		}
		t := able[d.IntN(len(able))]
		op := p.lanes[t][next[t]]
		next[t]++
		key += fmt.Sprint(op, ";")
		rep, known := memory[key]
		if !known {
			rep = d.reply()
			if d.IntN(8) == 0 {
				rep.Text = "#"
			}
			memory[key] = rep
		}
		if d.IntN(300) == 0 {
			rep = d.reply() // nondeterminism
		}
		r.marks = append(r.marks, callOf(op))
		if rep.Text == "#" {
			r.stuck = true
			return r
		}
		r.replies[op] = rep
		r.marks = append(r.marks, returnOf(op))
	}
}

// loosen lets the operations of a history overlap more: neighbouring events
// of different threads change places. Rarely a reply or a pointer changes.
func (d drawer) loosen(p *plan, r *record) *record {
	out := r.clone()
	out.stuck = r.stuck
	thread := map[int]int{}
	for t, ops := range p.threads {
		for _, op := range ops {
			thread[op] = t
		}
	}
	for range d.IntN(20) {
		if len(out.marks) < 2 {
			break
		}
		i := d.IntN(len(out.marks) - 1)
		a, _ := out.marks[i].op()
		b, _ := out.marks[i+1].op()
		if thread[a] != thread[b] {
			out.marks[i], out.marks[i+1] = out.marks[i+1], out.marks[i]
		}
	}
	if d.IntN(3) == 0 {
		out.replies[d.IntN(len(out.replies))] = d.reply()
	}
	if d.IntN(3) == 0 {
		d.block(p, out)
	}
	return out
}

// block has a last operation of a thread not return.
func (d drawer) block(p *plan, r *record) {
	for i := len(r.marks) - 1; i >= 0; i-- {
		op, isReturn := r.marks[i].op()
		last := true
		for _, m := range r.marks[i+1:] {
			other, _ := m.op()
			for _, lane := range p.lanes {
				last = last && !(slices.Contains(lane, op) && slices.Contains(lane, other))
			}
		}
		if isReturn && last && d.IntN(2) == 0 {
			r.marks = slices.Delete(r.marks, i, i+1)
			r.stuck = true
		}
	}
}

// deterministic is section 2.1.2 on pairs: no two histories whose longest
// common prefix ends with a call.
func deterministic(all []*record) bool {
	for _, a := range all {
		for _, b := range all {
			if split(a, b) {
				return false
			}
		}
	}
	return true
}

func split(a, b *record) bool {
	x, y := canonical(a), canonical(b)
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	if n == len(x) && n == len(y) {
		return false
	}
	return n%2 == 1
}

// canonical is a serial history as texts, call and return in turn, with
// pointers by first occurrence.
func canonical(r *record) []string {
	seen := map[int32]int{}
	var all []string
	for _, m := range r.marks {
		op, isReturn := m.op()
		if !isReturn {
			all = append(all, fmt.Sprint("call ", op))
			continue
		}
		text := r.replies[op].Text
		for _, ref := range r.replies[op].Refs {
			if seen[ref] == 0 {
				seen[ref] = len(seen) + 1
			}
			text += fmt.Sprint("&", seen[ref])
		}
		all = append(all, text)
	}
	if r.stuck {
		all = append(all, "#")
	}
	return all
}

// TestDefinitions compares the specification with the definitions, on random
// sets of serial histories and histories that are or are not linearizable.
func TestDefinitions(t *testing.T) {
	d := drawer{rand.New(rand.NewPCG(*diffSeed, 0))}
	counts := map[string]int{}
	for counts["all"] < *diffRounds {
		p := d.plan()
		s := newSpecification(p)
		var added []*record
		var full, blocked [][]occurrence
		memory := map[string]values.Reply{}
		agrees := true
		for range 1 + d.IntN(12) {
			r := d.serial(p, memory)
			added = append(added, r)
			agrees = s.add(r)
			require.Equal(t, deterministic(added), agrees)
			if !agrees {
				break
			}
			if r.stuck {
				blocked = append(blocked, occurrences(p, r))
			} else {
				full = append(full, occurrences(p, r))
			}
		}
		if !agrees {
			counts["nondeterministic"]++
			continue
		}
		for range 4 {
			h := d.loosen(p, added[d.IntN(len(added))])
			want := linearizable(occurrences(p, h), h.stuck, full, blocked)
			got, without := s.justifies(h)
			require.Equal(t, want, got, "%s\nstuck %t, without %d", p.inline(h), h.stuck, without)
			counts["all"]++
			counts[fmt.Sprint(got, h.stuck)]++
		}
	}
	t.Log(counts)
	for _, kind := range []string{"true false", "false false", "true true", "false true"} {
		require.Greater(t, counts[kind], *diffRounds/20, kind)
	}
	require.Positive(t, counts["nondeterministic"])
}
