package analyzer

import "github.com/mapatom/mapatom/reduce"

// handedOver finds the locks that are held when the function is entered,
// because it releases them and has not taken them: one call takes the lock and
// returns with it, another one ends what was begun.
//
// A function that on some way takes the lock first, or touches the cell and goes
// without having released it, proves nothing: it may be told by an argument
// whether the lock is held.
func (la *lockAnalysis) handedOver(cell int) lockSet {
	out := lockSet{}
	for _, blk := range la.prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != reduce.Unlock {
				continue
			}
			key := la.key(in.Args[0])
			if _, known := out[key]; key == "" || known || !la.unlocksFirst(key, cell) {
				continue
			}
			out[key] = heldLock{exclusive: in.Name == "w", at: entrySection}
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
		blk := la.prog.Blocks[at.block]
		at.touched = at.touched || touched
		switch {
		case event == reduce.Unlock:
			continue
		case event == reduce.Lock, blk.Term.Kind == reduce.Return && at.touched:
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
func (la *lockAnalysis) firstEvent(block int, key string, cell int) (event reduce.Op, touched bool) {
	blk := la.prog.Blocks[block]
	for i := range blk.Instrs {
		in := &blk.Instrs[i]
		switch {
		case in.IsBase():
			touched = touched || in.Cell == cell
		case (in.Op == reduce.Lock || in.Op == reduce.Unlock) && la.key(in.Args[0]) == key:
			return in.Op, touched
		}
	}
	return reduce.Copy, touched
}
