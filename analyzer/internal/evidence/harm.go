package evidence

import (
	"go/token"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce/register"
)

// harm is the answer to W5: what is wrong afterwards, and who minds.
func (e *Weigher) harm(v *violation) Support {
	at := v.x.Pos
	if v.x.Category == absint.Crash {
		return shown(at, "the call panics")
	}
	if e.meetsItself(v) {
		if in, ok := decidedEffect(v.x.Region); ok {
			return shown(e.position(in.Pos), "two calls both do %s", effectName(in))
		}
		if pos, ok := decidedAnswer(v.x.Region); ok {
			return shown(e.position(pos), "two calls are both told that they may go on")
		}
	}
	switch {
	case e.storesMutable(v):
		return shown(at, "the object that is lost has a state")
	case v.x.Category == absint.StaleDelete && e.removesMutable(v):
		return shown(at, "the object that is removed has a state")
	case v.x.Category == absint.StaleDelete && e.comesAgain(v):
		return shown(at, "an entry is lost that somebody has just put there")
	case v.x.Category == absint.LostUpdate && takesOld(v.x.Region):
		return shown(at, "two calls are both given what was there")
	case v.x.Category == absint.LostUpdate && v.derived():
		return shown(at, "what is stored is made of what was there, so that a change is lost")
	case v.x.Category == absint.LostUpdate && v.compared():
		return shown(at, "what is stored was compared with what is no longer there")
	case v.x.Category == absint.LostUpdate && e.overwritesSum(v):
		return shown(at, "what is added in between is lost")
	case v.x.Category == absint.NonAtomic && v.limited():
		return shown(at, "the check before it no longer holds")
	}
	return likely(at, "somebody minds")
}

// position is that of an operation, or NoPos for another place of a program.
func (e *Weigher) position(pos register.Pos) token.Pos { return e.ps.Res.OpName(pos).Pos }

// meetsItself reports whether another call of the function can come in between.
func (e *Weigher) meetsItself(v *violation) bool {
	for _, s := range v.x.Rivals {
		if s.Fn == v.Fn && s.Writes {
			return true
		}
	}
	return false
}

// effectName is what an effect is called in a sentence.
func effectName(in *register.Instr) string { return strings.TrimPrefix(in.Name, register.Then) }

// derived reports whether a later access stores what an earlier one found, changed.
func (v *violation) derived() bool {
	for i, a := range v.Find.Accesses {
		if !slices.Contains(v.g.Accesses, a) {
			continue
		}
		for _, b := range v.g.Accesses {
			if b != a && b.Writes && v.Find.Computes(i, b) {
				return true
			}
		}
	}
	return false
}

// compared reports whether what is stored was put in order with what was there: the
// greatest is kept, or the newest.
func (v *violation) compared() bool {
	p := v.x.Region
	found, stored := map[register.Local]bool{}, map[register.Local]bool{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			switch in := &blk.Instrs[i]; {
			case in.Op == register.Read:
				found[in.Dst[0]] = true
			case in.Op == register.Write && !in.Args[0].IsLit():
				stored[in.Args[0].Local] = true
			}
		}
	}
	for _, blk := range p.Blocks {
		for _, in := range blk.Instrs {
			if in.Op != register.Pure || in.Name != "lt" || len(in.Args) != 2 {
				continue
			}
			a, b := in.Args[0].Local, in.Args[1].Local
			if found[a] && stored[b] || found[b] && stored[a] {
				return true
			}
		}
	}
	return false
}

// overwritesSum reports whether what comes in between adds to what was there.
func (e *Weigher) overwritesSum(v *violation) bool {
	if v.x.Region.Cells[0].Kind == register.Map {
		return false // the Add of a cache puts something there
	}
	for _, s := range v.interrupting() {
		for _, pos := range s.Positions {
			if addsUp(e.ps.Res.OpName(pos).Name) {
				return true
			}
		}
	}
	return false
}

// limited reports whether a look decides about an addition: a limit, or the last
// reference.
func (v *violation) limited() bool {
	for _, a := range v.g.Accesses {
		for _, b := range v.g.Accesses {
			if a != b && b.Writes && v.Find.Dominates(a, b) {
				return true
			}
		}
	}
	return false
}

// removesMutable reports whether the entries of the map have a state that somebody
// changes.
func (e *Weigher) removesMutable(v *violation) bool {
	if v.x.Region.Cells[0].Kind != register.Map {
		return false
	}
	for _, s := range v.x.Rivals {
		for _, pos := range s.Positions {
			op, ok := e.ps.Res.OperationAt(pos)
			if ok && op.Stored != nil && e.ps.Res.MutableValue(op.Stored) {
				return true
			}
		}
	}
	return false
}
