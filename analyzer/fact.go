package analyzer

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/reduce"
)

// programFact is what a function does to cells: its register program as text,
// without calls and without positions. It makes the function an operation in
// other packages, which do not see its body.
type programFact struct {
	Text string
	// Minor says that the program only takes locks or looks at atomics. A
	// package that calls nothing else has no extensions.
	Minor bool
}

// summaryFact says that calls of a function are pure, read only or fresh.
type summaryFact struct{ Class summary }

// packageFact marks a package that has one of the facts above, so that other
// packages are spared the look at its functions.
type packageFact struct{}

var factTypes = []analysis.Fact{new(programFact), new(summaryFact), new(packageFact), new(tableFact)}

// AFact makes programFact a Fact.
func (*programFact) AFact() {}

// AFact makes summaryFact a Fact.
func (*summaryFact) AFact() {}

// AFact makes packageFact a Fact.
func (*packageFact) AFact() {}

// String names the operations of the program, in order of their text.
func (f *programFact) String() string {
	progs, err := reduce.Parse("fact", []byte(f.Text))
	if err != nil || len(progs) != 1 {
		return "broken program"
	}
	var words []string
	for _, blk := range progs[0].Blocks {
		for i := range blk.Instrs {
			if word := baseWord(&blk.Instrs[i]); word != "" {
				words = append(words, word)
			}
		}
	}
	return "operation: " + strings.Join(words, ", ")
}

// baseWord is the word of the text form for an operation on a cell or a lock;
// empty if the instruction is neither.
func baseWord(in *reduce.Instr) string {
	switch in.Op {
	case reduce.Read:
		return "read"
	case reduce.Write:
		return "write"
	case reduce.CAS:
		return "cas"
	case reduce.Lock:
		return "lock"
	case reduce.Unlock:
		return "unlock"
	}
	return ""
}

// String names the class.
func (f *summaryFact) String() string { return f.Class.String() }

// String says what the package has.
func (f *packageFact) String() string { return "operations" }

// A fact is read by every package that imports this one: it must be small.
const (
	maxFactInstrs = 40
	maxFactText   = 2 << 10
	// maxFactsText bounds what all facts of a package take, which docs/nogo.md
	// promises. factOverhead is for the name of the function, and what the
	// encoding adds.
	maxFactsText = 64 << 10
	factOverhead = 160
)

// exportFacts exports what other packages need of this one. It is meant for
// packages that touch cells; all others have no facts at all.
func (ps *programs) exportFacts() {
	pkg := ps.pass.Pkg
	if pkg.Name() == "main" || isStandard(pkg) {
		return
	}
	size := 0
	for _, fn := range ps.funcs {
		obj := exportedObject(fn)
		if obj == nil {
			continue
		}
		fact := ps.factOf(fn)
		if fact == nil {
			continue
		}
		cost := factOverhead
		if p, ok := fact.(*programFact); ok {
			cost += len(p.Text)
		}
		if size+cost > maxFactsText {
			continue // a smaller one may fit
		}
		ps.pass.ExportObjectFact(obj, fact)
		size += cost
	}
	if size > 0 {
		ps.pass.ExportPackageFact(new(packageFact))
	}
}

// exportedObject is the object of a function that other packages can call by its
// name: methods of an unexported type can be promoted, or reached through a
// variable. It is nil if there is none.
func exportedObject(fn *ssa.Function) *types.Func {
	obj, ok := fn.Object().(*types.Func)
	if !ok || fn.Parent() != nil || !obj.Exported() {
		return nil
	}
	return obj.Origin()
}

// factOf is the fact of a function; nil if there is none worth having.
func (ps *programs) factOf(fn *ssa.Function) analysis.Fact {
	if ps.res.touching[fn] {
		if p := ps.exportable(fn); p != nil {
			return ps.programFact(fn, p)
		}
		return nil
	}
	if class := ps.res.sums.of(fn); class != effectful && fn.Signature.Results().Len() > 0 {
		return &summaryFact{Class: class}
	}
	return nil
}

// programFact is the program p of fn for other packages; nil if it is too large,
// or about nothing that they can name. A position would tie the fact to the
// machine that made it, and names nothing that the importing package could
// show: there, the operation is the call.
func (ps *programs) programFact(fn *ssa.Function, p *reduce.Program) analysis.Fact {
	reached := reachedCells(p)
	if instrCount(p) > maxFactInstrs || reached == nil {
		return nil
	}
	relocate(p, "")
	text := p.String()
	if len(text) > maxFactText {
		return nil
	}
	if _, err := reduce.Parse(fn.String(), []byte(text)); err != nil {
		ps.fail(fmt.Errorf("fact of %s: %w", fn, err))
		return nil
	}
	return &programFact{Text: text, Minor: !slices.ContainsFunc(reached, func(in *reduce.Instr) bool {
		return in.IsBase() && (in.Op != reduce.Read || p.Cells[in.Cell].Kind == reduce.Map)
	})}
}

// Inlining makes a program larger, and then smaller again. What is still
// larger than this on the way will not become a fact.
const maxFactSource = 8 * maxFactInstrs

// exportable is a copy of fn's program, inlined but for calls of functions that
// are parameters: the caller knows them. It is nil if that would be large.
func (ps *programs) exportable(fn *ssa.Function) *reduce.Program {
	if ssaCount(fn) > maxFactSource {
		return nil
	}
	p := ps.lower(fn)
	if p == nil {
		return nil
	}
	size := instrCount(p)
	small := func(key string) *reduce.Program {
		callee := ps.lookup(key)
		if callee != nil {
			size += instrCount(callee)
		}
		if size > maxFactSource {
			return nil
		}
		return callee
	}
	out, err := protect(fn, func() (*reduce.Program, error) {
		q := ps.place(p)
		hideDynamic(q)
		q = reduce.Inline(q, small, inlineDepth)
		showDynamic(q)
		q.Name = funcDocName(fn)
		ps.rename(q)
		return q, reduce.Check(q)
	})
	if err != nil {
		ps.fail(err)
		return nil
	}
	if size > maxFactSource {
		return nil
	}
	if takesFunc(fn) {
		return out
	}
	ps.done[fn] = out // nothing was hidden: it is the inlined program
	return clone(out)
}

// ssaCount counts the instructions of a function before it is lowered.
func ssaCount(fn *ssa.Function) int {
	n := 0
	for _, b := range fn.Blocks {
		n += len(b.Instrs)
	}
	return n
}

// hideDynamic makes calls of parameters effects with unknown results, so that
// Inline leaves them alone.
func hideDynamic(p *reduce.Program) {
	n := reduce.Number(p)
	for _, blk := range p.Blocks {
		var out []reduce.Instr
		for _, in := range blk.Instrs {
			if !isDynamic(p, n, &in) {
				out = append(out, in)
				continue
			}
			effect, result := in, in
			effect.Op, effect.Dst = reduce.Effect, nil
			result.Op, result.Args = reduce.Unknown, nil
			if out = append(out, effect); len(in.Dst) > 0 {
				out = append(out, result)
			}
		}
		blk.Instrs = out
	}
}

// showDynamic takes back what hideDynamic did.
func showDynamic(p *reduce.Program) {
	for _, blk := range p.Blocks {
		var out []reduce.Instr
		for i := 0; i < len(blk.Instrs); i++ {
			in := blk.Instrs[i]
			if in.Op == reduce.Effect && strings.HasPrefix(in.Name, dynamicCall) {
				in.Op = reduce.Call
				if i+1 < len(blk.Instrs) && blk.Instrs[i+1].Op == reduce.Unknown && blk.Instrs[i+1].Name == in.Name {
					i++
					in.Dst = blk.Instrs[i].Dst
				}
			}
			out = append(out, in)
		}
		blk.Instrs = out
	}
}

func instrCount(p *reduce.Program) int {
	n := 0
	for _, blk := range p.Blocks {
		n += len(blk.Instrs)
	}
	return n
}

// reachedCells lists the operations of p on something that its caller can name
// as well: a cell or a lock of which the map and the key come from a parameter
// or a package variable.
func reachedCells(p *reduce.Program) []*reduce.Instr {
	n := reduce.Number(p)
	var reached []*reduce.Instr
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			named := false
			switch {
			case in.IsBase():
				c := &p.Cells[in.Cell]
				named = fromCaller(p, n, c.Map) && (c.Key.IsNone() || fromCaller(p, n, c.Key))
			case in.Op == reduce.Lock || in.Op == reduce.Unlock:
				named = fromCaller(p, n, in.Args[0])
			}
			if named {
				reached = append(reached, in)
			}
		}
	}
	return reached
}

// fromCaller reports whether o is a pure term over parameters and literals.
func fromCaller(p *reduce.Program, n *reduce.Numbering, o reduce.Operand) bool {
	for range p.Names { // terms are not deeper than there are locals
		o = n.Source(o)
		if o.IsLit() {
			return true
		}
		def, _ := n.Def(o)
		if def == nil {
			return isParam(p, o.Local)
		}
		if len(def.Args) == 0 {
			return false
		}
		o = def.Args[0] // the owner; what follows is an index
	}
	return false
}

func isParam(p *reduce.Program, l reduce.Local) bool {
	for _, param := range p.Params {
		if param == l {
			return true
		}
	}
	return false
}

// standardRoots are the first elements of the standard library's packages.
// They have no dot, but neither has the module path of many a small program.
var standardRoots = map[string]bool{
	"archive": true, "bufio": true, "bytes": true, "cmp": true, "compress": true, "container": true,
	"context": true, "crypto": true, "database": true, "debug": true, "embed": true, "encoding": true,
	"errors": true, "expvar": true, "flag": true, "fmt": true, "go": true, "hash": true, "html": true,
	"image": true, "index": true, "internal": true, "io": true, "iter": true, "log": true, "maps": true,
	"math": true, "mime": true, "net": true, "os": true, "path": true, "plugin": true, "reflect": true,
	"regexp": true, "runtime": true, "slices": true, "sort": true, "strconv": true, "strings": true,
	"structs": true, "sync": true, "syscall": true, "testing": true, "text": true, "time": true,
	"unicode": true, "unique": true, "unsafe": true, "vendor": true, "weak": true,
}

// isStandard reports whether pkg belongs to the standard library. That has no
// facts: the tables say what its functions are, and sync.Once.Do would be a
// read of an atomic otherwise.
func isStandard(pkg *types.Package) bool {
	root, _, _ := strings.Cut(pkg.Path(), "/")
	return standardRoots[root]
}

// vendorless is the import path without the place of a vendored copy.
func vendorless(path string) string {
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return strings.TrimPrefix(path, "vendor/")
}
