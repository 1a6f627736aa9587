package rivals

import (
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A key says where a lock is relative to one cell. A region on several cells has locks
// that are known from some of its cells and not from others, and a lock that lies
// beside each of two maps has one key and is two locks. So the locks of a region have
// names of their own: what is called the same is the same lock, from wherever it is
// seen.

// LockNames are the names of the locks that are known from one cell of a region.
type LockNames struct {
	// cell is the number of the cell among those of the region.
	cell  int
	named map[string]string
}

// Name is the name of the lock with a key.
func (n *LockNames) Name(key string) string {
	if name, ok := n.named[key]; ok {
		return name
	}
	if n.cell == 0 {
		return "&" + key
	}
	return "&" + key + " of cell " + strconv.Itoa(n.cell)
}

// Holds are the locks of a set under their names.
func (n *LockNames) Holds(s LockSet) []absint.Hold {
	var out []absint.Hold
	for _, h := range s.Holds() {
		out = append(out, absint.Hold{Lock: n.Name(h.Lock[1:]), Exclusive: h.Exclusive})
	}
	return out
}

// NameLocks names the locks of a region on some cells of the function, for each of
// them, and those that it takes. The program that it returns has the names as operands of
// its locks; those that are not known from any of the cells are gone.
func (f *Function) NameLocks(cells []int) (*register.Program, []*LockNames) {
	names := make([]*LockNames, len(cells))
	for i := range cells {
		names[i] = &LockNames{cell: i, named: map[string]string{}}
	}
	p := *f.Prog
	p.Blocks = make([]*register.Block, len(f.Prog.Blocks))
	for b, old := range f.Prog.Blocks {
		p.Blocks[b] = &register.Block{Term: old.Term, Instrs: slices.Clone(old.Instrs)}
		for i := range old.Instrs {
			if in := &old.Instrs[i]; in.Op == register.Lock || in.Op == register.Unlock {
				f.nameLock(in.Args[0], cells, names)
			}
		}
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != register.Lock && in.Op != register.Unlock {
				continue
			}
			if name := f.nameOf(in.Args[0], cells, names); name != "" {
				in.Args = []register.Operand{register.Lit(name)}
			} else {
				*in = register.Instr{Op: register.Blocking, Name: "lock"}
			}
		}
	}
	return &p, names
}

// nameLock gives a lock one name for all cells that it is known from. Names that it has
// already, because it was met as another operand, become one.
func (f *Function) nameLock(lock register.Operand, cells []int, names []*LockNames) {
	name := f.nameOf(lock, cells, names)
	for i, cell := range cells {
		key := f.LockAnalysis(cell).key(lock)
		if key == "" {
			continue
		}
		if old, ok := names[i].named[key]; ok {
			for _, n := range names {
				n.rename(old, name)
			}
		}
		names[i].named[key] = name
	}
}

func (n *LockNames) rename(old, name string) {
	for key, have := range n.named {
		if have == old {
			n.named[key] = name
		}
	}
}

// nameOf is the name of a lock from the first cell that it is known from, if any.
func (f *Function) nameOf(lock register.Operand, cells []int, names []*LockNames) string {
	for i, cell := range cells {
		if key := f.LockAnalysis(cell).key(lock); key != "" {
			return names[i].Name(key)
		}
	}
	return ""
}
