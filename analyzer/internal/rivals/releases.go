package rivals

import (
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Releases reports whether a step takes an entry away and does not end the lease of somebody
// else while it runs. It removes what it has put there itself, where that was put there only if there was
// nothing, or all that there is, as at the end of everything. Else it is somebody who is told a key.
func (w *World) Releases(s *Step) bool {
	if s.From == nil {
		return false
	}
	at, named := s.From.Takes(s.Accesses)
	return len(at) > 0 && (!named || !slices.ContainsFunc(at, func(pos register.Pos) bool { return !w.ends[pos] }))
}

// StopsFirst reports whether a step is only made where a timer was stopped: what that would have run, it does not
// run any more.
//
//	if !l.timer.Stop() {
//		return errTooLate
//	}
//	t.leases[name] = newLease()
func (s *Step) StopsFirst() bool {
	if s.From == nil {
		return false
	}
	p := s.From.Prog
	var stopped []register.Local
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == register.Unknown && strings.HasPrefix(in.Name, "(*time.Timer).Stop") {
				stopped = append(stopped, in.Dst...)
			}
		}
	}
	if len(stopped) == 0 {
		return false
	}
	decided := register.NewFlow(p).From(stopped).Blocks
	return !slices.ContainsFunc(s.Accesses, func(a *register.Access) bool {
		return a.Writes && slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
			return p.Blocks[op.Block].Instrs[op.Instr].Op != register.Read && !decided[op.Block]
		})
	})
}

// Puts reports whether a step puts something into a cell.
func (s *Step) Puts() bool {
	return slices.ContainsFunc(s.Step.Program.Blocks, func(blk *register.Block) bool {
		return slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool {
			return (in.Op == register.Write || in.Op == register.CAS) && in.Args[len(in.Args)-1] != register.Absent
		})
	})
}
