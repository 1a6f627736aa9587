package evidence

import (
	"maps"

	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/reduce/register"
)

// Locks that do not count for the verdict can still be what keeps others away: that of
// an owner whose object was looked up, one of many. Whether there is any says whether
// the code shows that nobody waits.

// places are where the locks that are held were taken.
type places map[register.Ref]bool

// holding are the accesses of a group, with the function that they are in.
type holding struct {
	*rivals.Function
	accesses []*register.Access
}

// heldLock is where a lock was taken that is held at all accesses, on all ways to them;
// whichever lock it is.
func (v holding) heldLock() (register.Ref, bool) {
	in := v.heldAtEntries()
	var common places
	for _, a := range v.accesses {
		at := v.heldAt(in, a.Start)
		if common == nil {
			common = at
		}
		maps.DeleteFunc(common, func(r register.Ref, _ bool) bool { return !at[r] })
	}
	for b := range v.Prog.Blocks {
		for i := range v.Prog.Blocks[b].Instrs {
			if r := (register.Ref{Block: b, Instr: i}); common[r] {
				return r, true
			}
		}
	}
	return register.Ref{}, false
}

// heldAtEntries has the locks that are held where each block begins: a must analysis,
// joined by intersection.
func (v holding) heldAtEntries() []places {
	in := make([]places, len(v.Prog.Blocks))
	in[0] = places{}
	order := register.ReversePostorder(v.Prog)
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			out := v.heldAt(in, register.Ref{Block: b, Instr: len(v.Prog.Blocks[b].Instrs)})
			for _, to := range v.Prog.Blocks[b].Term.To {
				before := len(in[to])
				if in[to] == nil {
					in[to], changed = maps.Clone(out), true
					continue
				}
				maps.DeleteFunc(in[to], func(r register.Ref, _ bool) bool { return !out[r] })
				changed = changed || len(in[to]) != before
			}
		}
	}
	return in
}

// heldAt are the locks that are held before an instruction. What releases a lock that
// has not been taken here releases one of the caller's.
func (v holding) heldAt(in []places, at register.Ref) places {
	held := maps.Clone(in[at.Block])
	if held == nil {
		held = places{}
	}
	for i := range at.Instr {
		switch instr := &v.Prog.Blocks[at.Block].Instrs[i]; instr.Op {
		case register.Lock:
			held[register.Ref{Block: at.Block, Instr: i}] = true
		case register.Unlock:
			lock := v.N.Term(instr.Args[0])
			maps.DeleteFunc(held, func(r register.Ref, _ bool) bool { return v.N.Term(v.lockTaken(r)) == lock })
		}
	}
	return held
}

// lockTaken is the lock that is taken at a place.
func (v holding) lockTaken(r register.Ref) register.Operand {
	return v.Prog.Blocks[r.Block].Instrs[r.Instr].Args[0]
}
