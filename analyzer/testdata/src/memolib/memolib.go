// Package memolib has types whose fields other packages do not see.
package memolib

// Expr is compiled once. Its methods are given a copy of it.
type Expr struct{ text string }

func (e Expr) Eval(args map[string]any) (any, error) { return args[e.text], nil }
func (e Expr) Vars() []string                        { return []string{e.text} }

// Path is compiled once. Its method is given a pointer to it.
type Path struct{ text string }

func (p *Path) Query(of []string) []string { return append(of, p.text) }

// Meter is changed by its methods.
type Meter struct{ n int }

func (m *Meter) Mark(n int) { m.n += n }

// Compiler makes them.
type Compiler interface {
	Compile(user, text string) *Expr
	Parse(user, text string) *Path
	Measure(user, text string) *Meter
}
