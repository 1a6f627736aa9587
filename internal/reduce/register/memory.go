package register

import (
	"slices"
	"strings"
)

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

// FindStored makes copies of what loads find that the program itself has put there: what it has just stored in a
// field, or loaded from it, or made the object with. That is so as long as no operation, no lock and no call comes in
// between, in which others could store something else:
//
//	v.n = 5
//	if v.n > 1 { … } // always
//
// It reports whether it changed anything.
func FindStored(p *Program) bool {
	if len(p.FieldPlaces) == 0 {
		return false
	}
	s := &storing{p: p, n: Number(p), defs: DefCounts(p), at: make([]*holding, len(p.Blocks))}
	s.at[0] = &holding{}
	order := ReversePostorder(p)
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			if s.at[b] == nil {
				continue
			}
			h := s.at[b].clone()
			for i := range p.Blocks[b].Instrs {
				s.step(h, &p.Blocks[b].Instrs[i])
			}
			for i, to := range p.Blocks[b].Term.To {
				changed = s.meet(to, s.after(h, &p.Blocks[b].Term, i)) || changed
			}
		}
	}
	return s.replace(order)
}

// storing finds what fields hold, on all ways to each block.
type storing struct {
	p    *Program
	n    *Numbering
	defs []int
	at   []*holding
}

// holding is what some fields hold. Objects that are nil hold whatever one likes: nobody comes to their fields.
type holding struct {
	fields []held
	null   []Local
}

type held struct {
	name  string
	of    Local
	value Operand
}

func (h *holding) clone() *holding { return &holding{slices.Clone(h.fields), slices.Clone(h.null)} }

// find is what a field of an object holds.
func (h *holding) find(name string, of Local) (Operand, bool) {
	i := slices.IndexFunc(h.fields, func(f held) bool { return f.name == name && f.of == of })
	if i < 0 {
		return NoOperand, false
	}
	return h.fields[i].value, true
}

// forget drops what is known of a field of other objects, which may be this one, and of it.
func (h *holding) forget(name string) {
	h.fields = slices.DeleteFunc(h.fields, func(f held) bool { return f.name == name })
}

// assigned drops what is known of a local.
func (h *holding) assigned(l Local) {
	h.fields = slices.DeleteFunc(h.fields, func(f held) bool { return f.of == l || f.value == L(l) })
	h.null = slices.DeleteFunc(h.null, func(o Local) bool { return o == l })
}

// step notes what an instruction does to what fields hold.
func (s *storing) step(h *holding, in *Instr) {
	m := in.Memory()
	field := m.IsField() && !m.Address && len(in.Args) > 0
	switch {
	case in.Op == Unknown && !field, in.IsBase(), in.Op == Lock, in.Op == Blocking, in.Op == Effect && !field:
		h.fields = nil
	case field && m.Writes:
		h.forget(m.Name)
	}
	in.Defs(h.assigned)
	switch {
	case field && m.Writes:
		s.know(h, m.Name, in.Args[0], in.Args[m.Value])
	case in.Op == Unknown && field && len(in.Dst) == 1 && in.Dst[0] != None:
		if _, known := h.find(m.Name, s.n.Source(in.Args[0]).Local); !known {
			s.know(h, m.Name, in.Args[0], L(in.Dst[0]))
		}
	case in.Op == Fresh && in.Dst[0] != None && !strings.Contains(in.Name, MadeSite):
		s.made(h, in)
	}
}

// made notes what an object was made with.
func (s *storing) made(h *holding, in *Instr) {
	prefix, _, _ := strings.Cut(in.Name, "#")
	for name, place := range s.p.FieldPlaces {
		if field, is := strings.CutPrefix(name, prefix+"."); is && !strings.Contains(field, ".") && place < len(in.Args) {
			s.know(h, name, L(in.Dst[0]), in.Args[place])
		}
	}
}

// know notes that a field holds a value.
func (s *storing) know(h *holding, name string, object, value Operand) {
	of := s.n.Source(object).Local
	if of == None || s.defs[of] > 1 || value.Local != None && s.defs[value.Local] > 1 {
		return
	}
	if def := s.n.def[of]; def != nil && strings.HasPrefix(def.Name, "&") {
		return // a part of an object, which may change with all of it
	}
	h.fields = append(h.fields, held{name, of, value})
}

// after is what is held after a branch went way i.
func (s *storing) after(h *holding, t *Term, i int) *holding {
	if t.Kind != Branch || t.To[0] == t.To[1] {
		return h
	}
	is := i == 0
	def, _ := s.n.Def(t.Cond)
	for ; def != nil && def.Name == "not"; is = !is {
		def, _ = s.n.Def(def.Args[0])
	}
	if def == nil || def.Name != "eq" || !is {
		return h
	}
	a, b := s.n.Source(def.Args[0]), s.n.Source(def.Args[1])
	if a.IsLit() {
		a, b = b, a
	}
	if a.Local == None || b.Lit != LitNil || s.defs[a.Local] > 1 {
		return h
	}
	out := h.clone()
	out.null = append(out.null, a.Local)
	return out
}

// meet notes that a block can be reached with what is held on one way, and reports whether that is less than before.
func (s *storing) meet(b int, h *holding) bool {
	at := s.at[b]
	if at == nil {
		s.at[b] = h.clone()
		return true
	}
	fields := slices.DeleteFunc(slices.Clone(at.fields), func(f held) bool {
		v, known := h.find(f.name, f.of)
		return !slices.Contains(h.null, f.of) && (!known || v != f.value)
	})
	for _, f := range h.fields {
		if _, known := at.find(f.name, f.of); !known && slices.Contains(at.null, f.of) {
			fields = append(fields, f)
		}
	}
	null := slices.DeleteFunc(slices.Clone(at.null), func(l Local) bool { return !slices.Contains(h.null, l) })
	s.at[b] = &holding{fields, null}
	return !slices.Equal(fields, at.fields) || len(null) != len(at.null)
}

// replace makes copies of the loads of which it is known what they find.
func (s *storing) replace(order []int) bool {
	changed := false
	for _, b := range order {
		h := s.at[b].clone()
		for i := range s.p.Blocks[b].Instrs {
			in := &s.p.Blocks[b].Instrs[i]
			m, before := in.Memory(), *in
			if (in.Op == Unknown || in.Op == Pure) && m.IsField() && !m.Address && len(in.Args) == 1 && len(in.Dst) == 1 {
				// A key that is a field of the object is known for one.
				if v, known := h.find(m.Name, s.n.Source(in.Args[0]).Local); known && v != L(in.Dst[0]) && (in.Op == Unknown || v.IsLit()) {
					*in, changed = Instr{Op: Copy, Dst: in.Dst, Args: []Operand{v}, Pos: in.Pos}, true
				}
			}
			s.step(h, &before)
		}
	}
	if changed {
		DefineAll(s.p) // an object that is nil on some way has no field there
	}
	return changed
}
