package evidence

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
)

// Two functions that both write the same plain memory, without a lock, do not run at once:
// that would be a data race. Somebody else sees to it that they do not, such as a caller
// in another package who has a lock of his own, and so he does for the maps beside it.
//
//	func (c *Collection) Store(p *Provisioner) error {
//		if _, loaded := c.byName.LoadOrStore(p.Name, p); loaded { return errExists }
//		c.sorted = append(c.sorted, p)
//
// Those who read c.sorted may well do so at any time, by mistake or not.

// wouldRace is why a violation is not shown that is gone without the functions that write
// the same plain memory.
func (e *Weigher) wouldRace(f *violation) string {
	races := e.racesWith(f)
	if races == nil || !e.goneWithout(f, races) {
		return ""
	}
	mine := e.plainWrites(f.Fn)
	return "two of these would both write " + common(mine, mine) + " at once, and have no lock"
}

// racesWith tells the steps that would race with a violation for plain memory; nil if it writes none.
func (e *Weigher) racesWith(f *violation) keeper {
	if f.x.Several || f.x.Guard != "" || !f.ofReceiver() {
		return nil
	}
	mine := e.plainWrites(f.Fn)
	if len(mine) == 0 {
		return nil
	}
	return func(s *rivals.Step) bool { return common(mine, e.writesOf(s)) != "" }
}

// writesOf is the plain memory that whoever makes a step always writes.
func (e *Weigher) writesOf(s *rivals.Step) []string {
	if s.Fn != nil {
		if own := e.plainWrites(s.Fn); len(own) > 0 {
			return own
		}
	}
	var out []string
	for i, pos := range s.Positions {
		at := e.writesAt(pos)
		if i == 0 {
			out = at
		}
		out = slices.DeleteFunc(slices.Clone(out), func(name string) bool { return !slices.Contains(at, name) })
	}
	return out
}

// writesAt is the plain memory that the functions write in which an operation is.
func (e *Weigher) writesAt(pos register.Pos) []string {
	var out []string
	for _, fn := range e.functionsAt(pos) {
		out = append(out, e.plainWrites(fn)...)
	}
	return out
}

// plainWrites are the fields of its object and the package variables that a function
// writes, or a method that it calls on its object, if neither takes any lock.
func (e *Weigher) plainWrites(fn *ssa.Function) []string {
	if out, ok := e.written[fn]; ok {
		return out
	}
	if e.written == nil {
		e.written = map[*ssa.Function][]string{}
	}
	var out []string
	// Methods may call one another in a circle: of each only what it writes itself is
	// taken, so that it does not matter which was asked about first.
	seen := map[*ssa.Function]bool{fn: true}
	for work := []*ssa.Function{fn}; len(work) > 0; {
		at := work[0]
		work = work[1:]
		if locksSomething(at) {
			continue
		}
		out = append(out, writesItself(at)...)
		if at.Signature.Recv() == nil {
			continue
		}
		for _, callee := range e.ownMethods(at) {
			if !seen[callee] {
				seen[callee], work = true, append(work, callee)
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	e.written[fn] = out
	return out
}

// writesItself is what a function writes without the help of others.
func writesItself(fn *ssa.Function) []string {
	var out []string
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if name := plainWrite(instr, fn); name != "" {
				out = append(out, name)
			}
		}
	}
	return out
}

// plainWrite is the name of the field of the object, or of the package variable, that an
// instruction of a method writes; empty if it writes something else, or nothing.
func plainWrite(instr ssa.Instruction, fn *ssa.Function) string {
	var addr ssa.Value
	switch instr := instr.(type) {
	case *ssa.Store:
		addr = instr.Addr
	case *ssa.MapUpdate:
		addr = instr.Map
	}
	name := ""
	for range maxSource {
		switch at := addr.(type) {
		case *ssa.FieldAddr:
			name, addr = reduce.MemoryName(at), at.X
		case *ssa.IndexAddr:
			addr = at.X
		case *ssa.UnOp:
			addr = at.X
		case *ssa.Global:
			return reduce.MemoryName(at)
		case *ssa.Parameter:
			if fn.Signature.Recv() != nil && at == fn.Params[0] {
				return name
			}
			return ""
		default:
			return ""
		}
	}
	return ""
}

// common is the first name that two lists have; empty if there is none.
func common(a, b []string) string {
	for _, name := range a {
		if slices.Contains(b, name) {
			return name
		}
	}
	return ""
}
