package register

import "strings"

// MemoryKind is the kind of memory that an instruction is about.
type MemoryKind int

const (
	// NoMemory is that of an instruction about values alone, or a cell.
	NoMemory MemoryKind = iota
	// Field is a field of a type with a name: "pkg.T.f".
	Field
	// Part is a field of a struct without a name: "struct.f".
	Part
	// Element is an element of a slice or an array.
	Element
	// Entry is an entry of a built-in map, and Visited one that a range comes to.
	Entry
	Visited
	// Variable is a variable, or whatever else an address leads to.
	Variable
)

// Memory is what an instruction does to memory that is no cell: it loads from it,
// takes its address, or stores to it. The owner is the instruction's first argument.
type Memory struct {
	Kind MemoryKind
	// Name is that of a Field or Part as reduce.MemoryName has it.
	Name string
	// Address says that only the address is taken, Writes that the memory changes.
	Address, Writes bool
	// Value is the argument that is stored; -1 if none is.
	Value int
}

// IsField reports whether it is a field, of whatever struct.
func (m Memory) IsField() bool { return m.Kind == Field || m.Kind == Part }

// Memory is what the instruction is about. The names that Lower gives to instructions
// are read here, and nowhere else.
func (in *Instr) Memory() Memory {
	if in.Called {
		return Memory{Value: -1}
	}
	switch in.Op {
	case Effect:
		return stored(in.Name)
	case Pure, Unknown:
		return loaded(in.Name)
	}
	return Memory{Value: -1}
}

// AsCall is the instruction as a part of a call of the function that it is named after,
// whatever that is called.
func (in Instr) AsCall() Instr {
	in.Called = false // of another name, perhaps
	in.Called = in.Memory().Kind != NoMemory
	return in
}

// VisitedKey is the name of an Unknown that is the key to which a range over guarded memory comes.
const VisitedKey = "range key"

func stored(name string) Memory {
	field, isStore := strings.CutPrefix(name, "store ")
	switch {
	case name == "map assign":
		return Memory{Kind: Entry, Writes: true, Value: 2}
	case name == "map delete":
		return Memory{Kind: Entry, Writes: true, Value: -1}
	case name == "store element":
		return Memory{Kind: Element, Writes: true, Value: 2}
	case isStore && fieldKind(field) != NoMemory:
		return Memory{Kind: fieldKind(field), Name: field, Writes: true, Value: 1}
	case name == "store":
		return Memory{Kind: Variable, Writes: true, Value: 1}
	}
	return Memory{Value: -1}
}

func loaded(name string) Memory {
	name, address := strings.CutPrefix(name, "&")
	name, _, _ = strings.Cut(name, "#")
	kind, _, _ := strings.Cut(name, ":")
	m := Memory{Address: address, Value: -1}
	switch {
	case name == "load":
		m.Kind = Variable
	case kind == "elem":
		m.Kind = Element
	case kind == "lookup":
		m.Kind = Entry
	case name == "next", name == VisitedKey:
		m.Kind = Visited
	case fieldKind(name) != NoMemory:
		m.Kind, m.Name = fieldKind(name), name
	}
	return m
}

// fieldKind is the kind of a field by its name: calls have parentheses or fewer dots.
func fieldKind(name string) MemoryKind {
	switch {
	case strings.HasPrefix(name, "struct."):
		return Part
	case strings.Count(name, ".") == 2 && !strings.ContainsAny(name, "&(: "):
		return Field
	}
	return NoMemory
}
