package trial

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mapatom/mapatom/checker/sched"
)

// Same remembers the objects of an execution, of each type the first: what a call
// has returned, or was given. It is part of the world, so that a call can be given
// the very object that was registered before.
type Same struct {
	first map[reflect.Type]any
	// ran are the calls of functions that only have effects, each with what it was
	// given that is plain.
	ran []string
	// parted says that calls are split. Then a function that is given is a place for it,
	// and how many are run at the same time is counted, and the most of them.
	parted        bool
	running, most int
	// over says that all calls are, started that they have started something; going are
	// the goroutines that go on all the same to call functions which were given.
	over, started bool
	going         map[*sched.Thread]bool
}

// sharer is a world.
type sharer interface{ same() *Same }

func (s *Same) same() *Same { return s }

// note remembers the objects among results.
func (s *Same) note(results []any) {
	for _, r := range results {
		if v := reflect.ValueOf(r); v.Kind() == reflect.Pointer && !v.IsNil() {
			s.remember(v.Type(), r)
		}
	}
}

func (s *Same) remember(t reflect.Type, object any) {
	if s.first == nil {
		s.first = map[reflect.Type]any{}
	}
	if _, ok := s.first[t]; !ok {
		s.first[t] = object
	}
}

// The is the object of its type in the world, which is made if there is none.
func The[T any](world any, make func() T) T {
	w, ok := world.(sharer)
	if !ok {
		return make()
	}
	s, t := w.same(), reflect.TypeFor[T]()
	if object, ok := s.first[t]; ok {
		return object.(T)
	}
	object := make()
	s.remember(t, object)
	return object
}

// Ran notes that a function was called which was given to the code, and returns
// nothing, or only whether it has failed: what it is there for is that it runs, with what.
// How often one that returns a value is called is the code's own affair.
func Ran(world any, args ...any) {
	w, ok := world.(sharer)
	if !ok {
		return
	}
	var words []string
	for _, a := range args {
		if plain(a) {
			words = append(words, fmt.Sprintf("%#v", a))
		}
	}
	s := w.same()
	if s.over {
		s.going[sched.Current()] = true
		return
	}
	s.ran = append(s.ran, strings.Join(words, ", "))
	s.work()
}

// work is what such a function does.
func (s *Same) work() {
	if !s.parted {
		return
	}
	s.running++
	s.most = max(s.most, s.running)
	sched.Mark(sched.Call)
	s.running--
}

// together tells how many were run at the same time, goesOn how many go on.
var (
	together = Call{Name: "functions that were given, at the same time", Do: func(world any, _ []int) []any {
		if w, ok := world.(sharer); ok {
			return []any{w.same().most}
		}
		return []any{0}
	}}
	goesOn = Call{Name: "goroutines that go on calling functions that were given", Do: func(world any, _ []int) []any {
		w, ok := world.(sharer)
		if !ok {
			return []any{0}
		}
		w.same().wait()
		return []any{len(w.same().going)}
	}}
)

// Bounds on the time that passes when all calls are over: from the shortest period of
// what is done again and again to the longest.
const (
	shortest = time.Millisecond
	longest  = time.Hour
)

// wait lets time pass until somebody calls a function that was given, and once more as
// long, so that whoever does so as often has as well.
func (s *Same) wait() {
	s.over, s.going = true, map[*sched.Thread]bool{}
	if !s.started {
		return
	}
	sleep := sched.Sleeper(time.Sleep)
	for passed := shortest; passed <= longest; passed *= 2 {
		sleep(passed)
		if len(s.going) > 0 {
			sleep(2 * passed)
			return
		}
	}
}

// plain reports whether a value is all that there is to know of it: one that has an
// identity, or something behind it, may be another one without a difference.
func plain(v any) bool {
	switch k := reflect.ValueOf(v).Kind(); k {
	case reflect.Bool, reflect.String:
		return true
	default:
		return reflect.Int <= k && k <= reflect.Float64 && k != reflect.Uintptr
	}
}

// runs tells how often that was, and what they were given, in no order: which of two
// callers has its function run first is nobody's affair.
var runs = Call{Name: "calls of the functions that were given", Do: func(world any, _ []int) []any {
	w, ok := world.(sharer)
	if !ok {
		return []any{0}
	}
	with := slices.Sorted(slices.Values(w.same().ran))
	if !slices.ContainsFunc(with, func(words string) bool { return words != "" }) {
		return []any{len(with)}
	}
	return []any{"(" + strings.Join(with, "), (") + ")"}
}}
