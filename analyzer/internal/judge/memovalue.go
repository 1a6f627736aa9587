package judge

import (
	"slices"
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// memo is the question whether a value that is stored in a cell follows from the
// cell's key, or, in an atomic, from the object that the atomic is in.
type memo struct {
	f     *rivals.Function
	cell  *register.Cell
	plain bool // the value is a number, a string or the like
	// inputs are what the key is made of.
	inputs map[register.Local]bool
	defs   map[register.Local][]*register.Instr
	// found are the outcomes of the operations on the cell, and of those that
	// change another one.
	found map[register.Local]bool
}

func newMemo(f *rivals.Function, cell int, plain bool) *memo {
	m := &memo{
		f: f, cell: &f.Prog.Cells[cell], plain: plain,
		inputs: map[register.Local]bool{}, defs: map[register.Local][]*register.Instr{},
		found: map[register.Local]bool{},
	}
	for _, a := range f.Find.Accesses {
		if a.Writes || a.Cell == cell {
			for _, l := range a.Outcome {
				m.found[l] = true
			}
		}
	}
	m.findInputs()
	return m
}

// findInputs finds what the key is made of, up to what is passed to the function, is
// a part of something, or is given by a call that cannot be predicted. An object
// that makes the key, such as a strings.Builder, is made of what it is given.
func (m *memo) findInputs() {
	given := map[register.Local][]*register.Instr{}
	for _, b := range m.f.Prog.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			in.Defs(func(l register.Local) { m.defs[l] = append(m.defs[l], in) })
			if in.Op == register.Effect && len(in.Args) > 0 {
				given[in.Args[0].Local] = append(given[in.Args[0].Local], in)
			}
		}
	}
	of := m.cell.Key
	if of.IsNone() {
		of = m.cell.Map
	}
	work := []register.Operand{of}
	for len(work) > 0 {
		l := work[0].Local
		work = work[1:]
		if l == register.None || m.inputs[l] {
			continue
		}
		m.inputs[l] = true
		for _, in := range m.defs[l] {
			switch {
			case in.Op == register.Copy, in.Op == register.Pure && !isPart(in):
				work = append(work, in.Args...)
			case in.Op == register.Fresh:
				for _, use := range given[l] {
					work = append(work, use.Args[1:]...)
				}
			}
		}
	}
}

// follows reports whether a value is computed from constants, the key, and calls
// that are given something of the key, and from one of these calls at least.
func (m *memo) follows(v register.Operand) bool {
	keyed := false
	return m.computed(v, map[register.Local]bool{}, &keyed) && keyed
}

func (m *memo) computed(v register.Operand, seen map[register.Local]bool, keyed *bool) bool {
	l := v.Local
	switch {
	case l == register.None || seen[l]:
		return true
	case m.inputs[l], m.isKey(v):
		*keyed = true
		return true
	case len(m.defs[l]) == 0:
		return false // an argument that has nothing to do with the key
	}
	seen[l] = true
	for _, in := range m.defs[l] {
		switch {
		case m.asks(in):
			if slices.ContainsFunc(in.Args, func(a register.Operand) bool { return m.counts(a, map[register.Local]bool{}) }) {
				return false
			}
			*keyed = true
		case in.Op != register.Copy && in.Op != register.Pure && in.Op != register.Fresh,
			in.Op == register.Fresh && (len(in.Args) == 0 || strings.Contains(in.Name, "#made")),
			in.Op == register.Pure && len(in.Args) == 0,
			slices.ContainsFunc(in.Args, func(a register.Operand) bool { return !m.computed(a, seen, keyed) }):
			return false
		}
	}
	return true
}

// isKey reports whether a value is the key, perhaps computed a second time.
func (m *memo) isKey(v register.Operand) bool {
	return !m.cell.Key.IsNone() && m.same(v, m.cell.Key, 8)
}

func (m *memo) same(a, b register.Operand, depth int) bool {
	a, b = m.f.N.Source(a), m.f.N.Source(b)
	if a == b || depth == 0 {
		return a == b
	}
	x, y := m.onlyDef(a), m.onlyDef(b)
	if x == nil || y == nil || x.Op != register.Pure || y.Op != register.Pure || x.Name != y.Name || len(x.Args) != len(y.Args) ||
		len(x.Dst) != 1 || len(y.Dst) != 1 || len(x.Args) == 0 {
		return false
	}
	for i := range x.Args {
		if !m.same(x.Args[i], y.Args[i], depth-1) {
			return false
		}
	}
	return true
}

func (m *memo) onlyDef(v register.Operand) *register.Instr {
	if v.Local == register.None || len(m.defs[v.Local]) != 1 {
		return nil
	}
	return m.defs[v.Local][0]
}

// asks reports whether an instruction is a call, or a look into a map, that is
// given something of the key and does not, by its name, make something up. What
// is remembered in an atomic may also be got somewhere for other arguments.
func (m *memo) asks(in *register.Instr) bool {
	name := in.Site()
	switch {
	case !isCallName(name) || loadsField(in), in.Op != register.Pure && in.Op != register.Unknown && in.Op != register.Fresh,
		in.Op == register.Fresh && !strings.Contains(in.Name, "#made"):
		return false
	case m.plain && in.Op == register.Fresh:
		return false
	}
	short := name[strings.LastIndexAny(name, ".:")+1:]
	if m.plain && makesUp(short) {
		return false
	}
	if m.cell.Key.IsNone() && ssaprog.IsGetter(short) {
		return slices.ContainsFunc(in.Args, func(a register.Operand) bool { return a.Local != register.None })
	}
	return slices.ContainsFunc(in.Args, func(a register.Operand) bool { return m.madeOf(a, map[register.Local]bool{}) })
}

// counts reports whether a value is made of what was found in the cell, or of what
// was found in another one that was changed.
func (m *memo) counts(v register.Operand, seen map[register.Local]bool) bool {
	l := v.Local
	if l == register.None || seen[l] {
		return false
	}
	seen[l] = true
	if m.found[l] {
		return true
	}
	return slices.ContainsFunc(m.defs[l], func(in *register.Instr) bool {
		return !in.IsBase() && slices.ContainsFunc(in.Args, func(a register.Operand) bool { return m.counts(a, seen) })
	})
}

// madeOf reports whether something of the key is in a value.
func (m *memo) madeOf(v register.Operand, seen map[register.Local]bool) bool {
	l := v.Local
	switch {
	case l == register.None || seen[l]:
		return false
	case m.inputs[l], m.isKey(v):
		return true
	}
	seen[l] = true
	return slices.ContainsFunc(m.defs[l], func(in *register.Instr) bool {
		return (in.Op == register.Copy || in.Op == register.Pure || in.Op == register.Unknown) &&
			slices.ContainsFunc(in.Args, func(a register.Operand) bool { return m.madeOf(a, seen) })
	})
}

// isCallName reports whether the name of an instruction is that of a call, or of a
// look into a built-in map, and not of an operator.
func isCallName(name string) bool {
	if strings.HasPrefix(name, "lookup:") {
		return true
	}
	return strings.Contains(name, ".") && !strings.ContainsAny(name, ": &")
}

// isPart reports whether an instruction gives a certain part of an object: the rest
// of it may be anything.
func isPart(in *register.Instr) bool {
	name, _, _ := strings.Cut(in.Name, ":")
	switch name {
	case "elem", "index":
		return len(in.Args) > 1 && in.Args[1].IsLit()
	case register.SliceOf, "lookup":
		return true
	}
	return loadsField(in)
}

// loadsField reports whether an instruction loads a field. A method of another
// package's interface has a name like that, too, but its arguments as well.
func loadsField(in *register.Instr) bool { return in.Memory().IsField() && len(in.Args) == 1 }

// makers begin the names of functions whose results, if they are numbers or
// strings, stand for something that the call made, or are another one each time.
var makers = []string{
	"new", "next", "gen", "rand", "alloc", "create", "make", "register", "open", "dial", "connect", "acquire", "reserve",
	"assign", "issue", "insert", "add", "inc", "start", "begin", "now", "time", "since", "until", "clock", "uuid", "token",
}

func makesUp(name string) bool { return ssaprog.HasAnyPrefix(strings.ToLower(name), makers) }
