package sim

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// execution is a run and what it showed.
type execution struct {
	search  *search
	plan    *plan
	self    any
	cells   []any
	objects map[Object]any
	namer   *namer
	shown   []any // to the environment, each once
	seen    []string
	// told is what the effects of each step of the environment were given.
	told    []string
	tells   string   // what those of the step under way were given
	expect  []string // what seen has to be, nil if it may be anything
	results []any    // of the call
	// outcome is that of the call, and strict what it is if all that effects are given counts.
	outcome, strict string
	// outcomes names the outcome of the call.
	outcomes func(strict bool) string
	final    string
	visits   []*visit
	stopped  bool
	invoked  int  // calls by the environment
	broken   bool // it does not end, or an argument is missing
	mistyped bool // somebody put a value of another type where one is taken for granted
}

func (s *search) execution(p *plan) *execution {
	x := &execution{search: s, plan: p, self: s.unit.New(), objects: map[Object]any{}, namer: &namer{names: map[Node]string{}}}
	x.cells = s.unit.Cells(x.self)
	cur = &run{order: s.tape.choose, objects: x.objects, panics: p.world.panics, unit: s.unit, contents: x.plainContents}
	return x
}

// plainContents are what the built-in maps hold.
func (x *execution) plainContents() (out []any) {
	for _, c := range x.cells {
		if c, ok := c.(interface{ simPlain() []any }); ok {
			out = append(out, c.simPlain()...)
		}
	}
	return out
}

func (y *execution) same(x *execution, lenient bool) bool {
	return (y.search.OwnEntry || slices.Equal(y.seen, x.seen)) && y.outcome == x.outcome && y.final == x.final &&
		(lenient || y.strict == x.strict && slices.Equal(y.told, x.told))
}

// start makes a step before the call, which nobody watches. Objects that were handed out by then may be given to the call.
func (x *execution) start(st step) {
	had := len(x.shown)
	x.do(st)
	made := slices.DeleteFunc(slices.Clone(x.shown[had:]), func(v any) bool {
		_, isObject := v.(Node)
		return !isObject
	})
	x.shown = append(x.shown[:had], made...)
	x.shown = x.shown[max(0, len(x.shown)-maxHanded):]
	cur.steps = 0
}

// maxHanded bounds the objects that were handed out before the call.
const maxHanded = 2

// perform makes a step of the environment and notes what it showed.
func (x *execution) perform(st step) {
	i := len(x.seen)
	x.tells = ""
	if x.expect == nil && x.search.OwnEntry { // in an atomic run of the same steps there may be something else
		shown := func(a arg) bool { return a.seen }
		x.broken = x.broken || slices.ContainsFunc(st.args, shown) || slices.ContainsFunc(x.values(st.args), x.isThere)
	}
	x.seen = append(x.seen, x.do(st))
	x.told = append(x.told, x.tells)
	if x.expect != nil && x.seen[i] != x.expect[i] && !x.search.OwnEntry {
		x.broken = true // values that were shown differ from here on
	}
}

// do makes a step and says what it showed.
func (x *execution) do(st step) string {
	if x.broken {
		return ""
	}
	args := x.values(st.args)
	if x.broken {
		return ""
	}
	switch {
	case st.op == "resume":
		if st.visit >= len(x.visits) || x.visits[st.visit].over {
			x.broken = true
			return ""
		}
		return x.resume(x.visits[st.visit])
	case st.op == "visit":
		return x.visit(st.fn, args)
	case st.op == "enter":
		return x.resume(x.enter(st.fn, args, true))
	case st.fn != nil:
		return x.invoke(st.fn, args)
	}
	if c, ok := x.cells[st.cell].(interface{ SimHeld() bool }); ok && c.SimHeld() {
		x.broken = true // whoever wants to look has to wait
		return ""
	}
	var old any
	had := true
	switch c := x.cells[st.cell].(type) {
	case MapCell:
		old, had = c.SimGet(st.key)
		switch st.op {
		case "Swap":
			c.SimPut(st.key, args[0])
		case "LoadAndDelete":
			c.SimDrop(st.key)
		}
	case AtomicCell:
		old = c.SimLoad()
		if st.op == "Swap" {
			c.SimStore(args[0])
		}
	}
	if !had {
		return "absent"
	}
	return x.show(old)
}

// isThere reports whether a cell holds a value already.
func (x *execution) isThere(v any) bool {
	for _, c := range x.cells {
		switch c := c.(type) {
		case MapCell:
			for _, key := range c.SimKeys() {
				if old, _ := c.SimGet(key); old == v {
					return true
				}
			}
		case AtomicCell:
			if c.SimLoad() == v {
				return true
			}
		}
	}
	return false
}

// show names a value that the environment gets to see.
func (x *execution) show(v any) string {
	if v != nil && !slices.Contains(x.shown, v) {
		x.shown = append(x.shown, v)
	}
	return x.namer.value(v)
}

// values are the arguments as the program gets them.
func (x *execution) values(args []arg) []any {
	var out []any
	for _, a := range args {
		switch v := a.value.(type) {
		case Object:
			out = append(out, x.object(v))
		default:
			if a.seen && a.shown >= len(x.shown) {
				x.broken = true
				return nil
			}
			if a.seen {
				v = x.shown[a.shown]
			}
			out = append(out, v)
		}
	}
	return out
}

func (x *execution) object(n Object) any {
	o, ok := x.objects[n]
	if !ok {
		o = x.search.unit.Make(int(n))
		x.objects[n] = o
		x.namer.give(o.(Node), fmt.Sprintf("object%d", n))
	}
	return o
}

// call makes the call that is judged. Its outcome is named in finish, after
// all that the environment saw: thus two runs name things in the same order.
func (x *execution) call(p *plan) {
	if x.broken {
		return
	}
	args := x.values(p.args)
	if x.broken {
		return
	}
	for _, a := range args {
		cur.touch(a)
	}
	results, v, panicked := x.run(x.search.fn, args)
	x.results, cur.before = results, nil
	effects := cur.effects
	cur.effects = nil
	x.outcomes = func(strict bool) string {
		text := x.namer.values(results)
		if panicked {
			text = x.namer.panicClass(v)
		}
		return text + " effects " + x.namer.effects(x.search.fn.others(effects, args, strict), strict)
	}
}

// others are the effects but for those on nothing else than what the call was given and has nothing to do with the
// cells, see Own: nobody finds that there by the call. If strict, those after the last operation are the way on, and count.
func (f *Func) others(effects []effect, args []any, strict bool) (out []effect) {
	for _, e := range effects {
		if strict && !e.followed {
			out = append(out, e)
			continue
		}
		given := slices.DeleteFunc(slices.Clone(e.args), func(v any) bool {
			for i, own := range f.Own {
				if own && args[i] == v {
					return true
				}
			}
			return false
		})
		if len(given) > 0 || len(e.args) == 0 {
			e.args = given
			out = append(out, e)
		}
	}
	return out
}

// run calls a function of the program.
func (x *execution) run(f *Func, args []any) (results []any, p any, panicked bool) {
	if !x.search.unit.Threads {
		return x.guarded(f, args)
	}
	cur.schedule(func() { results, p, panicked = x.guarded(f, args) })
	if cur.endless {
		x.broken = true
	}
	return results, p, panicked
}

// guarded calls a function and catches its panic.
func (x *execution) guarded(f *Func, args []any) (results []any, p any, panicked bool) {
	panicked = true
	defer func() {
		if panicked {
			p = recover()
			x.mistyped = x.mistyped || otherType(p)
		}
		if cur.endless && !x.stopped {
			x.broken = true
		}
	}()
	results = f.Call(x.self, args)
	return results, nil, false
}

// otherType reports whether a panic says that a value is not of the type that the code
// takes for granted: that of an atomic.Value, or of an assertion without a second
// result. Who puts such a value there is at fault.
func otherType(p any) bool {
	if text, ok := p.(string); ok {
		return strings.Contains(text, "inconsistently typed")
	}
	err, ok := p.(*runtime.TypeAssertionError)
	return ok && !strings.Contains(err.Error(), "is nil, not")
}

// finish notes the outcome and what is left in the end.
func (x *execution) finish() {
	if x.broken {
		return
	}
	x.outcome, x.strict = x.outcomes(false), x.outcomes(true)
	var b strings.Builder
	for _, c := range x.cells {
		switch c := c.(type) {
		case MapCell:
			keys := c.SimKeys()
			slices.SortFunc(keys, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			for _, k := range keys {
				v, _ := c.SimGet(k)
				fmt.Fprintf(&b, "%v:%s ", k, x.namer.value(v))
			}
			b.WriteString("; ")
		case AtomicCell:
			b.WriteString(x.namer.value(c.SimLoad()) + "; ")
		}
	}
	x.final = b.String() + x.namer.contents()
}
