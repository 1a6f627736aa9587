package judge

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A lock over all of a group, which everybody else takes, makes it atomic. One over a
// part of it keeps those away who take it, for that time: the engine is told which locks
// the region takes, and which of them each step of others needs.

// locked says whether all of a group is in one critical section that the other
// writers of each of its maps respect. What a lock over a part of it does, the engine
// knows.
func (c *contest) locked() bool {
	if c.x.Environment != absint.Package {
		return false
	}
	for i, sets := range c.sets {
		key, lock, one := rivals.Section(sets, writes(c.x.Group.Accesses))
		if !one || !rivals.Respected(c.others[i], key, lock) {
			return false
		}
	}
	return true
}

// nameLocks is the program with names for the locks of the region. There are none for
// one on several cells that holds locks only around sections which are one step already.
func (c *contest) nameLocks() (*register.Program, []*rivals.LockNames) {
	f, g := c.x.In, c.x.Group
	apart := func(k int) bool {
		at := g.Accesses[k].Start
		return f.Prog.Blocks[at.Block].Instrs[at.Instr].Op != register.Enter &&
			slices.ContainsFunc(c.sets, func(sets []rivals.LockSet) bool { return len(sets[k]) > 0 })
	}
	for k := range g.Accesses {
		if !c.x.Several || apart(k) || c.heldOn(k) {
			return f.NameLocks(g.Cells)
		}
	}
	prog, _ := f.NameLocks(g.Cells[:1])
	return prog, nil
}

// heldOn reports whether a lock is held at an access, and at another one in another section, without having been let go.
func (c *contest) heldOn(k int) bool {
	for _, sets := range c.sets {
		for l := range sets {
			for key, h := range sets[k] {
				on, also := sets[l][key]
				if also && on.At == h.At && c.x.Group.Accesses[l].Start != c.x.Group.Accesses[k].Start {
					return true
				}
			}
		}
	}
	return false
}

// everHeld are the names of the locks that the region holds at some time.
func (c *contest) everHeld(names []*rivals.LockNames) map[string]bool {
	if names == nil {
		return nil
	}
	out := map[string]bool{}
	for _, h := range c.held(names) {
		out[h.Lock] = true
	}
	for _, blk := range c.x.Region.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == register.Lock {
				out[in.Args[0].Lit] = true
			}
		}
	}
	return out
}

// lockingOf is what is known of the locks where some cells are one.
func (c *contest) lockingOf(into []int) rivals.Locking {
	l := c.locks
	if l.Names != nil {
		l.Names = rivals.Pick(l.Names, into)
	}
	return l
}

// guards are, for each cell that is plain memory, the lock that guards it, as far as that
// is known.
func (c *contest) guards() []string {
	out := make([]string, len(c.sets))
	for i, cell := range c.x.Group.Cells {
		if !c.x.In.Prog.Cells[cell].Guarded {
			continue
		}
		key := c.x.In.Guard(cell, c.x.Group.Accesses, c.sets[i], c.all[i])
		if key != "" && (c.x.Several || rivals.Alone(key, c.x.Group.Accesses, c.sets[i], c.all[i])) {
			out[i] = c.locks.Names[i].Name(key)
		}
	}
	return out
}

// held are the locks that the call holds when the region begins.
func (c *contest) held(names []*rivals.LockNames) []absint.Hold {
	var out []absint.Hold
	if names == nil {
		return nil
	}
	for i, cell := range c.x.Group.Cells {
		first := slices.IndexFunc(c.x.Group.Accesses, func(a *register.Access) bool { return a.Cell == cell })
		for _, set := range []rivals.LockSet{c.x.In.LockAnalysis(cell).At(c.start), c.sets[i][first].Entered()} {
			for _, h := range names[i].Holds(set) {
				if !slices.ContainsFunc(out, func(o absint.Hold) bool { return o.Lock == h.Lock }) {
					out = append(out, h)
				}
			}
		}
	}
	return out
}

// overPart is a violation on several cells if it is one in spite of a lock that is held over a part of them, or what is known
// instead. What others have done before they wait for a lock is a part of a step, and who sees it may break theirs and not this
// one.
func (c *contest) overPart(p absint.Problem, into []int, broken absint.Result) (absint.Problem, absint.Result, error) {
	if !c.x.Several {
		return p, broken, nil
	}
	if p.Env != absint.Package {
		if !c.heldAround(broken.Witness) {
			return p, broken, nil
		}
		unknown := absint.Result{Reason: "a lock is held over a part of several cells, of which others can reach one"}
		if c.locks.Names == nil {
			return p, unknown, nil
		}
		c.apiece = true
		q := c.problem(p.Region, into)
		res, err := c.Check(q)
		switch {
		case err != nil || res.Verdict == absint.Unknown:
			return p, unknown, err
		case res.Verdict == absint.Verified:
			return q, res, nil
		}
		p, broken = q, res
	}
	d := *c
	d.locks.Whole = true
	q := d.problem(p.Region, into)
	q.Unclassed = true
	if len(p.Steps) != len(q.Steps) {
		res, err := c.Check(q)
		if err != nil {
			return p, broken, err
		}
		if res.Verdict != absint.Violation {
			return p, absint.Result{Reason: "others hold a lock over a part of several cells"}, nil
		}
	}
	return p, broken, nil
}

// heldAround reports whether the call may hold a lock, that of a cell which it does not
// guard, where others come in between. If the operation before holds none, they come just
// after it, and if the one after holds none, just before that. What the call does besides its accesses, as
// it counts entries, is where these are.
func (c *contest) heldAround(w *absint.Witness) bool {
	holds := map[register.Pos]bool{}
	for k, a := range c.x.Group.Accesses {
		for _, at := range a.Ops {
			pos := c.x.In.Prog.Blocks[at.Block].Instrs[at.Instr].Pos
			holds[pos] = holds[pos] || c.holds(k)
		}
	}
	own := func(ev absint.Event) bool {
		_, known := holds[ev.Pos]
		return known && !ev.Other
	}
	before := false
	for i, ev := range w.Events {
		if own(ev) {
			before = holds[ev.Pos]
		}
		if !ev.Other {
			continue
		}
		next := slices.IndexFunc(w.Events[i:], own)
		if before && next >= 0 && holds[w.Events[i+next].Pos] {
			return true
		}
	}
	return false
}

// holds reports whether a lock is held at an access that is not that of its cell.
func (c *contest) holds(access int) bool {
	for i, sets := range c.sets {
		if !c.x.In.Prog.Cells[c.x.Group.Cells[i]].Guarded && len(sets[access]) > 0 {
			return true
		}
	}
	return false
}
