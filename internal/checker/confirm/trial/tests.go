package trial

import "slices"

// maxTests bounds the tests of a case.
const maxTests = 6000

// tests lists the tests of a case: those with the calls of the static witness
// first, then the function against itself and against each of the others,
// alone and after a call that prepares the cell. It also says how many of them come before
// those in which B makes two calls, which are the most.
func (c *Case) tests() (tests []test, few int) {
	e := &enumeration{c: c}
	var before, during []*Call
	if known := e.named(c.Before, &before) && e.named(c.During, &during); known && len(during) > 0 {
		e.add(calls(before), calls(during))
	}
	if c.Open {
		for _, first := range [][]step{nil, {{raw: Overwrite}}} {
			for _, during := range [][]step{
				{{raw: Overwrite}}, {{raw: Delete}}, {{raw: Delete}, {raw: Overwrite}}, {{raw: Overwrite}, {raw: Delete}},
			} {
				e.add(first, during)
			}
		}
	}
	all := c.all()
	for _, g := range all {
		e.add(nil, calls([]*Call{g}))
	}
	for _, first := range all {
		for _, g := range all {
			e.add(calls([]*Call{first}), calls([]*Call{g}))
		}
	}
	few = len(e.tests)
	for _, first := range all {
		for _, g := range all {
			for _, h := range all {
				e.add(calls([]*Call{first}), calls([]*Call{g, h}))
			}
		}
	}
	return e.tests, few
}

// all are the function with the extension and the others.
func (c *Case) all() []*Call {
	all := []*Call{&c.Call}
	for i := range c.Others {
		if c.Others[i].Name != c.Call.Name {
			all = append(all, &c.Others[i])
		}
	}
	return all
}

// enumeration collects tests.
type enumeration struct {
	c     *Case
	tests []test
}

// named finds calls by their names, and reports whether all are known.
func (e *enumeration) named(names []string, out *[]*Call) bool {
	for _, name := range names {
		i := slices.IndexFunc(e.c.all(), func(c *Call) bool { return c.Name == name })
		if i < 0 {
			return false
		}
		*out = append(*out, e.c.all()[i])
	}
	return true
}

func calls(all []*Call) []step {
	var steps []step
	for _, c := range all {
		steps = append(steps, step{call: c})
	}
	return steps
}

// maxChoices bounds the combinations of arguments for one sequence of calls.
const maxChoices = 512

// add adds the sequence with all combinations of arguments.
func (e *enumeration) add(before, during []step) {
	steps := append(slices.Clone(before), during...)
	slots := [][][]string{e.c.New.Args, e.c.Call.Args}
	for _, s := range steps {
		if s.call == nil {
			slots = append(slots, nil)
		} else {
			slots = append(slots, s.call.Args)
		}
	}
	n := 0
	for args := range combinations(slots, e.c.Apart) {
		if n++; n > maxChoices || len(e.tests) == maxTests {
			return
		}
		t := test{world: args[0], mine: args[1], steps: slices.Clone(steps), before: len(before)}
		for i := range t.steps {
			t.steps[i].args = args[2+i]
		}
		e.tests = append(e.tests, t)
	}
}

// combinations yields all ways to choose a value for each parameter of each
// call: the first value of everything first, then those that differ from it
// in few places. Apart, the first of whoever comes after the world and the function is the second value.
func combinations(slots [][][]string, apart bool) func(func([][]int) bool) {
	var sizes, first []int
	for i, params := range slots {
		for _, words := range params {
			sizes, first = append(sizes, len(words)), append(first, 0)
			if apart && i > 1 && len(words) > 1 {
				first[len(first)-1] = 1
			}
		}
	}
	return func(yield func([][]int) bool) {
		for differ := range len(sizes) + 1 {
			flat := make([]int, len(sizes))
			from := func() bool {
				at := slices.Clone(flat)
				for i := range at {
					at[i] = (at[i] + first[i]) % sizes[i]
				}
				return yield(split(slots, at))
			}
			if !vary(sizes, flat, 0, differ, from) {
				return
			}
		}
	}
}

// vary calls f with each choice that differs from flat in exactly n of the
// places from the given one on. It reports whether f wants more.
func vary(sizes, flat []int, from, n int, f func() bool) bool {
	if n == 0 {
		return f()
	}
	for i := from; i+n <= len(sizes); i++ {
		for v := 1; v < sizes[i]; v++ {
			flat[i] = v
			if !vary(sizes, flat, i+1, n-1, f) {
				return false
			}
		}
		flat[i] = 0
	}
	return true
}

// split gives each call its arguments.
func split(slots [][][]string, flat []int) [][]int {
	out := make([][]int, len(slots))
	for i, params := range slots {
		out[i], flat = flat[:len(params):len(params)], flat[len(params):]
	}
	return out
}
