package ssaprog

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

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

// ExportFacts exports what other packages need of this one. It is meant for
// packages that touch cells; all others have no facts at all.
func (ps *Programs) ExportFacts() {
	pkg := ps.Pass.Pkg
	if pkg.Name() == "main" || IsStandard(pkg) {
		return
	}
	size := 0
	for _, fn := range ps.Funcs {
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
		ps.Pass.ExportObjectFact(obj, fact)
		size += cost
	}
	locks := ps.Res.lockMethods(ps.Funcs)
	for _, obj := range locks.methods {
		if size+factOverhead <= maxFactsText {
			ps.Pass.ExportObjectFact(obj, &lockFact{locks.ops[obj]})
			size += factOverhead
		}
	}
	if size > 0 {
		ps.Pass.ExportPackageFact(new(packageFact))
	}
}

// exportedObject is the object of a function that other packages can call by its
// name: methods of an unexported type can be promoted, or reached through a
// variable. It is nil if there is none: what go test runs, nobody else calls.
func exportedObject(fn *ssa.Function) *types.Func {
	obj, ok := fn.Object().(*types.Func)
	if !ok || fn.Parent() != nil || !obj.Exported() || IsTest(fn) {
		return nil
	}
	return obj.Origin()
}

// factOf is the fact of a function; nil if there is none worth having.
func (ps *Programs) factOf(fn *ssa.Function) analysis.Fact {
	if ps.Res.touching[fn] {
		if p := ps.exportable(fn); p != nil {
			return ps.programFact(fn, p)
		}
		return nil
	}
	if class := ps.Res.Sums.Of(fn); class != Effectful && fn.Signature.Results().Len() > 0 {
		return &summaryFact{Class: class}
	}
	return nil
}

// programFact is the program p of fn for other packages; nil if it is too large,
// or about nothing that they can name. A position would tie the fact to the
// machine that made it, and names nothing that the importing package could
// show: there, the operation is the call.
func (ps *Programs) programFact(fn *ssa.Function, p *register.Program) analysis.Fact {
	reached := reachedCells(p)
	if p.Size() > maxFactInstrs || reached == nil {
		return nil
	}
	relocate(p, register.Pos{})
	text := p.String()
	if len(text) > maxFactText {
		return nil
	}
	if _, err := register.Parse(fn.String(), []byte(text)); err != nil {
		ps.fail(fmt.Errorf("fact of %s: %w", fn, err))
		return nil
	}
	return &programFact{Text: text, Minor: !slices.ContainsFunc(reached, func(in *register.Instr) bool {
		return in.IsBase() && (in.Op != register.Read || p.Cells[in.Cell].Kind == register.Map)
	})}
}

// Inlining makes a program larger, and then smaller again. What is still
// larger than this on the way will not become a fact.
const maxFactSource = 8 * maxFactInstrs

// exportable is a copy of fn's program, inlined but for calls of functions that
// are parameters: the caller knows them. It is nil if that would be large.
func (ps *Programs) exportable(fn *ssa.Function) *register.Program {
	if ssaCount(fn) > maxFactSource {
		return nil
	}
	p := ps.lower(fn)
	if p == nil {
		return nil
	}
	size := p.Size()
	small := func(key string) *register.Program {
		callee := ps.lookup(key)
		if callee != nil {
			size += callee.Size()
		}
		if size > maxFactSource {
			return nil
		}
		return callee
	}
	out, err := protect(fn, func() (*register.Program, error) {
		q := ps.place(p)
		hideDynamic(q)
		q = reduce.Inline(q, small, inlineDepth, maxInlined)
		showDynamic(q)
		q.Name = FuncDocName(fn)
		ps.rename(q)
		return q, register.Check(q)
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
	return out.Clone()
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
func hideDynamic(p *register.Program) {
	n := register.Number(p)
	for _, blk := range p.Blocks {
		var out []register.Instr
		for _, in := range blk.Instrs {
			if !isDynamic(p, n, &in) {
				out = append(out, in)
				continue
			}
			effect, result := in, in
			effect.Op, effect.Dst = register.Effect, nil
			result.Op, result.Args = register.Unknown, nil
			if out = append(out, effect); len(in.Dst) > 0 {
				out = append(out, result)
			}
		}
		blk.Instrs = out
	}
}

// showDynamic takes back what hideDynamic did.
func showDynamic(p *register.Program) {
	for _, blk := range p.Blocks {
		var out []register.Instr
		for i := 0; i < len(blk.Instrs); i++ {
			in := blk.Instrs[i]
			if in.Op == register.Effect && strings.HasPrefix(in.Name, dynamicCall) {
				in.Op = register.Call
				if i+1 < len(blk.Instrs) && blk.Instrs[i+1].Op == register.Unknown && blk.Instrs[i+1].Name == in.Name {
					i++
					in.Dst = blk.Instrs[i].Dst
				}
			}
			out = append(out, in)
		}
		blk.Instrs = out
	}
}

// reachedCells lists the operations of p on something that its caller can name
// as well: a cell or a lock of which the map and the key come from a parameter
// or a package variable.
func reachedCells(p *register.Program) []*register.Instr {
	n := register.Number(p)
	var reached []*register.Instr
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			named := false
			switch {
			case in.IsBase():
				c := &p.Cells[in.Cell]
				named = fromCaller(p, n, c.Map) && (c.Key.IsNone() || fromCaller(p, n, c.Key))
			case in.Op == register.Lock || in.Op == register.Unlock:
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
func fromCaller(p *register.Program, n *register.Numbering, o register.Operand) bool {
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

func isParam(p *register.Program, l register.Local) bool {
	for _, param := range p.Params {
		if param == l {
			return true
		}
	}
	return false
}
