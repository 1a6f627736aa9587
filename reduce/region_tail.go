package reduce

import (
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// absorbMoves adds the blocks on the way out that only compute something and
// jump on, such as the copies for a phi: they are no place of their own.
func (c *cutter) absorbMoves() {
	for changed := true; changed; {
		changed = false
		for b := range c.p.Blocks {
			if !c.in[b] {
				continue
			}
			for _, s := range c.p.Blocks[b].Term.To {
				if !c.in[s] && !c.tail[s] && s != c.join && !c.cut(s) && onlyMoves(c.p.Blocks[s]) {
					c.in[s], changed = true, true
				}
			}
		}
	}
}

func onlyMoves(b *register.Block) bool {
	for i := range b.Instrs {
		if op := b.Instrs[i].Op; op != register.Copy && op != register.Pure {
			return false
		}
	}
	return b.Term.Kind == register.Jump
}

// What follows the last operation, up to the function's return or the next
// round of a loop, is a tail of the region if it is short. With it, two ways
// on that do the same things are the same result: a caller who found the value
// and one who lost the race for it both go on to use it. Where the rest is long,
// each way out is a place of its own.
const (
	// maxTail bounds the blocks on one way of a tail.
	maxTail = 24
	// maxThen bounds what a tail does besides computing its results, and
	// maxForks the decisions in a tail that does something.
	maxThen  = 12
	maxForks = 4
)

// tailSize is what a tail is measured by.
type tailSize struct{ then, forks int }

func (t *tailSize) small() bool { return t.then == 0 || t.then <= maxThen && t.forks <= maxForks }

// findJoin finds where all ways out of the region meet that do not panic, -1 if
// nowhere near. If the rest of the function is too long for a tail, the part up
// to there may not be.
func (c *cutter) findJoin(exits []int) {
	if c.join >= 0 || len(exits) < 2 {
		return
	}
	near := c.near(exits)
	for _, b := range register.ReversePostorder(c.p) {
		if near[b] && !c.in[b] && !c.tail[b] && !c.cut(b) && c.meet(exits, b) {
			c.join = b
			return
		}
	}
}

// near are the blocks that meet can come to from the exits.
func (c *cutter) near(exits []int) []bool {
	out := make([]bool, len(c.p.Blocks))
	for steps, next := 0, exits; len(next) > 0 && steps <= maxTail; steps++ {
		var after []int
		for _, b := range next {
			if !out[b] {
				out[b] = true
				after = append(after, c.p.Blocks[b].Term.To...)
			}
		}
		next = after
	}
	return out
}

// meet reports whether every way from the exits leads to b, or panics, within a
// few blocks.
func (c *cutter) meet(exits []int, b int) bool {
	seen := map[int]bool{b: true}
	reached := false
	work := slices.Clone(exits)
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		reached = reached || n == b
		if seen[n] {
			continue
		}
		seen[n] = true
		if c.in[n] || c.cut(n) || len(seen) > maxTail || c.p.Blocks[n].Term.Kind == register.Return {
			return false
		}
		work = append(work, c.p.Blocks[n].Term.To...)
	}
	return reached
}

// addTail takes the blocks from b on into the tail if they are one, or those up
// to the join.
func (c *cutter) addTail(b int) {
	join := c.join
	c.join = -1
	if !c.tryTail(b) {
		c.join = join
		if join >= 0 && b != join {
			c.tryTail(b)
		}
	}
	c.join = join
}

func (c *cutter) tryTail(b int) bool {
	found := make([]bool, len(c.p.Blocks))
	size := &tailSize{}
	if !c.ends(b, found, map[int]bool{}, size) || !size.small() {
		return false
	}
	for i := range found {
		c.tail[i] = c.tail[i] || found[i]
	}
	return true
}

// ends reports whether all ways from b come to an end without an operation
// on the cells, and collects the blocks.
func (c *cutter) ends(b int, found []bool, path map[int]bool, size *tailSize) bool {
	if c.in[b] || len(path) > maxTail {
		return false
	}
	if path[b] {
		return c.isIdle(b)
	}
	if found[b] {
		return true
	}
	if !c.tailInstrs(c.p.Blocks[b].Instrs, size) {
		return false
	}
	path[b] = true
	defer delete(path, b)
	to := c.p.Blocks[b].Term.To
	size.forks += max(0, len(to)-1)
	for _, s := range to {
		if !c.cut(s) && s != c.join && !c.ends(s, found, path, size) {
			return false
		}
	}
	found[b] = true
	return true
}

// isIdle reports whether block b is the head of a loop in which nothing is done, see doesSomething, nor looked at.
func (c *cutter) isIdle(b int) bool {
	busy := func(in register.Instr) bool { return in.Op == register.Read || c.doesSomething(in) }
	return slices.ContainsFunc(c.whole.loops(), func(l register.Loop) bool {
		return l.Head == b && !slices.ContainsFunc(l.Blocks, func(in int) bool { return slices.ContainsFunc(c.p.Blocks[in].Instrs, busy) })
	})
}

// tailInstrs reports whether instructions can stand in a tail.
func (c *cutter) tailInstrs(ins []register.Instr, size *tailSize) bool {
	for i := range ins {
		switch in := &ins[i]; {
		case in.IsBase() && slices.Contains(c.cells, in.Cell):
			return false
		case in.IsBase() && changes(in), in.Op == register.Effect && !c.tracks(in):
			size.then++
		}
	}
	return true
}

// changes reports whether a base operation can write.
func changes(in *register.Instr) bool { return in.Op == register.Write || in.Op == register.CAS }

// tailFrom is the instruction of block b at which the tail begins: the end if
// b does not lead to one.
func (c *cutter) tailFrom(b int) int {
	blk := c.p.Blocks[b]
	if c.tail[b] {
		return 0
	}
	for _, s := range blk.Term.To {
		if !c.cut(s) && !c.tail[s] && s != c.join {
			return len(blk.Instrs)
		}
	}
	from := c.afterSection(b, c.lastAccess(b)+1)
	size := &tailSize{}
	if from < 0 || !c.tailInstrs(blk.Instrs[from:], size) || !size.small() {
		return len(blk.Instrs)
	}
	return from
}

// afterSection is the first instruction of block b, not before i, that is
// under no Enter; -1 if there is none.
func (c *cutter) afterSection(b, i int) int {
	s := c.open[b]
	ins := c.p.Blocks[b].Instrs
	for k := range ins {
		if k >= i && s.Depth == 0 {
			return k
		}
		s = register.StepEnter(s, &ins[k], register.Ref{Block: b, Instr: k})
	}
	if s.Depth == 0 {
		return len(ins)
	}
	return -1
}

// lastAccess is the last instruction of block b that belongs to an access, or
// -1.
func (c *cutter) lastAccess(b int) int {
	last := -1
	for _, a := range c.accesses {
		for _, op := range a.Ops {
			if op.Block == b {
				last = max(last, op.Instr)
			}
		}
	}
	return last
}

// leaves reports whether an instruction after the last operation is something
// else that the function goes on to do.
func (c *cutter) leaves(in register.Instr) bool {
	return in.Op == register.Effect && !c.tracks(&in) || in.IsBase()
}

// elsewhere is what an operation on another cell amounts to: results that
// cannot be predicted, and an effect if the cell is a part of a value in ours,
// or if it writes and belongs to the tail.
func (c *cutter) elsewhere(in register.Instr, site string, tail bool) []register.Instr {
	cell := c.p.Cells[in.Cell]
	e := register.Instr{Op: register.Effect, Name: register.OperationEffect(in.Op), Pos: in.Pos}
	for _, o := range append([]register.Operand{cell.Map, cell.Key}, in.Args...) {
		if !o.IsNone() && o != register.Absent {
			e.Args = append(e.Args, o)
		}
	}
	var out []register.Instr
	switch {
	case (tail || changes(&in)) && c.values.concerns(c.numbers, &e):
		out = append(out, e) // to look at a part of what is going to be removed is no effect yet
	case tail && changes(&in) && !c.tracks(&e):
		out = append(out, c.then(e))
	}
	found := register.Instr{Op: register.Unknown, Dst: in.Dst, Name: register.Other + site, Pos: in.Pos}
	if at := slices.DeleteFunc([]register.Operand{cell.Map, cell.Key}, register.Operand.IsNone); c.values.concerns(c.numbers, &register.Instr{Args: at}) {
		found.Name, found.Args = register.OfEntry+site, at
	}
	return append(out, found)
}

// then makes an effect one of the tail, which counts whatever it concerns.
func (c *cutter) then(in register.Instr) register.Instr {
	in.Name = register.Then + in.Name
	return in
}

// endEarly cuts the blocks short that do something else after the last
// operation, or after the end of its section: the region ends there, and what follows is a place of its own.
func (c *cutter) endEarly(out *register.Program, index map[int]int, live *register.Liveness, defined []bool) {
	for b := range c.p.Blocks {
		if _, inside := index[b]; !inside || !c.isLast(b) || c.goesOn(b) || c.tailFrom(b) < len(c.p.Blocks[b].Instrs) {
			continue
		}
		from := c.afterSection(b, c.lastAccess(b)+1)
		if from < 0 || !slices.ContainsFunc(c.p.Blocks[b].Instrs[from:], c.leaves) {
			continue
		}
		t := register.Term{Kind: register.Return, Label: "exit" + strconv.Itoa(b) + "." + strconv.Itoa(from-1)}
		for _, l := range live.In(b, from) {
			if defined[l] {
				t.Vals = append(t.Vals, register.L(l))
			}
		}
		blk := out.Blocks[index[b]]
		blk.Instrs, blk.Term = blk.Instrs[:c.places[b][from]], t
	}
}

// isLast reports whether block b has the last access of a way through the region, or the end of
// the section that it is in.
func (c *cutter) isLast(b int) bool {
	i := c.lastAccess(b)
	if b == c.start.Block {
		return i >= c.start.Instr
	}
	return i >= 0 || c.in[b] && c.open[b].Depth > 0
}

// tracks reports whether an effect is one on something that can be in a
// cell: such an effect is a part of the region where it stands.
// An effect on nothing but what the function has just allocated, such as the
// closing of a spare, concerns nobody.
func (c *cutter) tracks(in *register.Instr) bool {
	return c.values.concerns(c.numbers, in) || onlyNew(c.p, in)
}

// onlyNew reports whether an instruction is given nothing but what the function has just allocated.
func onlyNew(p *register.Program, in *register.Instr) bool {
	own := false
	for _, a := range in.Args {
		if a.Local == register.None {
			continue
		}
		if own = p.IsFresh(a.Local); !own {
			return false
		}
	}
	return own
}

// found reports whether an effect is only on what operations found, which may be nothing:
//
//	v, _ := m.Load(k); m.Store(k, x); tell(v)
//
// Two callers who both tell that there was nothing have told it twice, as with any other value.
// What was put there, or was to be, is another matter: the one that is not taken is closed.
func found(p *register.Program, in *register.Instr) bool {
	seen, work := register.NewLocalSet(len(p.Names)), []register.Local{}
	add := func(l register.Local) {
		if !seen.Has(l) {
			seen.Add(l)
			work = append(work, l)
		}
	}
	in.Uses(add)
	for ; len(work) > 0; work = work[1:] {
		if slices.Contains(p.Params, work[0]) || !foundIn(p, work[0], add) {
			return false
		}
	}
	return true
}

// foundIn reports whether a local is assigned by operations, or made of other ones, which are
// given to add.
func foundIn(p *register.Program, l register.Local, add func(register.Local)) bool {
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in, assigns := &blk.Instrs[i], false
			in.Defs(func(d register.Local) { assigns = assigns || d == l })
			switch {
			case !assigns, in.Op == register.Read || in.Op == register.Write:
			case in.Op == register.Copy || in.Op == register.Pure && in.Name != "eq":
				in.Uses(add)
			case in.Op == register.Pure:
			default:
				return false
			}
		}
	}
	return true
}

// idleEnd is how all ways on from block b end that come to an end, if they do nothing before that which anybody could
// tell, whatever loops are among them:
//
//	for range 2 { mu.Lock(); mu.Unlock() }
//	return found
//
// So it is no place of its own where others come to the same end.
func (c *cutter) idleEnd(b int) (end register.Term, ok bool) {
	seen, assigned := map[int]bool{}, map[register.Local]bool{}
	for work := []int{b}; len(work) > 0; {
		b, work = work[0], work[1:]
		if seen[b] {
			continue
		}
		seen[b] = true
		blk := c.p.Blocks[b]
		if c.in[b] || len(seen) > maxTail || slices.ContainsFunc(blk.Instrs, c.doesSomething) || slices.ContainsFunc(blk.Term.To, c.cut) {
			return end, false
		}
		for i := range blk.Instrs {
			blk.Instrs[i].Defs(func(l register.Local) { assigned[l] = true })
		}
		work = append(work, blk.Term.To...)
		if len(blk.Term.To) > 0 {
			continue
		}
		if t := blk.Term; t.Kind != register.Return || t.Label != "" || ok && !slices.Equal(t.Vals, end.Vals) {
			return end, false
		}
		end, ok = register.Term{Kind: register.Return, Vals: slices.Clone(blk.Term.Vals), Pos: blk.Term.Pos}, true
	}
	return end, ok && !slices.ContainsFunc(end.Vals, func(o register.Operand) bool { return !o.IsLit() && assigned[o.Local] })
}

// doesSomething reports whether an instruction is more than to compute, to look at another cell or at all of them, or to wait for
// a lock. What nobody can predict is nothing that is done: a call has an effect besides, and only who receives takes something away.
func (c *cutter) doesSomething(in register.Instr) bool {
	switch in.Op {
	case register.Copy, register.Pure, register.Lock, register.Unlock, register.Enter, register.Leave, register.Fresh:
		return false
	case register.Read:
		return slices.Contains(c.cells, in.Cell)
	case register.Unknown:
		return in.IsReceived()
	case register.Omit:
		return in.Name != register.OmitLook || len(in.Args) == 0
	}
	return true
}
