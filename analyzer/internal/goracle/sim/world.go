package sim

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// world is what functions answer of which nothing is known. Within one
// comparison each is a fixed function: an atomic call is given the answers that
// the actual one got. Asked about something else at the same place, it may
// answer anything, and an explanation has to hold for every answer; a place
// that the actual call never came to may answer what fits, unless strict: there
// is one answer as well, which nobody chooses. If strict, an answer may be another one
// at another place as well.
type world struct {
	answers map[string]any
	places  map[string]bool // at which the actual call asked
	// said are the answers of the actual call, wherever it asked, and changed says that one
	// was not the same at two places.
	said    map[string]any
	changed bool
	// moody says that an answer may be another one each time, also at one place.
	moody bool
	// panics says that functions may panic.
	panics bool
}

func newWorld() *world {
	return &world{answers: map[string]any{}, places: map[string]bool{}, said: map[string]any{}}
}

// question is what a function is asked at a place, and what it may answer.
type question struct {
	name, place string
	args, pool  []any
}

// text is what the call asks, key that with the place.
func (q question) text() string { return q.name + q.about(cur.named) }
func (q question) key() string  { return q.place + q.about(cur.named) }

// Ask is called by a function of which nothing is known, to get its answer.
func Ask(name string, pool []any, args ...any) any { return ask(name, pool, args) }

// Try is called by a function of which nothing is known that gives an error: it has an
// effect, and may fail.
func Try(name string, args ...any) error {
	cur.effects = append(cur.effects, effect{name: name, args: args})
	if ask(name, []any{false, true}, args).(bool) {
		return errFailed
	}
	return nil
}

var errFailed = errors.New("failed")

// ask is called by what the function calls.
func ask(name string, pool, args []any) any {
	_, _, line, _ := runtime.Caller(3)
	written := slices.Contains(cur.unit.Written, line)
	tail := !slices.Contains(cur.unit.Unused, line) && (written || !slices.ContainsFunc(args, cur.wasTouched))
	cur.effects = append(cur.effects, effect{name: name, args: args, asked: true, tail: tail, written: written})
	return give(name, pool, args)
}

// give is what a function that is called by the program's call of it gives, three calls further out.
func give(name string, pool, args []any) any {
	_, file, line, _ := runtime.Caller(4)
	if cur.panics && recovers() {
		pool = append(slices.Clone(pool), panics{})
	}
	a := cur.ask(question{name, fmt.Sprintf("%s:%d %s", file, line, name), args, pool})
	if a == (panics{}) {
		panic("a function of which nothing is known")
	}
	return a
}

// recovers reports whether a panic of the calling goroutine is one of the call: that of another
// one ends the program.
func recovers() bool {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "(*execution).guarded") {
			return true
		}
		if !more {
			return false
		}
	}
}

// panics is what a function answers that panics.
type panics struct{}

// about is what a question is about, with a text for each value.
func (q question) about(text func(any) string) string {
	var texts []string
	for _, a := range q.args {
		texts = append(texts, text(a))
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// named is a value as the call asks about it: objects of two runs are the same if the environment
// made them as the same one, or if both ask about them in the same order.
func (r *run) named(v any) string {
	o, ok := v.(Node)
	if !ok || o.SimNil() {
		return fmt.Sprint(v)
	}
	for n, made := range r.objects {
		if made == v {
			return fmt.Sprintf("object%d", n)
		}
	}
	i := slices.Index(r.asked, o)
	if i < 0 {
		i = len(r.asked)
		r.asked = append(r.asked, o)
	}
	return fmt.Sprintf("#%d", i)
}

// unnamed is a value as the environment asks about it.
func unnamed(v any) string {
	if o, ok := v.(Node); ok && !o.SimNil() {
		return "object"
	}
	return fmt.Sprint(v)
}

// keyOf is what an answer is found by: what is asked, where, and, if somebody is moody, how often
// that was asked before.
func (w *world) keyOf(q question, asked map[string]int) string {
	key := q.key()
	if asked[key]++; w.moody {
		return fmt.Sprintf("%s %d", key, asked[key])
	}
	return key
}

// actual answers the call that is judged.
func (w *world) actual(t *tape) func(question) any {
	asked := map[string]int{}
	return func(q question) any {
		w.places[q.place] = true
		a := w.answer(w.keyOf(q, asked), q.pool, t)
		if b, ok := w.said[q.text()]; ok && a != b {
			w.changed = true
		}
		w.said[q.text()] = a
		return a
	}
}

// step answers a step of the environment, of the given name, which asks the
// same in all runs.
func (w *world) step(name string, t *tape) func(question) any {
	n := 0
	return func(q question) any {
		n++
		return w.answer(fmt.Sprintf("%s, question %d, %s", name, n, q.place+q.about(unnamed)), q.pool, t)
	}
}

// answer gives an answer that was given before, or chooses one.
func (w *world) answer(key string, pool []any, t *tape) any {
	a, ok := w.answers[key]
	if !ok {
		a = pool[t.choose(len(pool))]
		w.answers[key] = a
	}
	return a
}

// atomic answers a call that is made at once: inner are choices that may fit,
// demon those that have to fit all.
func (w *world) atomic(inner, demon *tape, strict bool) func(question) any {
	own, asked := map[string]any{}, map[string]int{}
	return func(q question) any {
		key := w.keyOf(q, asked)
		if a, ok := w.answers[key]; ok {
			return a
		}
		if !strict {
			key = q.text()
			if a, ok := w.said[key]; ok {
				return a
			}
		}
		a, ok := own[key]
		if !ok {
			t, pool := inner, q.pool
			if strict || w.places[q.place] {
				t, pool = demon, slices.DeleteFunc(slices.Clone(pool), func(a any) bool { return a == panics{} })
			}
			a = pool[t.choose(len(pool))]
			own[key] = a
		}
		return a
	}
}
