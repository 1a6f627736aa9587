package trial

import "reflect"

// Same remembers the objects of an execution, of each type the first: what a call
// has returned, or was given. It is part of the world, so that a call can be given
// the very object that was registered before.
type Same struct {
	first map[reflect.Type]any
	ran   int // how often functions were called that only have effects
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
// nothing: what it is there for is that it runs. How often one that returns something
// is called is the code's own affair.
func Ran(world any) {
	if w, ok := world.(sharer); ok {
		w.same().ran++
	}
}

// runs tells how often that was.
var runs = Call{Name: "calls of the functions that were given", Do: func(world any, _ []int) []any {
	if w, ok := world.(sharer); ok {
		return []any{w.same().ran}
	}
	return []any{0}
}}
