package sim

import (
	"fmt"
	"runtime"
)

// world is what functions answer of which nothing is known. Within one
// comparison each is a fixed function: an atomic call is given the answers that
// the actual one got. Asked about something else at the same place, it may
// answer anything, and an explanation has to hold for every answer; a place
// that the actual call never came to may answer what fits, unless strict: there
// is one answer as well, which nobody chooses.
type world struct {
	answers map[string]any
	places  map[string]bool // at which the actual call asked
}

// question is how an answer is found in the world.
type question struct {
	place, key string
	pool       []any
}

// Ask is called by a function of which nothing is known, to get its answer.
func Ask(name string, pool []any, args ...any) any {
	_, file, line, _ := runtime.Caller(2)
	place := fmt.Sprintf("%s:%d %s", file, line, name)
	cur.effects = append(cur.effects, effect{name, args, true, !cur.touched[fmt.Sprint(args...)]})
	return cur.ask(question{place, fmt.Sprintf("%s%v", place, args), pool})
}

// actual answers the call that is judged.
func (w *world) actual(t *tape) func(question) any {
	return func(q question) any {
		w.places[q.place] = true
		return w.answer(q.key, q.pool, t)
	}
}

// step answers a step of the environment, of the given name, which asks the
// same in all runs.
func (w *world) step(name string, t *tape) func(question) any {
	n := 0
	return func(q question) any {
		n++
		return w.answer(fmt.Sprintf("%s, question %d, %s", name, n, q.key), q.pool, t)
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
	own := map[string]any{}
	return func(q question) any {
		if a, ok := w.answers[q.key]; ok {
			return a
		}
		a, ok := own[q.key]
		if !ok {
			t := inner
			if strict || w.places[q.place] {
				t = demon
			}
			a = q.pool[t.choose(len(q.pool))]
			own[q.key] = a
		}
		return a
	}
}
