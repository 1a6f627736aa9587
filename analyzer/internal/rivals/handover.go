package rivals

import (
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// handedOver finds the locks that are held when the function is entered,
// because it releases them and has not taken them: one call takes the lock and
// returns with it, another one ends what was begun.
//
// A function that on some way takes the lock first, or touches the cell and goes
// without having released it, proves nothing: it may be told by an argument
// whether the lock is held.
func (la *lockAnalysis) handedOver(cell int) LockSet {
	out := LockSet{}
	for _, blk := range la.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != register.Unlock {
				continue
			}
			key := la.key(in.Args[0])
			if _, known := out[key]; key == "" || known || !la.unlocksFirst(key, cell) {
				continue
			}
			out[key] = heldLock{Exclusive: in.Name == "w", At: EntrySection}
		}
	}
	return out
}

// unlocksFirst reports whether every way through the function that matters
// releases the lock before it takes it.
func (la *lockAnalysis) unlocksFirst(key string, cell int) bool {
	type place struct {
		block   int
		touched bool
	}
	seen := map[place]bool{}
	work := []place{{}}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		event, touched := la.firstEvent(at.block, key, cell)
		blk := la.Prog.Blocks[at.block]
		at.touched = at.touched || touched
		switch {
		case event == register.Unlock:
			continue
		case event == register.Lock, blk.Term.Kind == register.Return && at.touched:
			return false
		}
		for _, to := range blk.Term.To {
			work = append(work, place{to, at.touched})
		}
	}
	return true
}

// firstEvent is what a block does to a lock first, and whether it touches the
// cell before that.
func (la *lockAnalysis) firstEvent(block int, key string, cell int) (event register.Op, touched bool) {
	blk := la.Prog.Blocks[block]
	for i := range blk.Instrs {
		in := &blk.Instrs[i]
		switch {
		case in.IsBase():
			touched = touched || in.Cell == cell
		case (in.Op == register.Lock || in.Op == register.Unlock) && la.key(in.Args[0]) == key:
			return in.Op, touched
		}
	}
	return register.Copy, touched
}
