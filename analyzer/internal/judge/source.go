package judge

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/directive"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// source finds the operations of the source.
type source struct {
	pass *analysis.Pass
	res  *ssaprog.Resolver
}

// Order compares two positions, of one file or of two.
func (s *source) Order(a, b token.Pos) int { return directive.ComparePos(s.pass.Fset, a, b) }

func (s *source) operation(pos register.Pos) ssaprog.Operation {
	op := s.res.OpName(pos)
	op.Text = pos
	if op.Name == "" {
		op.Name = "a call"
	}
	return op
}

// Stored is the type of the value that an operation stores; nil if none.
func (s *source) Stored(op ssaprog.Operation) types.Type {
	o, _ := s.res.OperationAt(op.Text)
	return o.Stored
}

// lines counts the lines from the first operation to the last, in the innermost function that
// has them all. One that a helper of it makes is where the function calls that.
func (s *source) lines(fn *ssa.Function, ops []ssaprog.Operation) int {
	calls := s.callsFor(fn, ops)
	for range maxHelpers {
		first := calls[0]
		if first == nil || slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool { return c != first }) {
			break
		}
		calls = s.callsFor(s.res.LocalCallee(first), ops)
	}
	var first, last token.Position
	for i, op := range ops {
		from, to := op.Pos, op.End
		if calls[i] != nil {
			from, to = calls[i].Pos(), calls[i].Pos()
		}
		f, l := s.pass.Fset.Position(from), s.pass.Fset.Position(to)
		switch {
		case i == 0:
			first, last = f, l
		case f.Filename != first.Filename:
			return 0
		}
		if f.Line < first.Line {
			first = f
		}
		if l.Line > last.Line {
			last = l
		}
	}
	return last.Line - first.Line + 1
}

// maxHelpers bounds the helpers in one another in which all operations are looked for.
const maxHelpers = 8

// callsFor are the calls by which a function comes to operations, nil for those that it makes itself.
func (s *source) callsFor(fn *ssa.Function, ops []ssaprog.Operation) []ssa.CallInstruction {
	out := make([]ssa.CallInstruction, len(ops))
	for i, op := range ops {
		out[i] = s.callFor(fn, op.Pos, map[*ssa.Function]bool{})
	}
	return out
}

// callFor is where a function calls a helper that makes the operation at a place, by itself or
// through others; nil if it is in the function's own text, or in none of these.
func (s *source) callFor(fn *ssa.Function, at token.Pos, seen map[*ssa.Function]bool) ssa.CallInstruction {
	if seen[fn] || isIn(fn, at) {
		return nil
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			callee := s.res.LocalCallee(call)
			if callee != nil && (isIn(callee, at) || s.callFor(callee, at, seen) != nil) {
				return call
			}
		}
	}
	return nil
}

// isIn reports whether a place is in the text of a function.
func isIn(fn *ssa.Function, at token.Pos) bool {
	text := fn.Syntax()
	return text != nil && text.Pos() <= at && at < text.End()
}
