package ownership

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
)

// A root is the identity of a map across functions: the field, the package
// variable or the captured variable that holds it, as reduce names that memory
// ("pkg.T.f", "&pkg.v"), and after a slash each, the steps from there to the
// map: "/[]" to any element of a container, "/f" to a field of a struct that
// has no name. The elements of a container are one root: which of them two
// functions mean is not known, so they may always mean the same one.
//
// It is computed twice, of programs and of SSA, and has to be the same text.

// baseOf is the memory that the steps of a root begin at.
func baseOf(root string) string {
	base, _, _ := strings.Cut(root, "/")
	return base
}

// rootNames finds roots in one program.
type rootNames struct {
	n *register.Numbering
	// loads are the locals that are assigned in one place, by a load that
	// the function's own stores make unpredictable: it still is from there.
	loads map[register.Local]loaded
	// reads are the locals that are assigned in one place, by a look at guarded
	// memory, with its cell.
	reads map[register.Local]register.Cell
	// captured are the roots of the parameters that stand for variables
	// around a literal.
	captured map[register.Local]string
	// cells are the roots of cells, as far as they were asked for.
	cells map[register.Operand]string
}

type loaded struct {
	in     *register.Instr
	result int
}

func newRootNames(p *register.Program, n *register.Numbering, fn *ssa.Function) *rootNames {
	r := &rootNames{n: n, loads: map[register.Local]loaded{}, reads: map[register.Local]register.Cell{}, captured: map[register.Local]string{}, cells: map[register.Operand]string{}}
	times := map[register.Local]int{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			for k, d := range in.Dst {
				times[d]++
				if in.Op == register.Unknown && len(in.Args) > 0 {
					r.loads[d] = loaded{in, k}
				}
			}
		}
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op == register.Read && p.Cells[in.Cell].Guarded && times[in.Dst[0]] == 1 {
				r.reads[in.Dst[0]] = p.Cells[in.Cell]
			}
		}
	}
	for l := range r.loads {
		if times[l] != 1 {
			delete(r.loads, l)
		}
	}
	if fn == nil {
		return r
	}
	for _, fv := range fn.FreeVars { // a parameter of that name would hide it
		name := capturedRoot(fv)
		for _, l := range p.Params {
			if name != "" && p.Names[l] == fv.Name() {
				r.captured[l] = name
			}
		}
	}
	return r
}

// Root is the cell's map's; "" where a map has none, because it came as an
// argument.
func (f *Function) Root(cell int) string {
	names, of := f.names(), f.Prog.Cells[cell].Map
	root, known := names.cells[of]
	if !known {
		root = names.of(of, 0)
		names.cells[of] = root
	}
	return root
}

// Fields are those that a cell's map is a part of, without a pointer in between, the
// innermost one first, and whether what has the outermost one is an argument. Two maps
// of which these differ in some field are two.
func (f *Function) Fields(cell int) (fields []string, given bool) {
	m := f.N.Source(f.Prog.Cells[cell].Map)
	for range maxRoot {
		step, from, pointer, ok := f.names().step(m)
		if !ok || step == "" || step[0] == '/' || step == extension.ElemStep || pointer {
			break
		}
		fields = append(fields, step)
		m = f.N.Source(from)
	}
	return fields, slices.Contains(f.Prog.Params, m.Local)
}

// ByPointer reports whether a cell's map was loaded from where it is kept, so that it can be one
// that was made by itself.
func (f *Function) ByPointer(cell int) bool {
	_, _, pointer, ok := f.names().step(f.N.Source(f.Prog.Cells[cell].Map))
	return ok && pointer
}

// Homes are the roots that a map gets which this function has made, and whether these are all: it is
// stored in fields, and nothing else is done with it.
func (f *Function) Homes(cell int) (homes []string, known bool) {
	made := f.N.Source(f.Prog.Cells[cell].Map)
	known = true
	is := func(o register.Operand) bool { return !o.IsNone() && !o.IsLit() && f.N.Source(o) == made }
	for _, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			memory := in.Memory()
			switch {
			case in.IsBase() || !slices.ContainsFunc(in.Args, is):
			case memory.Kind == register.Field && memory.Writes && is(in.Args[memory.Value]):
				homes = append(homes, memory.Name)
			default:
				known = false
			}
		}
		known = known && !slices.ContainsFunc(blk.Term.Vals, is)
	}
	return homes, known
}

// RootOf is the root of a value; "" if it has none.
func (f *Function) RootOf(op register.Operand) string { return f.names().of(op, 0) }

func (f *Function) names() *rootNames {
	if f.roots == nil {
		f.roots = newRootNames(f.Prog, f.N, f.Fn)
	}
	return f.roots
}

// maxRoot bounds the steps of a root.
const maxRoot = 12

func (r *rootNames) of(m register.Operand, depth int) string {
	m = r.n.Source(m)
	if m.IsLit() && strings.HasPrefix(m.Lit, "&") {
		return m.Lit
	}
	step, from, _, ok := r.step(m)
	switch {
	case !ok:
		return r.captured[m.Local]
	case step != "" && step[0] != '/':
		return step // a field says it all, whoever has it
	case depth > maxRoot:
		return ""
	}
	if base := r.of(from, depth+1); base != "" {
		return base + step
	}
	return ""
}

// step is the last step to a value: from what, and by which field or element.
// It is empty for what is loaded from an address of which nothing else is known.
// By a pointer says that the value was loaded, and is not a part of the former.
func (r *rootNames) step(m register.Operand) (step string, from register.Operand, pointer, ok bool) {
	if c, ok := r.reads[m.Local]; ok && m.Local != register.None {
		if c.Kind == register.Map {
			return extension.ElemStep, c.Map, true, true
		}
		step, from, _, ok = r.step(r.n.Source(c.Map))
		return step, from, true, ok
	}
	def, result := r.n.Def(m)
	if def == nil && !m.IsLit() {
		l := r.loads[m.Local]
		def, result = l.in, l.result
	}
	if def == nil || len(def.Args) == 0 {
		return "", m, false, false
	}
	from = def.Args[0]
	memory := def.Memory()
	switch {
	case memory.Kind == register.Variable:
		return "", from, true, true
	case memory.Kind == register.Element, memory.Kind == register.Entry && result == 0, memory.Kind == register.Visited && result == 2:
		return extension.ElemStep, from, !memory.Address, true
	case len(def.Args) > 1:
	case memory.Kind == register.Part:
		return "/" + strings.TrimPrefix(memory.Name, "struct."), from, !memory.Address, true
	case memory.Kind == register.Field:
		return memory.Name, from, !memory.Address, true
	}
	return "", m, false, false
}

// rootAt is the root of the memory at an address, or of what was loaded from
// it: the same text as Function.root has for it.
func rootAt(v ssa.Value) string {
	step := func(x ssa.Value, step string) string {
		if base := rootAt(x); base != "" {
			return base + step
		}
		return ""
	}
	switch v := v.(type) {
	case *ssa.Global:
		return reduce.MemoryName(v)
	case *ssa.FieldAddr:
		name := reduce.MemoryName(v)
		if field, ok := strings.CutPrefix(name, "struct."); ok {
			return step(v.X, "/"+field)
		}
		return name
	case *ssa.IndexAddr:
		return step(v.X, extension.ElemStep)
	case *ssa.Lookup:
		return step(v.X, extension.ElemStep)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return rootAt(v.X)
		}
	case *ssa.ChangeType:
		return rootAt(v.X)
	case *ssa.Slice:
		return rootAt(v.X)
	case *ssa.FreeVar:
		return capturedRoot(v)
	case *ssa.Alloc:
		return localRoot(v)
	}
	return ""
}

// capturedRoot is the root of a variable that a literal captures; "" if what
// it captures is not the address of one.
func capturedRoot(fv *ssa.FreeVar) string {
	if a := reduce.CapturedVariable(fv); a != nil {
		return localRoot(a)
	}
	return ""
}

// localRoot tells the variables of a package apart.
func localRoot(a *ssa.Alloc) string {
	if a.Parent() == nil || !a.Pos().IsValid() {
		return ""
	}
	return localPrefix + a.Comment + "@" + ssaprog.Itoa(int(a.Pos()))
}

const localPrefix = "local:"
