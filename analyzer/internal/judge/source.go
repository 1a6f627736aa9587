package judge

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

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

// lines counts the lines from the first operation to the last.
func (s *source) lines(ops []ssaprog.Operation) int {
	first, last := s.pass.Fset.Position(ops[0].Pos), s.pass.Fset.Position(ops[len(ops)-1].End)
	if first.Filename != last.Filename {
		return 0
	}
	return last.Line - first.Line + 1
}
