package extension

import "github.com/mapatom/mapatom/internal/reduce/register"

// PlainMemory names the memory that an instruction accesses: a field, a package
// variable, or the entries of a built-in map. Elements of slices do not count,
// since goroutines often have one each.
func PlainMemory(in *register.Instr) (name string, writes bool) {
	m := in.Memory()
	switch {
	case len(in.Args) == 0 || m.Address:
	case m.IsField():
		return m.Name, m.Writes
	case m.Kind == register.Entry:
		return "[]", m.Writes
	case m.Kind == register.Variable && in.Args[0].IsLit():
		return "*", m.Writes
	}
	return "", false
}

// StoreStep is the step to the memory that an instruction stores in, and which of
// its arguments is stored; "" for others.
func StoreStep(in *register.Instr) (step string, value int) {
	m := in.Memory()
	switch {
	case m.Value < 0 || m.Value >= len(in.Args):
	case m.Kind == register.Entry, m.Kind == register.Element:
		return ElemStep, m.Value
	case m.Kind == register.Field:
		return m.Name, m.Value
	}
	return "", 0
}

// ElemStep is the step to an element of a container.
const ElemStep = "/[]"
