package rivals

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Two keys of one map that can be equal are tried both ways: as two cells, and as one.

// Mergings are the ways in which cells of one map can be one and the same: for
// each cell the one it is merged into, itself if it stays. The first way merges
// none, but for what was found by a look over all, and what one range comes to, which is compiled once for each way out
// of a function:
//
//	defer func() {
//		for key := range s.m { delete(s.m, key) }
//	}()
//
// A call takes one of the ways out, whatever others take, and comes to every entry on each of them.
func Mergings(region *register.Program, roots []string) [][]int {
	ways := foundFirst(region, mergings(region, roots))
	kept := slices.Clone(ways)
	for _, one := range visitedOnce(region) {
		kept = slices.DeleteFunc(kept, func(way []int) bool { return way[one[0]] != way[one[1]] })
	}
	if len(kept) == 0 {
		return ways // some of their keys differ
	}
	return kept
}

// foundFirst has those ways first that merge a cell with another one whose key is its own on some path: what was found
// by a look over all of them is what it is about.
//
//	s.m.Range(func(k, v any) bool { if v == free { key = k.(int) }; return key == 0 })
//	s.m.Store(key, mine)
func foundFirst(region *register.Program, ways [][]int) [][]int {
	merges := func(way []int) int {
		n := 0
		for i, into := range way {
			if a, b := region.Cells[i].Key, region.Cells[into].Key; into != i && (mayBe(region, a, b) || mayBe(region, b, a)) {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(ways, func(a, b []int) int { return merges(b) - merges(a) })
	return ways
}

// mayBe reports whether an operand is a copy of another one on some path.
func mayBe(p *register.Program, key, other register.Operand) bool {
	if key.Local == register.None || other.Local == register.None {
		return false
	}
	of := register.NewLocalSet(len(p.Names))
	of.Add(other.Local)
	register.AddCopies(p, of)
	return of.Has(key.Local)
}

// visitedOnce are the pairs of cells to which one range comes, each on another way out.
func visitedOnce(p *register.Program) (out [][2]int) {
	var visits []visit
	n := register.Number(p)
	for i, c := range p.Cells {
		key := n.Source(c.Key)
		for b, blk := range p.Blocks {
			for k := range blk.Instrs {
				in := &blk.Instrs[k]
				if in.Op == register.Unknown && in.Site() == register.VisitedKey && !key.IsLit() && slices.Contains(in.Dst, key.Local) {
					visits = append(visits, visit{i, b, in.Pos})
				}
			}
		}
	}
	for i, v := range visits {
		for _, o := range visits[:i] {
			if v.pos == o.pos && v.cell != o.cell && !register.Leads(p, v.block, o.block) && !register.Leads(p, o.block, v.block) {
				out = append(out, [2]int{v.cell, o.cell})
			}
		}
	}
	return out
}

// visit is a cell whose key is that to which a range comes in a block.
type visit struct {
	cell, block int
	pos         register.Pos
}

// mergings are all of them, the first without any.
func mergings(region *register.Program, roots []string) [][]int {
	n := register.Number(region)
	ways := [][]int{nil}
	for i, c := range region.Cells {
		var next [][]int
		for _, way := range ways {
			next = append(next, append(slices.Clone(way), i))
			for k, o := range region.Cells[:i] {
				if way[k] == k && !c.Counted && !o.Counted && roots[i] == roots[k] && c.Kind == register.Map && o.Kind == register.Map &&
					n.Path(c.Map) == n.Path(o.Map) && !register.DifferentKeys(&c, &o) {
					next = append(next, append(slices.Clone(way), k))
				}
			}
		}
		ways = next
	}
	return ways
}

// Merge makes a copy of a program in which cells are one.
func Merge(region *register.Program, into []int) *register.Program {
	p := region.Clone()
	number := make([]int, len(into))
	p.Cells = nil
	var equal []register.Instr
	for i, k := range into {
		if k == i {
			number[i] = len(p.Cells)
			p.Cells = append(p.Cells, region.Cells[i])
			continue
		}
		number[i] = number[k]
		if key := region.Cells[i].Key; slices.Contains(region.Params, key.Local) && !mayBe(region, key, region.Cells[k].Key) {
			equal = append(equal, register.Instr{Op: register.Copy, Dst: []register.Local{key.Local}, Args: []register.Operand{region.Cells[k].Key}})
		}
	}
	keys := comparedKeys{region, register.Number(region), into}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.IsBase() {
				in.Cell = number[in.Cell]
			}
			keys.answer(in)
		}
	}
	p.Blocks[0].Instrs = append(equal, p.Blocks[0].Instrs...)
	return p
}

// comparedKeys answers whether keys of a region are equal, which cells are one says:
//
//	m.Range(func(key, _ any) bool {
//		found = found || key == k
//		return true
//	})
type comparedKeys struct {
	region *register.Program
	n      *register.Numbering
	into   []int
}

// answer makes a literal of the comparison of the keys of two cells of one map.
func (c comparedKeys) answer(in *register.Instr) {
	if same, compared := c.same(in); compared {
		is := register.LitFalse
		if same {
			is = register.LitTrue
		}
		in.Op, in.Name, in.Args = register.Copy, "", []register.Operand{register.Lit(is)}
	}
}

// same is whether the keys are equal that an instruction compares.
func (c comparedKeys) same(in *register.Instr) (same, compared bool) {
	if in.Op != register.Pure || in.Name != "eq" || len(in.Args) != 2 {
		return false, false
	}
	x, y := c.n.Source(in.Args[0]), c.n.Source(in.Args[1])
	for i := range c.region.Cells {
		for k := range c.region.Cells[:i] {
			a, b := &c.region.Cells[i], &c.region.Cells[k]
			if a.Kind != register.Map || b.Kind != register.Map || c.n.Path(a.Map) != c.n.Path(b.Map) {
				continue
			}
			if p, q := c.n.Source(a.Key), c.n.Source(b.Key); p == x && q == y || p == y && q == x {
				return c.into[i] == c.into[k], true
			}
		}
	}
	return false, false
}

// compares reports whether the program compares keys.
func (c comparedKeys) compares() bool {
	return slices.ContainsFunc(c.region.Blocks, func(b *register.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool {
			_, is := c.same(&in)
			return is
		})
	})
}

// Pick is what is known of the cells that are left.
func Pick[T any](of []T, into []int) []T {
	var out []T
	for i, k := range into {
		if i == k {
			out = append(out, of[i])
		}
	}
	return out
}
