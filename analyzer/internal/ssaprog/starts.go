package ssaprog

import (
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// Starts is where in the text of a function it starts goroutines.
type Starts struct {
	from, to register.Pos
	at       []register.Pos
}

// Between reports whether a goroutine is started between two places. The program
// does not have that, so it goes by the text; what is not in the text of the
// function itself, because it was inlined, may be anywhere in it.
func (s *Starts) Between(a, b register.Pos) bool {
	if len(s.at) == 0 {
		return false
	}
	inside := func(p register.Pos) bool { return p.File == s.from.File && !p.Before(s.from) && p.Before(s.to) }
	if !inside(a) || !inside(b) {
		return true
	}
	if b.Before(a) {
		a, b = b, a
	}
	return slices.ContainsFunc(s.at, func(p register.Pos) bool { return a.Before(p) && p.Before(b) })
}

// FindStarts finds where fn starts goroutines, itself or in what it calls, or
// passes on a function to be called by who knows whom.
func (ps *Programs) FindStarts(fn *ssa.Function) *Starts {
	s := &Starts{from: ps.Res.PosText(fn.Pos())}
	if fn.Syntax() != nil {
		s.from, s.to = ps.Res.PosText(fn.Syntax().Pos()), ps.Res.PosText(fn.Syntax().End())
	}
	ps.eachStart(fn, inlineDepth, func(instr ssa.Instruction) { s.at = append(s.at, ps.Res.PosText(instr.Pos())) })
	return s
}

func (ps *Programs) eachStart(fn *ssa.Function, depth int, yield func(ssa.Instruction)) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			starts := ps.passesFunc(call)
			if _, ok := instr.(*ssa.Go); ok {
				starts = true
			} else if callee, _ := calls.Callee(call); depth > 0 && ps.Res.Local(callee) != nil {
				ps.eachStart(ps.Res.Local(callee), depth-1, func(ssa.Instruction) { starts = true })
			}
			if starts {
				yield(instr)
			}
		}
	}
}

// passesFunc reports whether a call has a function among its arguments, and
// nothing is known of what becomes of it.
func (ps *Programs) passesFunc(call ssa.CallInstruction) bool {
	switch ps.Res.Call(call.Parent(), call).Kind {
	case calls.Unknown, calls.Fresh:
	default:
		return false
	}
	return slices.ContainsFunc(call.Common().Args, func(v ssa.Value) bool {
		_, ok := v.Type().Underlying().(*types.Signature)
		return ok
	})
}
