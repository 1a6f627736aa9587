package analyzer

import (
	"go/ast"
	"regexp"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Several variables of one name, of a function and of those that are inlined in it, have numbers in its program: key, key_2. The source
// knows no such number, and a reader needs none where there is only one of them in what he reads.

// word is a name with such numbers, and what is in quotes or a part of something, which is none.
var word = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\.[\pL_][\pL\d_]*|\b([\pL][\pL\d_]*?)(?:_\d+)+\b`)

// plainly says how a finding writes its cells in the source's names: the texts of several cells stay different ones.
func plainly(pass *analysis.Pass, x *evidence.Weighed) func(string) string {
	n := &plainNames{pass: pass, x: x}
	of := map[string]string{}
	if x.Region != nil {
		for _, c := range x.Region.Cells {
			if other, is := of[n.plain(c.Label)]; is && other != c.Label {
				return func(text string) string { return text }
			}
			of[n.plain(c.Label)] = c.Label
		}
	}
	return n.plain
}

// plainNames finds the source's names of variables.
type plainNames struct {
	pass *analysis.Pass
	x    *evidence.Weighed
	// written are the names in the function's source, found when they are asked for.
	written map[string]bool
}

func (n *plainNames) plain(text string) string {
	return word.ReplaceAllStringFunc(text, func(name string) string {
		if base := word.FindStringSubmatch(name)[1]; base != "" && n.isNumbered(name, base) {
			return base
		}
		return name
	})
}

// isNumbered reports whether a name is that of a variable which the source calls by its base: one of the function's own, or of an inlined
// one where the function itself has none of that name.
func (n *plainNames) isNumbered(name, base string) bool {
	names := n.x.In.Prog.Names
	at := slices.Index(names, name)
	if at < 0 || !slices.Contains(names, base) || n.writes(name) {
		return false
	}
	return !n.writes(base) || n.isOwn(register.Local(at), 0)
}

// writes reports whether a name is written in the function.
func (n *plainNames) writes(name string) bool {
	if n.written == nil {
		n.written = map[string]bool{}
		if syntax := n.x.In.Fn.Syntax(); syntax != nil {
			ast.Inspect(syntax, func(node ast.Node) bool {
				if id, is := node.(*ast.Ident); is {
					n.written[id.Name] = true
				}
				return true
			})
		}
	}
	return n.written[name]
}

// maxMet is how often ways meet at which a variable is what it was on each of them.
const maxMet = 4

// isOwn reports whether a variable is assigned in the function's own lines, or is what such ones were where several ways meet.
func (n *plainNames) isOwn(local register.Local, met int) bool {
	p := n.x.In.Prog
	if slices.Contains(p.Params, local) {
		return true
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			switch {
			case !slices.Contains(in.Dst, local):
			case in.Pos.IsZero() && in.Op == register.Copy:
				if from := in.Args[0].Local; from != register.None && (met == maxMet || !n.isOwn(from, met+1)) {
					return false
				}
			case !n.isIn(in.Pos):
				return false
			}
		}
	}
	return true
}

// isIn reports whether a position is in the function.
func (n *plainNames) isIn(pos register.Pos) bool {
	syntax := n.x.In.Fn.Syntax()
	if syntax == nil {
		return false
	}
	from, to := n.pass.Fset.Position(syntax.Pos()), n.pass.Fset.Position(syntax.End())
	return pos.File == from.Filename && from.Line <= pos.Line && pos.Line <= to.Line
}

// renamed is a witness with other names for the cells.
func renamed(w *absint.Witness, name func(string) string) *absint.Witness {
	if w == nil {
		return nil
	}
	all := func(bs []absint.Binding) []absint.Binding {
		bs = slices.Clone(bs)
		for i := range bs {
			bs[i].Name = name(bs[i].Name)
		}
		return bs
	}
	r := *w
	r.Initial, r.Final, r.Atomic = all(w.Initial), all(w.Final), slices.Clone(w.Atomic)
	for i := range r.Atomic {
		r.Atomic[i].Final = all(r.Atomic[i].Final)
	}
	return &r
}
