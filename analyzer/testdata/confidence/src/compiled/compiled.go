// Package compiled has what is compiled once.
package compiled

import "io"

type node interface {
	SetType(string)
	Type() string
}

type name struct{ kind string }

func (n *name) SetType(kind string) { n.kind = kind }
func (n *name) Type() string        { return n.kind }

// Program is compiled from a text, and does not change.
type Program struct {
	text string
	root node
}

func New(text string) (*Program, error) {
	root := &name{}
	root.SetType(text)
	return &Program{text, root}, nil
}

func (p *Program) Run(x int) string    { return p.text + p.root.Type() }
func (p *Program) Address() string     { return p.text }
func (p *Program) PrintTo(w io.Writer) { io.WriteString(w, p.text) }

// Machine keeps what it has run.
type Machine struct {
	text string
	runs int
}

func NewMachine(text string) (*Machine, error) { return &Machine{text: text}, nil }

func (m *Machine) Run(x int) string { m.runs++; return m.text }
func (m *Machine) Clear()           { m.runs = 0 }
