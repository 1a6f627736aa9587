package oracle

import (
	"errors"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// The specification: the program runs atomically somewhere between the
// environment's steps.

// checker looks for a linearization of one actual run.
type checker struct {
	r *run
	// extra are applications of functions that the actual run did not need,
	// added in this order. They are part of the world, as those of the
	// actual run are: there must be a linearization whatever they yield.
	extra map[string]register.Value
	added []Application
	// missing is an application that the attempt at hand needed and the
	// world lacks, which makes the attempt void. wanted is the first one of
	// all attempts in this world.
	missing bool
	wanted  *need
	// angel chooses what helps: results of Unknown, matches of identities.
	angel script
	// matches are the identities worth matching, and text is the actual
	// run's outcome.
	matches []entry
	text    string
	// late says that the environment noticed that the program had not run
	// yet: no later position can work.
	late bool
	work int
}

// need is an application that a world lacks, and what it may yield.
type need struct {
	app     Application
	boolean bool
	allow   func(*entry) bool
}

func newChecker(r *run) *checker {
	c := &checker{r: r, extra: map[string]register.Value{}, matches: matches(r), work: r.pr.Bounds.work()}
	c.text = outcomeText(&r.outcome)
	return c
}

// linearizable reports whether the actual run has a linearization whatever
// the rest of the world is like. If not, c.added is a world without one.
//
// A linearization that needs nothing but what the world has holds in every
// larger world as well. If there is none, but some attempt failed because
// the world lacks an application, the world is extended by it in all ways.
func (c *checker) linearizable() (bool, error) {
	c.wanted = nil
	ok, err := c.somewhere()
	if ok || err != nil || c.wanted == nil {
		return ok, err
	}
	w := c.wanted
	key := w.app.key()
	for _, v := range c.yields(w) {
		w.app.Value = v
		c.extra[key] = v
		c.added = append(c.added, w.app)
		if ok, err := c.linearizable(); !ok || err != nil {
			return false, err
		}
		c.added = c.added[:len(c.added)-1]
	}
	delete(c.extra, key)
	return true, nil
}

// yields lists what a missing application may yield: a bool, or a new value,
// the values of the actual run as far as allowed, the arguments, and what
// the world was extended by.
func (c *checker) yields(w *need) []register.Value {
	if w.boolean {
		return []register.Value{register.LitTrue, register.LitFalse}
	}
	vs := []register.Value{register.Value("w$" + strconv.Itoa(len(c.added)))}
	for i := range c.r.pool.entries {
		if e := &c.r.pool.entries[i]; w.allow(e) {
			vs = append(vs, e.value)
		}
	}
	for _, a := range w.app.Args {
		vs = addValue(vs, a)
	}
	for _, a := range c.added {
		vs = addValue(vs, a.Value)
	}
	return vs
}

// somewhere tries all positions in this world.
func (c *checker) somewhere() (bool, error) {
	c.late = false
	for at := 0; at <= c.r.before && !c.late; at++ {
		c.angel = script{}
		for {
			ok, err := c.attempt(at)
			if ok || err != nil {
				return ok, err
			}
			if !c.angel.advance() {
				break
			}
		}
	}
	if c.r.h.Pending && !c.late {
		return c.attempt(never)
	}
	return false, nil
}

// attempt is try, but void if it needs what the world lacks.
func (c *checker) attempt(at int) (bool, error) {
	if c.work--; c.work < 0 {
		return false, ErrWork
	}
	c.missing = false
	ok, err := c.try(at)
	if c.missing {
		return false, nil
	}
	return ok, err
}

// never is the position of a program that has not taken effect yet.
const never = -1

// try replays the environment's steps with the program run atomically
// before step number at, and compares with what was seen.
func (c *checker) try(at int) (bool, error) {
	cells := slices.Clone(c.r.h.Initial)
	runs := 0
	for i, s := range c.r.h.Steps {
		if i == at {
			if ok, err := c.atomic(cells); !ok || err != nil {
				return false, err
			}
		}
		if s.Kind == RunStep {
			runs++
		}
		saw, err := perform(c.r.pr, s, runs, cells, c)
		if err != nil && !errors.Is(err, register.ErrDiverges) {
			return false, err
		}
		if err != nil || saw != c.r.saw[i] {
			c.late = !c.missing && i < at
			return false, nil
		}
	}
	if at == len(c.r.h.Steps) {
		if ok, err := c.atomic(cells); !ok || err != nil {
			return false, err
		}
	}
	// While the program runs, what it did last may not have been seen yet.
	return c.r.h.Pending || slices.Equal(cells, c.r.cells), nil
}

// atomic runs the program on cells, and reports whether the outcome is that
// of the actual run, as far as there is one.
func (c *checker) atomic(cells []register.Value) (bool, error) {
	h := &atomicHost{c: c, exist: append(slices.Clone(c.r.h.Args), cells...)}
	out, err := register.Run(c.r.pr.Program, c.r.h.Args, cells, h, nil, c.r.pr.Bounds.Run)
	switch {
	case errors.Is(err, register.ErrDiverges):
		return false, nil
	case err != nil:
		return false, err
	}
	return c.r.h.Pending || outcomeText(&out) == c.text, nil
}

// Pure is a function's result in the specification's runs.
func (c *checker) Pure(name string, result int, args []register.Value) register.Value {
	return c.apply(Application{Name: name, Result: result, Args: args}, pureClass(name, result),
		func(e *entry) bool { return !e.alloc || c.r.pool.reachable(e.value, args) })
}

func (c *checker) stepUnknown(call string, step int, site string, result int) register.Value {
	return c.apply(Application{Name: call, Result: result}, unknownClass(step, site, result),
		func(e *entry) bool { return !e.own || e.seen })
}

// apply is the result of an application. If the world lacks it, the attempt
// goes on with anything and comes to nothing.
func (c *checker) apply(a Application, result class, allow func(*entry) bool) register.Value {
	key := a.key()
	if v, ok := c.r.world[key]; ok {
		return v
	}
	if v, ok := c.extra[key]; ok {
		return v
	}
	boolean := c.r.bools.has(result)
	if c.missing = true; c.wanted == nil {
		c.wanted = &need{app: a, boolean: boolean, allow: allow}
	}
	if boolean {
		return register.LitFalse
	}
	return register.LitNil
}

// choose makes an angelic choice, unless the attempt is void already.
func (c *checker) choose(vs []register.Value) register.Value {
	if c.missing {
		return vs[0]
	}
	return vs[c.angel.pick(len(vs))]
}

// addValue adds v unless it is there, or is no value for an arbitrary choice.
func addValue(vs []register.Value, v register.Value) []register.Value {
	switch v {
	case register.LitTrue, register.LitFalse, register.LitAbsent:
		return vs
	}
	if slices.Contains(vs, v) {
		return vs
	}
	return append(vs, v)
}

// The rest of side makes no difference here.
func (c *checker) stepFresh(register.Value, string, []register.Value) {}
func (c *checker) see(register.Value)                                 {}

// atomicHost is the host of the program's atomic run. Its choices are
// angelic.
type atomicHost struct {
	c *checker
	// exist are the values that the run has met: a new identity is none
	// of them.
	exist []register.Value
	made  int // new values
}

// Pure implements reduce.Host. A function cannot give an identity that is still
// to be made: that the world says so for arguments which the actual run met later
// does not keep this run from making it.
func (h *atomicHost) Pure(name string, result int, args []register.Value) register.Value {
	v := h.c.Pure(name, result, args)
	if e := h.c.r.pool.find(v); e != nil && e.own && !h.c.r.pool.reachable(v, args) {
		return v
	}
	return h.meet(v)
}

// Unknown yields any value of the actual run or of this run, or a new one.
func (h *atomicHost) Unknown(site string, result int, _ []register.Value) register.Value {
	if h.c.r.bools.has(unknownClass(-1, site, result)) {
		return h.c.choose([]register.Value{register.LitTrue, register.LitFalse})
	}
	var vs []register.Value
	for _, v := range h.c.r.h.Unknown { // most likely to help
		vs = addValue(vs, v)
	}
	for _, e := range h.c.r.pool.entries {
		vs = addValue(vs, e.value)
	}
	for _, v := range h.exist {
		vs = addValue(vs, v)
	}
	return h.meet(h.c.choose(append(vs, h.name("u"))))
}

// Fresh yields an identity of the actual run that was allocated for the same
// type with equal contents, or a new one.
func (h *atomicHost) Fresh(site string, contents []register.Value) register.Value {
	var vs []register.Value
	for _, e := range h.c.matches {
		if e.typ == typeOf(site) && slices.Equal(e.contents, contents) && !slices.Contains(h.exist, e.value) {
			vs = append(vs, e.value)
		}
	}
	return h.meet(h.c.choose(append(vs, h.name(typeOf(site)))))
}

// GiveUp lets a weak CAS fail if that helps.
func (h *atomicHost) GiveUp(int) bool { return !h.c.missing && h.c.angel.pick(2) == 1 }

// name is a new name: no value of the actual run has a "$".
func (h *atomicHost) name(prefix string) register.Value {
	h.made++
	return register.Value(prefix + "$" + strconv.Itoa(h.made))
}

func (h *atomicHost) meet(v register.Value) register.Value {
	h.exist = append(h.exist, v)
	return v
}

// matches lists the identities of the interrupted program's run that make a
// difference: someone saw them, or a function was applied to them, or they
// are contents of such. To match another one would be as good as to take a
// new one.
func matches(r *run) []entry {
	var roots []register.Value
	roots = append(roots, r.cells...)
	roots = append(roots, r.outcome.Vals...)
	for _, e := range r.outcome.Observed() {
		roots = append(roots, e.Args...)
	}
	for _, a := range r.h.World {
		roots = append(roots, a.Args...)
		roots = append(roots, a.Value)
	}
	for _, e := range r.pool.entries {
		if e.seen {
			roots = append(roots, e.value)
		}
	}
	var found []entry
	for _, e := range r.pool.entries {
		if e.own && r.pool.reachable(e.value, roots) {
			found = append(found, e)
		}
	}
	return found
}
