package analyzer

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/reduce"
)

// starts is where in the text of a function it starts goroutines.
type starts struct {
	from, to reduce.Pos
	at       []reduce.Pos
}

// between reports whether a goroutine is started between two places. The program
// does not have that, so it goes by the text; what is not in the text of the
// function itself, because it was inlined, may be anywhere in it.
func (s *starts) between(a, b reduce.Pos) bool {
	if len(s.at) == 0 {
		return false
	}
	inside := func(p reduce.Pos) bool { return !textBefore(p, s.from) && textBefore(p, s.to) }
	if !inside(a) || !inside(b) {
		return true
	}
	if textBefore(b, a) {
		a, b = b, a
	}
	return slices.ContainsFunc(s.at, func(p reduce.Pos) bool { return textBefore(a, p) && textBefore(p, b) })
}

// textBefore reports whether one position is before another one. That of another
// file is before none, and none is before it.
func textBefore(a, b reduce.Pos) bool {
	fileA, lineA, colA := splitPos(a)
	fileB, lineB, colB := splitPos(b)
	return fileA == fileB && (lineA < lineB || lineA == lineB && colA < colB)
}

func splitPos(p reduce.Pos) (file string, line, col int) {
	parts := strings.Split(string(p), ":")
	if len(parts) < 3 {
		return "", 0, 0
	}
	n := len(parts)
	line, _ = strconv.Atoi(parts[n-2])
	col, _ = strconv.Atoi(parts[n-1])
	return strings.Join(parts[:n-2], ":"), line, col
}

// findStarts finds where fn starts goroutines, itself or in what it calls, or
// passes on a function to be called by who knows whom.
func (ps *programs) findStarts(fn *ssa.Function) *starts {
	s := &starts{from: ps.res.posText(fn.Pos())}
	if fn.Syntax() != nil {
		s.from, s.to = ps.res.posText(fn.Syntax().Pos()), ps.res.posText(fn.Syntax().End())
	}
	ps.eachStart(fn, inlineDepth, func(instr ssa.Instruction) { s.at = append(s.at, ps.res.posText(instr.Pos())) })
	return s
}

func (ps *programs) eachStart(fn *ssa.Function, depth int, yield func(ssa.Instruction)) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			starts := ps.passesFunc(call)
			if _, ok := instr.(*ssa.Go); ok {
				starts = true
			} else if callee, _ := reduce.Callee(call); depth > 0 && ps.res.local(callee) != nil {
				ps.eachStart(ps.res.local(callee), depth-1, func(ssa.Instruction) { starts = true })
			}
			if starts {
				yield(instr)
			}
		}
	}
}

// passesFunc reports whether a call has a function among its arguments, and
// nothing is known of what becomes of it.
func (ps *programs) passesFunc(call ssa.CallInstruction) bool {
	switch ps.res.Call(call.Parent(), call).Kind {
	case reduce.CallUnknown, reduce.CallFresh:
	default:
		return false
	}
	return slices.ContainsFunc(call.Common().Args, func(v ssa.Value) bool {
		_, ok := v.Type().Underlying().(*types.Signature)
		return ok
	})
}
