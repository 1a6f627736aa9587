package sim

import (
	"reflect"
)

// step is one atomic step of the environment.
type step struct {
	at   int // after this many steps of the call
	fn   *Func
	cell int
	// op is, of a cell, "Load", "Swap" or "LoadAndDelete", of a function ""
	// if it is called at once, "visit" if it is not, and "enter" if it stops before its
	// first step, or "resume".
	op    string
	visit int // that is resumed
	key   any
	args  []arg
}

// arg is a value, or one that the environment was shown.
type arg struct {
	value any
	shown int // index into execution.shown, if seen
	seen  bool
}

// plan is all that is chosen about a run, besides what the call itself
// chooses.
type plan struct {
	initial []step
	args    []arg
	steps   []step
	world   *world
}

// prepare chooses what the cells hold at the start: anything, or what the
// functions of the unit have made of them.
func (s *search) prepare(x *execution, p *plan) {
	if s.Package && s.Far && s.tape.choose(3) == 0 {
		s.repeat(x, p)
		return
	}
	if s.Package && s.Far && !s.telling && s.tape.random != nil && s.tape.choose(2) == 0 {
		s.goOn(x, p)
		return
	}
	if s.Package {
		for len(s.left) > 0 && s.left[0].Before {
			st := s.tells(x)
			p.initial = append(p.initial, st)
			x.start(st)
		}
		for range s.before {
			kinds := append([]step{{}}, s.calls(x)...)
			st := kinds[s.tape.choose(len(kinds))]
			switch {
			case st.fn != nil:
				st.args = s.args(x, st.fn)
			case st.op == "":
				return
			}
			p.initial = append(p.initial, st)
			x.start(st)
		}
		return
	}
	for i, kind := range s.unit.Kinds {
		keys := kind.Keys
		if keys == nil {
			keys = []any{nil}
		}
		for _, key := range keys {
			v := s.tape.choose(1 + min(s.width, len(kind.Pool)))
			if v == 0 {
				continue
			}
			st := step{cell: i, op: "Swap", key: key, args: []arg{{value: kind.Pool[v-1]}}}
			p.initial = append(p.initial, st)
			x.start(st)
		}
	}
}

// tells is the next step of the story: a call of a function, as one step or as several.
func (s *search) tells(x *execution) step {
	f := s.function(s.left[0].Func)
	s.left = s.left[1:]
	st := step{fn: f, args: s.args(x, f)}
	if s.loose(f) != nil && s.tape.choose(2) == 0 {
		st.op = "visit"
	}
	return st
}

// goesOn is most often the next step of the story, if the run goes by one, or the next one of a call that is
// under way.
func (s *search) goesOn(x *execution) (step, bool) {
	if !s.telling {
		return step{}, false
	}
	switch s.tape.choose(4) {
	case 0, 1:
		if len(s.left) > 0 {
			return s.tells(x), true
		}
	case 2:
		if calls := x.underway(); len(calls) > 0 {
			return step{op: "resume", visit: calls[s.tape.choose(len(calls))]}, true
		}
	}
	return step{}, false
}

// repeat has one function called many times before: some contents are that far
// from the start.
func (s *search) repeat(x *execution, p *plan) {
	f := &s.unit.Funcs[s.tape.choose(len(s.unit.Funcs))]
	st := step{fn: f, args: s.args(x, f)}
	for range s.tape.choose(130) {
		p.initial = append(p.initial, st)
		x.start(st)
	}
}

// args chooses the arguments of a call.
func (s *search) args(x *execution, f *Func) []arg {
	var out []arg
	for i := range f.Params {
		out = append(out, s.value(x, &f.Params[i]))
	}
	return out
}

// value chooses a value: of the pool, or one that was shown.
func (s *search) value(x *execution, k *Kind) arg {
	n := min(s.width, len(k.Pool))
	var fits []int
	for i, v := range x.shown {
		if k.holds(v) {
			fits = append(fits, i)
		}
	}
	if c := s.tape.choose(n + len(fits)); c >= n {
		return arg{shown: fits[c-n], seen: true}
	} else {
		return arg{value: k.Pool[c]}
	}
}

// holds reports whether v is of the type of a value of the pool.
func (k *Kind) holds(v any) bool {
	for _, w := range k.Pool {
		if _, isObject := w.(Object); isObject {
			if _, ok := v.(Node); ok {
				return true
			}
		}
		if reflect.TypeOf(v) == reflect.TypeOf(w) {
			return true
		}
	}
	return false
}

// loose says what steps a function makes that is no single one in the
// environment; nil if it is one.
func (s *search) loose(f *Func) *Loose {
	if s.Apart {
		return &Loose{Func: f.Name}
	}
	for i := range s.Loose {
		if s.Loose[i].Func == f.Name {
			return &s.Loose[i]
		}
	}
	return nil
}

// calls are what an environment of the unit's functions can do.
func (s *search) calls(x *execution) (kinds []step) {
	for i := range s.unit.Funcs {
		f := &s.unit.Funcs[i]
		kinds = append(kinds, step{fn: f})
		if s.loose(f) != nil {
			kinds = append(kinds, step{fn: f, op: "visit"})
		}
	}
	for _, i := range x.underway() {
		kinds = append(kinds, step{op: "resume", visit: i})
	}
	return kinds
}

// choose picks a step of the environment, or none.
func (s *search) choose(x *execution, at int) (step, bool) {
	if s.tape.random != nil && s.tape.choose(2) == 0 {
		return step{}, false
	}
	if st, ok := s.goesOn(x); ok {
		st.at = at
		return st, true
	}
	kinds := []step{{}}
	if s.Package {
		kinds = append(kinds, s.calls(x)...)
	}
	for i, kind := range s.unit.Kinds {
		if s.Locked {
			break
		}
		keys := kind.Keys
		if keys == nil {
			keys = []any{nil}
		}
		for _, key := range keys {
			kinds = append(kinds, step{cell: i, key: key, op: "Load"})
			if !s.Package {
				kinds = append(kinds, step{cell: i, key: key, op: "Swap"})
				if kind.Keys != nil {
					kinds = append(kinds, step{cell: i, key: key, op: "LoadAndDelete"})
				}
			}
		}
	}
	if s.tape.random != nil {
		kinds = kinds[1:]
	}
	st := kinds[s.tape.choose(len(kinds))]
	st.at = at
	switch {
	case st.fn != nil:
		st.args = s.args(x, st.fn)
	case st.op == "Swap":
		st.args = []arg{s.value(x, &s.unit.Kinds[st.cell])}
	case st.op == "":
		return st, false
	}
	return st, true
}
