package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// drawnKey is why a violation is not shown under a key that nobody else has yet: an object
// that the call has made, or the number that it has drawn from a counter.
//
//	id := c.next.Add(1)
//	c.pending.Store(id, mine)
//	defer c.pending.Delete(id)
//
// Others are told the key, and look for it; they do not come with it by themselves.
func (e *Weigher) drawnKey(f *violation) string {
	if f.x.Several {
		return ""
	}
	key := f.Prog.Cells[f.g.Cells[0]].Key
	if key.IsNone() || !f.drawn(key) {
		return ""
	}
	return "nobody else has the key, which was drawn for this call"
}

// drawn reports whether a value is a new object, or what the call has counted up an
// atomic to.
func (f *violation) drawn(op register.Operand) bool {
	op = f.N.Source(op)
	if op.IsLit() || op.IsNone() {
		return false
	}
	def := f.Prog.OnlyDef(op.Local)
	switch {
	case def == nil:
		return false
	case def.Op == register.Fresh:
		return true
	}
	return def.Op == register.Pure && def.Name == "add" && slices.ContainsFunc(f.Prog.Blocks, func(blk *register.Block) bool {
		return slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool {
			return in.Op == register.Write && f.Prog.Cells[in.Cell].Kind == register.Atomic && f.N.Source(in.Args[0]) == op
		})
	})
}
