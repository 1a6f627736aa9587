package reduce

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// settleSections makes one step of each critical section of which that can be said:
// one in which only guarded cells are touched, and which is entered and left in the
// same way on all paths. In others, the locks alone are kept: what is done to a cell
// that others touch without the lock can be interrupted there.
func settleSections(p *register.Program) (settled bool) {
	noteHeld(p)
	if !markSections(p) {
		return false
	}
	s := &sections{p: p, in: make([][]int, len(p.Blocks)), reached: make([]bool, len(p.Blocks))}
	defer s.unmark()
	if !s.nest() {
		s.drop(func(register.Ref) bool { return true })
		return true
	}
	s.drop(func(at register.Ref) bool {
		for _, e := range s.at[at] {
			if s.foreign[e] {
				return true
			}
		}
		return false
	})
	return true
}

// holds finds the critical sections around operations.
type holds struct {
	n *register.Numbering
	// numbers are those of the sections, by the place where the lock is taken, and
	// locks what is taken there.
	numbers map[register.Ref]int
	locks   []string
}

// noteHeld notes at each operation on a guarded cell in which critical sections it is:
// those that have been entered, by the place where the lock was taken, on every way
// that leads there.
func noteHeld(p *register.Program) {
	if !slices.ContainsFunc(p.Cells, func(c register.Cell) bool { return c.Guarded }) {
		return
	}
	h := &holds{n: register.Number(p), numbers: map[register.Ref]int{}}
	held := make([][]int, len(p.Blocks))
	reached := make([]bool, len(p.Blocks))
	reached[0] = true
	order := register.ReversePostorder(p)
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			if !reached[b] {
				continue
			}
			at := held[b]
			blk := p.Blocks[b]
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				at = h.after(in, register.Ref{Block: b, Instr: i}, at)
				if in.IsBase() && p.Cells[in.Cell].Guarded {
					in.Held = at
				}
			}
			for _, to := range blk.Term.To {
				both := at
				if reached[to] {
					both = h.meet(held[to], at)
				}
				if !reached[to] || !slices.Equal(both, held[to]) {
					reached[to], held[to], changed = true, both, true
				}
			}
		}
	}
}

// unclear stands for sections of which some have been left, nobody knows which, or one of which
// each way has another.
const unclear = -1

// meet is what is held where two ways come together. A lock that each of them has taken is held, in
// a section that is another one for each.
//
//	if !ok { mu.RUnlock(); mu.Lock(); defer mu.Unlock() } else { defer mu.RUnlock() }
//	return m[k]
func (h *holds) meet(a, b []int) []int {
	both := slices.DeleteFunc(slices.Clone(a), func(n int) bool { return !slices.Contains(b, n) })
	apart := func(n int) bool {
		return !slices.Contains(both, n) && slices.ContainsFunc(b, func(m int) bool {
			return !slices.Contains(both, m) && (n == unclear || m == unclear || h.locks[n-1] == h.locks[m-1])
		})
	}
	if slices.ContainsFunc(a, apart) {
		both = append([]int{unclear}, both...)
	}
	return both
}

// after is what is held after an instruction, in order.
func (h *holds) after(in *register.Instr, ref register.Ref, held []int) []int {
	if !in.Guard {
		return held
	}
	lock := h.n.Term(in.Args[0])
	if in.Op == register.Lock {
		if _, ok := h.numbers[ref]; !ok {
			h.numbers[ref] = len(h.locks) + 1
			h.locks = append(h.locks, lock)
			in.Held = []int{h.numbers[ref]}
		}
		held = append(slices.Clone(held), h.numbers[ref])
		slices.Sort(held)
		return slices.Compact(held)
	}
	left := slices.DeleteFunc(slices.Clone(held), func(n int) bool { return n > 0 && h.locks[n-1] == lock })
	if len(left) == len(held) && len(held) > 0 {
		return []int{unclear}
	}
	return left
}

// markSections puts an Enter after every Lock of a guard, and a Leave before every
// Unlock of one, and reports whether there are any. They have the mark of a guard as long as
// sections are settled: operations have others of their own, also next to a lock. Functions of
// other packages come with theirs.
func markSections(p *register.Program) bool {
	found := false
	for _, blk := range p.Blocks {
		guards := 0
		for i := range blk.Instrs {
			if blk.Instrs[i].Guard {
				guards++
			}
		}
		if guards == 0 {
			continue
		}
		found = true
		out := make([]register.Instr, 0, len(blk.Instrs)+guards)
		for _, in := range blk.Instrs {
			guard := in.Guard
			in.Guard = false
			if guard && in.Op == register.Unlock {
				out = append(out, register.Instr{Op: register.Leave, Pos: in.Pos, Guard: true})
			}
			out = append(out, in)
			if guard && in.Op == register.Lock {
				out = append(out, register.Instr{Op: register.Enter, Pos: in.Pos, Guard: true})
			}
		}
		blk.Instrs = out
	}
	return found
}

// sections finds the sections of one program.
type sections struct {
	p *register.Program
	// in are the sections that are open at the start of each block, by number.
	in      [][]int
	reached []bool
	// at says for each Enter and Leave which section it is of; a Leave can be that
	// of several, on different paths.
	at map[register.Ref][]int
	// foreign are those in which a cell is touched that is not guarded.
	foreign map[int]bool
}

// nest follows the sections along all paths; false if they do not nest.
func (s *sections) nest() bool {
	s.at, s.foreign = map[register.Ref][]int{}, map[int]bool{}
	numbers := map[register.Ref]int{}
	s.reached[0] = true
	for _, b := range register.ReversePostorder(s.p) {
		if !s.reached[b] {
			continue
		}
		open := slices.Clone(s.in[b])
		blk := s.p.Blocks[b]
		for i := range blk.Instrs {
			ref := register.Ref{Block: b, Instr: i}
			switch {
			case s.enters(blk, i):
				if _, ok := numbers[ref]; !ok {
					numbers[ref] = len(numbers)
				}
				s.at[ref] = []int{numbers[ref]}
				open = append(open, numbers[ref])
			case s.leaves(blk, i):
				if len(open) == 0 {
					return false
				}
				s.at[ref] = append(s.at[ref], open[len(open)-1])
				open = open[:len(open)-1]
			case blk.Instrs[i].IsBase() && !s.p.Cells[blk.Instrs[i].Cell].Guarded:
				for _, e := range open {
					s.foreign[e] = true
				}
			}
		}
		if blk.Term.Kind == register.Return && len(open) > 0 {
			return false
		}
		for _, to := range blk.Term.To {
			if s.reached[to] && !slices.Equal(s.in[to], open) {
				return false
			}
			s.reached[to], s.in[to] = true, slices.Clone(open)
		}
	}
	return true
}

// enters reports whether the instruction is the Enter of a section.
func (s *sections) enters(b *register.Block, i int) bool {
	return b.Instrs[i].Op == register.Enter && b.Instrs[i].Guard
}

// leaves reports whether the instruction is the Leave of a section.
func (s *sections) leaves(b *register.Block, i int) bool {
	return b.Instrs[i].Op == register.Leave && b.Instrs[i].Guard
}

// unmark takes the marks off that tell sections from other Enters and Leaves.
func (s *sections) unmark() {
	for _, blk := range s.p.Blocks {
		for i := range blk.Instrs {
			blk.Instrs[i].Guard = false
		}
	}
}

// drop removes those Enters and Leaves of sections for which gone holds.
func (s *sections) drop(gone func(register.Ref) bool) {
	for b, blk := range s.p.Blocks {
		kept := make([]register.Instr, 0, len(blk.Instrs))
		for i := range blk.Instrs {
			if (s.enters(blk, i) || s.leaves(blk, i)) && gone(register.Ref{Block: b, Instr: i}) {
				continue
			}
			kept = append(kept, blk.Instrs[i])
		}
		if len(kept) < len(blk.Instrs) {
			blk.Instrs = kept
		}
	}
}

// entrySection is the section that the callers of a function have entered. Those that
// the function enters have higher numbers.
const entrySection = 0

// InSection makes one step of all that a function does: its callers hold the guard
// of what it touches. A function that also touches something else is left as it is,
// but that what is guarded is in one section. What it has somebody run later is
// no part of that, and the marks that say where it begins serve for nothing else. Of a function that is
// not held so, only these go.
func InSection(p *register.Program, held bool) {
	defer dropLater(p)
	ends, ok := beforeLater(p)
	if !ok || !held {
		return
	}
	alone := !slices.ContainsFunc(p.Cells, func(c register.Cell) bool { return !c.Guarded })
	for b, blk := range p.Blocks {
		for i := range max(ends[b], 0) {
			if in := &blk.Instrs[i]; in.IsBase() && p.Cells[in.Cell].Guarded {
				in.Held = append([]int{entrySection}, in.Held...)
			}
		}
		if end := ends[b]; alone && end >= 0 && (end < len(blk.Instrs) || blk.Term.Kind == register.Return) {
			blk.Instrs = slices.Insert(blk.Instrs, end, register.Instr{Op: register.Leave, Pos: endPos(blk, end)})
		}
	}
	if entry := p.Blocks[0]; alone {
		entry.Instrs = slices.Insert(entry.Instrs, 0, register.Instr{Op: register.Enter})
	}
}

// endPos is the position of an instruction of a block, or that of its end.
func endPos(blk *register.Block, i int) register.Pos {
	if i < len(blk.Instrs) {
		return blk.Instrs[i].Pos
	}
	return blk.Term.Pos
}

// beforeLater is how many instructions of each block come before what the function has somebody run
// later, -1 for one that is all of that; false if that is not the same on all ways.
func beforeLater(p *register.Program) (ends []int, ok bool) {
	ends = make([]int, len(p.Blocks))
	reached, over := make([]bool, len(p.Blocks)), make([]bool, len(p.Blocks))
	reached[0] = true
	for _, b := range register.ReversePostorder(p) {
		blk := p.Blocks[b]
		isOver := over[b]
		if ends[b] = len(blk.Instrs); over[b] {
			ends[b] = -1
		} else if i := slices.IndexFunc(blk.Instrs, isLaterMark); i >= 0 {
			ends[b], isOver = i, true
		}
		for _, to := range blk.Term.To {
			if reached[to] && over[to] != isOver {
				return nil, false
			}
			reached[to], over[to] = true, isOver
		}
	}
	return ends, true
}

func isLaterMark(in register.Instr) bool {
	return in.Op == register.Omit && in.Name == register.OmitLater
}

// dropLater takes the marks away that say where what is run later begins.
func dropLater(p *register.Program) {
	for _, blk := range p.Blocks {
		blk.Instrs = slices.DeleteFunc(blk.Instrs, isLaterMark)
	}
}
