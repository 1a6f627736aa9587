package analyzer

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// birth is what a function stores in the map of an object that it has just
// made, or while the package is initialized: nobody else is there yet, so it is
// not a step of the environment, but what the others find at first.
type birth struct {
	cell  reduce.Cell
	value reduce.Value
}

// addBirths notes what accesses store. Of a value that is not a literal nothing
// is known.
func (w *worlds) addBirths(f *funcInfo, accesses []*reduce.Access, root string) {
	for _, a := range accesses {
		for _, op := range a.Ops {
			in := &f.prog.Blocks[op.Block].Instrs[op.Instr]
			if in.Op != reduce.Write && in.Op != reduce.CAS {
				continue
			}
			v := f.n.Source(in.Args[len(in.Args)-1])
			if v == reduce.Absent {
				continue
			}
			b := birth{f.prog.Cells[in.Cell], absint.Anything}
			if v.IsLit() {
				b.value = reduce.Value(v.Lit)
			}
			w.births[root] = append(w.births[root], b)
		}
	}
}

// initial are the contents that the cells of a region can have at first besides
// what new ones hold, cell by cell; roots are the roots of their maps.
func (w *worlds) initial(region *reduce.Program, roots []string) [][]reduce.Value {
	all := make([][]reduce.Value, len(region.Cells))
	for i, root := range roots {
		cell := &region.Cells[i]
		for _, b := range w.births[root] {
			if b.cell.Kind == cell.Kind && !differentKeys(&b.cell, cell) && !slices.Contains(all[i], b.value) {
				all[i] = append(all[i], b.value)
			}
		}
		slices.Sort(all[i])
	}
	return all
}

// isInit reports whether a function runs while its package is initialized, and
// only then.
func isInit(fn *ssa.Function) bool {
	return fn != nil && fn.Signature.Recv() == nil && fn.Parent() == nil && (fn.Name() == "init" || strings.HasPrefix(fn.Name(), "init#"))
}
