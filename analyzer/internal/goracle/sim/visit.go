package sim

import (
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// visit is a call by the environment of a function that is no single step: it
// goes on by one of its steps at a time, and others come in between.
type visit struct {
	next func() (more bool)
	stop func()
	ask  func(question) any
	text string // what it gave in the end
	at   []int  // where its last operation was, see lines
	made []int  // where all operations of its last step were
	goes []int  // where its next operation is, if it has stopped there
	over bool
}

// aside runs f while the call that is judged stands still: without anybody who
// interrupts, chooses for it or sees its effects.
func (x *execution) aside(ask func(question) any, f func()) {
	saved := *cur
	cur.before, cur.found, cur.effects, cur.order, cur.ask = nil, nil, nil, nil, ask
	defer func() {
		cur.before, cur.found, cur.effects, cur.order, cur.ask = saved.before, saved.found, saved.effects, saved.order, saved.ask
	}()
	f()
}

// asks is for the next call by the environment.
func (x *execution) asks() func(question) any {
	x.invoked++
	return x.plan.world.step(fmt.Sprintf("step %d", x.invoked), x.search.tape)
}

// invoke calls a function at once, as a step of the environment.
func (x *execution) invoke(f *Func, args []any) (text string) {
	x.aside(x.asks(), func() { text = x.gave(x.run(f, args)) })
	return text
}

// gave is what a call by the environment shows.
func (x *execution) gave(results []any, p any, panicked bool) string {
	if panicked {
		return x.namer.panicClass(p) + " " + x.effects()
	}
	var out []string
	for _, v := range results {
		out = append(out, x.show(v))
	}
	return strings.Join(out, ", ") + " " + x.effects()
}

// effects are those of a step of the environment, of which it is noted what they were given.
func (x *execution) effects() string {
	text := x.namer.effects(cur.effects, false)
	x.tells = x.namer.tells(cur.effects)
	return text
}

// visit begins a call and makes its first step.
func (x *execution) visit(f *Func, args []any) string {
	return x.resume(x.enter(f, args, false))
}

// enter is a call that is about to begin, with a step that makes nothing if it waits.
func (x *execution) enter(f *Func, args []any, waits bool) *visit {
	v, loose := &visit{ask: x.asks()}, x.search.loose(f)
	x.visits = append(x.visits, v)
	call := func() {
		results, p, panicked := x.guarded(f, args)
		if !x.stopped {
			v.text = x.gave(results, p, panicked)
		}
	}
	parts := func(here []int) bool {
		v.goes = here
		return v.at == nil && waits || v.at != nil && !loose.looks(here) && !loose.together(v.at, here)
	}
	made := func(here []int) {
		if waits = false; v.at == nil || !loose.looks(here) {
			v.at = here
		}
		v.made = append(v.made, here...)
	}
	if x.search.unit.Threads {
		v.next, v.stop = (&threads{file: x.search.unit.Name + ".go"}).visit(call, parts, made)
		return v
	}
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		cur.before = func() {
			here := lines(x.search.unit.Name + ".go")
			if parts(here) && !yield(struct{}{}) {
				panic(endless{})
			}
			made(here)
		}
		call()
	})
	v.next, v.stop = func() bool { _, more := next(); return more }, stop
	return v
}

// lines are where the calls under way are in a file, the innermost one first.
func lines(file string) (out []int) {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		f, more := frames.Next()
		if filepath.Base(f.File) == file {
			out = append(out, f.Line)
		}
		if !more {
			return out
		}
	}
}

// together reports whether operations at two places are of one step.
func (l *Loose) together(a, b []int) bool {
	for _, step := range l.Steps {
		of := func(line int) bool { return slices.Contains(step, line) }
		if slices.ContainsFunc(a, of) && slices.ContainsFunc(b, of) {
			return true
		}
	}
	return false
}

// looks reports whether the operation at a place is of no step and only reads.
func (l *Loose) looks(at []int) bool {
	return slices.ContainsFunc(at, func(line int) bool { return slices.Contains(l.Looks, line) })
}

// isAt reports whether an operation at a line is among those at some places: a deferred
// one is where its function ends.
func (l *Loose) isAt(line int, places []int) bool {
	at := []int{line}
	if slices.Contains(l.Deferred, line) {
		at = append(at, l.Ends...)
	}
	return slices.ContainsFunc(at, func(line int) bool { return slices.Contains(places, line) })
}

// resume makes the next step of a visit; it says what the call gave if it
// is over, and else what effects it had.
func (x *execution) resume(v *visit) (text string) {
	v.made, v.goes = nil, nil
	x.aside(v.ask, func() {
		if v.next() {
			text = "... " + x.effects()
			return
		}
		v.over, v.goes, text = true, nil, v.text
	})
	if cur.endless && !x.stopped {
		x.broken = true
	}
	return text
}

// underway are the visits that are not over.
func (x *execution) underway() (out []int) {
	for i, v := range x.visits {
		if !v.over {
			out = append(out, i)
		}
	}
	return out
}

// stop ends the visits that are under way, once everything is judged.
func (x *execution) stop() {
	x.stopped = true
	for _, v := range x.visits {
		v.stop()
	}
}
