package memo

import (
	"sync"

	"memolib"
)

// Exprs may compile a text twice, for two users.
type Exprs struct {
	found    sync.Map
	compiler memolib.Compiler
}

func (e *Exprs) Get(user, text string) (*memolib.Expr, string) {
	if v, ok := e.found.Load(text); ok {
		return v.(*memolib.Expr), user
	}
	x := e.compiler.Compile(user, text)
	e.found.Store(text, x)
	return x, user
}

// Meters are counted on.
type Meters struct {
	found    sync.Map
	compiler memolib.Compiler
}

func (m *Meters) Get(user, text string) (*memolib.Meter, string) {
	if v, ok := m.found.Load(text); ok {
		return v.(*memolib.Meter), user
	}
	x := m.compiler.Measure(user, text)
	m.found.Store(text, x) // want "lost-update"
	return x, user
}

// Paths may compile a text twice as well: what is asked gives an answer.
type Paths struct {
	found    sync.Map
	compiler memolib.Compiler
}

func (e *Paths) Get(user, text string) (*memolib.Path, string) {
	if v, ok := e.found.Load(text); ok {
		return v.(*memolib.Path), user
	}
	x := e.compiler.Parse(user, text)
	e.found.Store(text, x)
	return x, user
}
