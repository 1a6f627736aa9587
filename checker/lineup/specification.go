package lineup

import (
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/internal/checker/values"
)

// specification is the set of serial histories of a test, full and stuck: the
// sets A and B of the paper's Figure 5. Histories that agree on what each
// thread does share a section, as in an observation file: a serial witness is
// always in the section of the history that it explains.
type specification struct {
	plan     *plan
	sections map[string]*section
	root     *branch
	full     int // distinct histories
	stuck    int
	// conflict is two histories that agree up to a call and then do not: the
	// set is nondeterministic.
	conflict *[2]*record
	// loose says that the specification is to be nondeterministic; then seen
	// has the histories.
	loose bool
	seen  map[string]bool
}

// section has the orders in which the operations of each of its histories
// come.
type section struct {
	records []*record
	orders  [][]int
}

// branch is a node in the tree of all serial histories, after a return. By
// determinism what comes after a call has one form: the reply, or stuck.
type branch struct {
	next map[int]*twig
}

type twig struct {
	reply   string // with pointers named in order of time
	stuck   bool
	example *record
	then    branch
}

func newSpecification(p *plan) *specification {
	return &specification{plan: p, sections: map[string]*section{}, root: &branch{}}
}

// add takes a serial history in, a copy of it. It reports whether the set is
// still deterministic.
func (s *specification) add(r *record) bool {
	known, agrees := s.known(r), true
	if !s.loose {
		known, agrees = s.grow(r)
	}
	if known {
		return agrees
	}
	r = r.clone()
	if !agrees {
		return false
	}
	if r.stuck {
		s.stuck++
	} else {
		s.full++
	}
	key := s.plan.threadKey(r)
	sec := s.sections[key]
	if sec == nil {
		sec = &section{}
		s.sections[key] = sec
	}
	sec.records = append(sec.records, r)
	sec.orders = append(sec.orders, r.calls())
	return true
}

// known reports whether a history of a loose specification was there before.
func (s *specification) known(r *record) bool {
	key := string(r.key(nil))
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	before := s.seen[key]
	s.seen[key] = true
	return before
}

// calls are the operations in the order in which they were called.
func (r *record) calls() []int {
	var ops []int
	for _, m := range r.marks {
		if op, isReturn := m.op(); !isReturn {
			ops = append(ops, op)
		}
	}
	return ops
}

// grow follows a history down the tree, and makes what is missing. It is
// known if nothing was.
func (s *specification) grow(r *record) (known, agrees bool) {
	known = true
	pointers := values.Names{}
	at := s.root
	var kept *record // the history, for later comparison
	for i := 0; i < len(r.marks); i += 2 {
		op, _ := r.marks[i].op()
		stuck := i+1 == len(r.marks)
		text := ""
		if !stuck {
			text = pointers.Text(r.replies[op])
		}
		t := at.next[op]
		if t == nil {
			known = false
			if kept == nil {
				kept = r.clone()
			}
			t = &twig{reply: text, stuck: stuck, example: kept}
			if at.next == nil {
				at.next = map[int]*twig{}
			}
			at.next[op] = t
		} else if t.reply != text || t.stuck != stuck {
			s.conflict = &[2]*record{t.example, r.clone()}
			return false, false
		}
		at = &t.then
	}
	return known, true
}

// threadKey says what each thread does in a history, and nothing of how the
// threads interleave: pointers are named thread by thread.
func (p *plan) threadKey(r *record) string {
	state := make([]byte, len(p.ops)) // 0 not called, 'B' pending, '=' returned
	for _, m := range r.marks {
		if op, isReturn := m.op(); isReturn {
			state[op] = '='
		} else {
			state[op] = 'B'
		}
	}
	pointers := values.Names{}
	var key []byte
	for op, st := range state {
		if st == 0 {
			key = append(key, '.')
			continue
		}
		key = append(key, st)
		if st == '=' {
			key = append(key, pointers.Text(r.replies[op])...)
		}
	}
	return string(key)
}

// justifies reports whether the history is linearizable with respect to the
// set. For a full history that is Definition 1; for a stuck one, Definition
// 2, and then without is the pending operation that has no witness.
func (s *specification) justifies(r *record) (ok bool, without int) {
	if !r.stuck {
		return s.hasWitness(r), -1
	}
	for _, e := range r.pending() {
		if !s.hasWitness(r.only(e)) {
			return false, e
		}
	}
	return true, -1
}

// hasWitness looks for a serial history with the same operations that keeps
// the order of those that do not overlap.
func (s *specification) hasWitness(r *record) bool {
	sec := s.sections[s.plan.threadKey(r)]
	if sec == nil {
		return false
	}
	times := r.times(len(s.plan.ops))
	return slices.ContainsFunc(sec.orders, times.keeps)
}

// span is when an operation was called and returned, as indices of marks.
type span struct{ call, ret int }

type spans []span

// times are the spans of the operations; those that did not return, return
// after everything else.
func (r *record) times(n int) spans {
	all := make(spans, n)
	for i := range all {
		all[i] = span{len(r.marks), len(r.marks)}
	}
	for i, m := range r.marks {
		if op, isReturn := m.op(); isReturn {
			all[op].ret = i
		} else {
			all[op].call = i
		}
	}
	return all
}

// keeps reports whether no operation comes after one in the order that was
// called only after it had returned.
func (s spans) keeps(order []int) bool {
	latest := -1
	for _, op := range order {
		if s[op].ret < latest {
			return false
		}
		latest = max(latest, s[op].call)
	}
	return true
}

// records are all histories of the set, in an order that does not depend on
// the maps.
func (s *specification) records() []*record {
	keys := make([]string, 0, len(s.sections))
	for k := range s.sections {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var all []*record
	for _, k := range keys {
		all = append(all, s.sections[k].records...)
	}
	return all
}

// observations is the set as a file that Line-Up would write.
func (s *specification) observations() (*history.ObservationFile, error) {
	f := &history.ObservationFile{}
	for _, r := range s.records() {
		if err := f.Add(s.plan.history(r)); err != nil {
			return nil, fmt.Errorf("lineup: %w", err)
		}
	}
	return f, nil
}
