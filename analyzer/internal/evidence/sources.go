package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// source says where a value is from.
type source int

const (
	sourceConstant source = iota
	sourceGiven
	sourceEntry
	sourceCall
	sourceMade
)

// maxSource bounds the terms that are looked through.
const maxSource = 8

// origin is the only instruction that gives an operand its value, of which it is to be
// asked where that is from; nil, and where it is from, if there is none.
func (v *violation) origin(op register.Operand, depth int) (*register.Instr, source) {
	op = v.N.Source(op)
	switch {
	case op.IsLit() || op.IsNone():
		return nil, sourceConstant
	case slices.Contains(v.Prog.Params, op.Local):
		return nil, sourceGiven
	}
	if def := v.Prog.OnlyDef(op.Local); def != nil && depth <= maxSource {
		return def, sourceConstant
	}
	return nil, sourceCall
}

// source finds where the value of an operand is from: of several, the one that says
// least about it being known to others.
func (v *violation) source(op register.Operand, depth int) source {
	def, from := v.origin(op, depth)
	if def == nil {
		return from
	}
	memory := def.Memory()
	switch {
	case memory.Kind == register.Visited:
		return sourceEntry
	case def.Op == register.Fresh:
		return sourceMade
	case def.IsBase():
		return sourceEntry
	case def.Op == register.Pure, memory.Kind != register.NoMemory, def.Op == register.Copy:
		for _, arg := range def.Args {
			from = max(from, v.source(arg, depth+1))
		}
		return from
	}
	return sourceCall
}

// computed is where a key is from that functions compute which are not followed, of what
// they are given: sourceGiven, if that is what callers give, and constants.
func (e *Weigher) computed(v *violation, op register.Operand, depth int) source {
	def, from := v.origin(op, depth)
	switch {
	case def == nil:
		return from
	case def.Op == register.Fresh, def.IsBase(), len(def.Args) == 0, v.Prog.TypeOf(v.N.Source(op).Local).Kind == register.Pointer, e.givesByItself(def.Pos):
		return sourceCall
	}
	for _, arg := range def.Args {
		if from = max(from, e.computed(v, arg, depth+1)); from > sourceGiven {
			return sourceCall
		}
	}
	return from
}

// called reports whether a value is made of what a call gives of which nothing is known.
func (e *Weigher) called(v *violation, op register.Operand, depth int) bool {
	op = v.N.Source(op)
	def := v.Prog.OnlyDef(op.Local)
	if op.IsLit() || op.IsNone() || def == nil || depth > maxSource {
		return false
	}
	if def.Op == register.Unknown && e.callAt(def.Pos) != nil {
		return true
	}
	return slices.ContainsFunc(def.Args, func(arg register.Operand) bool { return e.called(v, arg, depth+1) })
}

// isEntry reports whether an object can be what an entry of another map holds, which others
// find there as well.
func (v *violation) isEntry(op register.Operand, depth int) bool {
	op = v.N.Source(op)
	if op.IsLit() || op.IsNone() || depth > maxSource {
		return false
	}
	def := v.Prog.OnlyDef(op.Local)
	if def == nil {
		return v.foundOrPut(op.Local, depth)
	}
	return def.IsBase() || def.Memory().Kind == register.Entry || def.Op == register.Pure && slices.ContainsFunc(def.Args, func(arg register.Operand) bool { return v.isEntry(arg, depth+1) })
}

// foundOrPut reports whether a value is what was found in an entry on some ways, and on all others
// what is put there.
func (v *violation) foundOrPut(l register.Local, depth int) bool {
	put := map[register.Local]bool{}
	var defs []*register.Instr
	for _, blk := range v.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if putsSomething(in) {
				put[v.N.Source(in.Args[len(in.Args)-1]).Local] = true
			}
			if defines(in, l) {
				defs = append(defs, in)
			}
		}
	}
	found := false
	for _, def := range defs {
		if def.Op != register.Copy {
			return false
		}
		from := v.N.Source(def.Args[0])
		if from.IsLit() && from.Lit == register.LitNil {
			continue // nobody works with that
		}
		entry := v.isEntry(from, depth+1)
		if found = found || entry; !entry && (from.IsLit() || !put[from.Local]) {
			return false
		}
	}
	return found
}

// evicted reports whether the library itself comes in between.
func (v *violation) evicted() bool {
	return slices.ContainsFunc(v.x.Region.Cells, func(c register.Cell) bool { return c.Evicts })
}
