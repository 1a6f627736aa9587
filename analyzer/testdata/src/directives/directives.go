// Package directives proves that code can speak for itself: findings that are
// ignored are not reported, functions that claim to be atomic are held to it,
// and maps of one's own, here those of another package, are analysed. Comments
// that are wrong are reported.
package directives

import (
	"sync"

	"directivelib"
)

type value struct{ name string }

type Store struct{ M sync.Map }

func (s *Store) Reported(k, name string) *value {
	if v, ok := s.M.Load(k); ok {
		return v.(*value)
	}
	v := &value{name}
	s.M.Store(k, v) // want "lost-update"
	return v
}

func (s *Store) Line(k, name string) *value {
	if v, ok := s.M.Load(k); ok {
		return v.(*value)
	}
	v := &value{name}
	s.M.Store(k, v) //mapatom:ignore lost-update only one goroutine opens a session
	return v
}

func (s *Store) Above(k, name string) *value {
	if v, ok := s.M.Load(k); ok {
		return v.(*value)
	}
	v := &value{name}
	//nolint:mapatom // only one goroutine opens a session
	s.M.Store(k, v)
	return v
}

// Function is excused as a whole.
//
//mapatom:ignore lost-update,crash only one goroutine opens a session
func (s *Store) Function(k, name string) *value {
	if v, ok := s.M.Load(k); ok {
		return v.(*value)
	}
	v := &value{name}
	s.M.Store(k, v)
	return v
}

func (s *Store) Other(k, name string) *value {
	if v, ok := s.M.Load(k); ok {
		return v.(*value)
	}
	v := &value{name}
	//mapatom:ignore stale-delete of another category // want "not needed"
	s.M.Store(k, v) // want "lost-update"
	return v
}

// Atomic is.
//
//mapatom:atomic
func (s *Store) Atomic(k, name string) *value {
	if v, ok := s.M.Load(k); ok {
		return v.(*value)
	}
	v, _ := s.M.LoadOrStore(k, &value{name})
	return v.(*value)
}

// NotAtomic is a finding once.
//
//mapatom:atomic
func (s *Store) NotAtomic(k, name string) *value {
	if v, ok := s.M.Load(k); ok {
		return v.(*value)
	}
	v := &value{name}
	s.M.Store(k, v) // want "lost-update"
	return v
}

// Two stores have nothing to do with each other, until somebody says that they
// have.
//
//mapatom:atomic
func (s *Store) Two(name string) {
	s.M.Store("a", name)
	s.M.Store("b", name) // want "non-atomic|lost-update"
}

// All goes through the map.
//
//mapatom:atomic
func (s *Store) All() { // want `All is marked as atomic and could not be verified: a loop goes through several entries .MA2002 not-verified.`
	s.M.Range(func(k, _ any) bool {
		s.M.Delete(k)
		return true
	})
}

// None has nothing to do with maps.
//
//mapatom:atomic // want `None uses no map or atomic that mapatom knows .MA2001 directive.`
func None() int { return 1 }

func Twice(c *directivelib.Cache, k string) int {
	if v, ok := c.Fetch(k); ok {
		return v
	}
	v := len(k) + c2(k)
	c.Put(k, v, 60) // want "lost-update"
	return v
}

// c2 keeps the value from being the same for every caller.
func c2(k string) int {
	v, _ := ticks.LoadOrStore(k, 1)
	return v.(int)
}

var ticks sync.Map

func Once(c *directivelib.Cache, k string, v int) int {
	v, _ = c.PutNew(k, v)
	return v
}

func Same(s *Store, n directivelib.Namer, i int, name string) *value {
	if v, ok := s.M.Load(directivelib.Key(n, i)); ok {
		return v.(*value)
	}
	v := &value{name}
	s.M.Store(directivelib.Key(n, i), v) // want "lost-update"
	return v
}

func Different(s *Store, n directivelib.Namer, i int, name string) *value {
	if v, ok := s.M.Load(directivelib.Name(n, i)); ok {
		return v.(*value)
	}
	v := &value{name}
	s.M.Store(directivelib.Name(n, i), v)
	return v
}

//mapatom:ignroe lost-update why // want `there is no directive //mapatom:ignroe`

//mapatom:pure // want `belongs in the comment of a function`

// Nothing has no result.
//
//mapatom:pure // want `a function without results is not called for its value`
func Nothing() {}

// Calls another one.
//
//mapatom:pure // want `what a function does that calls another one is up to its callers`
func Calls(f func() int) int { return f() }

type own struct{}

// Has one parameter too few.
//
//mapatom:base Store // want `has 1 parameters, the table says 2`
func (own) Has(k string) {}

//mapatom:base Lode // want `expected the name of a method of sync.Map`
func (own) Lode(k string) {}

//mapatom:base (key) = lode // want `"lode" is not a kind of operation`
func (own) Load(k string) {}

//mapatom:base Load // want `belongs in the comment of a method`
func Free(k string) {}
