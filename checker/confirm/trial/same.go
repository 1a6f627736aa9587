package trial

import "reflect"

// Same remembers the objects of an execution, of each type the first: what a call
// has returned, or was given. It is part of the world, so that a call can be given
// the very object that was registered before.
type Same struct{ first map[reflect.Type]any }

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
