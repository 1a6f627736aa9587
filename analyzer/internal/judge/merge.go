package judge

import (
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Two keys of one map that can be equal are tried both ways: as two cells, and as one.

// mergings are the ways in which cells of one map can be one and the same: for
// each cell the one it is merged into, itself if it stays. The first way merges
// none.
func mergings(region *register.Program, roots []string) [][]int {
	n := register.Number(region)
	ways := [][]int{nil}
	for i, c := range region.Cells {
		var next [][]int
		for _, way := range ways {
			next = append(next, append(slices.Clone(way), i))
			for k, o := range region.Cells[:i] {
				if way[k] == k && roots[i] == roots[k] && c.Kind == register.Map && o.Kind == register.Map &&
					n.Path(c.Map) == n.Path(o.Map) && !register.DifferentKeys(&c, &o) {
					next = append(next, append(slices.Clone(way), k))
				}
			}
		}
		ways = next
	}
	return ways
}

// merge makes a copy of the region in which cells are one.
func merge(region *register.Program, into []int) *register.Program {
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
		if key := region.Cells[i].Key; slices.Contains(region.Params, key.Local) {
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
	if in.Op != register.Pure || in.Name != "eq" || len(in.Args) != 2 {
		return
	}
	x, y := c.n.Source(in.Args[0]), c.n.Source(in.Args[1])
	for i := range c.region.Cells {
		for k := range c.region.Cells[:i] {
			a, b := &c.region.Cells[i], &c.region.Cells[k]
			if a.Kind != register.Map || b.Kind != register.Map || c.n.Path(a.Map) != c.n.Path(b.Map) {
				continue
			}
			if p, q := c.n.Source(a.Key), c.n.Source(b.Key); p == x && q == y || p == y && q == x {
				is := register.LitFalse
				if c.into[i] == c.into[k] {
					is = register.LitTrue
				}
				in.Op, in.Name, in.Args = register.Copy, "", []register.Operand{register.Lit(is)}
				return
			}
		}
	}
}

// pick is what is known of the cells that are left.
func pick[T any](of []T, into []int) []T {
	var out []T
	for i, k := range into {
		if i == k {
			out = append(out, of[i])
		}
	}
	return out
}

// listed joins what is said of each cell.
func listed(parts []string) string { return strings.Join(slices.Compact(parts), ", ") }

// moves reports whether which cell one of a region is depends on what its operations find:
// a field of the entry, or what is under the name that was found. Where others put another
// entry there, it is another cell, of which the region has only the one.
func moves(region *register.Program) bool {
	found := register.NewLocalSet(len(region.Names))
	for grown := true; grown; {
		grown = false
		for _, blk := range region.Blocks {
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				follows := in.IsBase()
				in.Uses(func(l register.Local) { follows = follows || found.Has(l) })
				in.Defs(func(l register.Local) {
					if follows && !found.Has(l) {
						found.Add(l)
						grown = true
					}
				})
			}
		}
	}
	return slices.ContainsFunc(region.Cells, func(c register.Cell) bool {
		return slices.ContainsFunc([]register.Operand{c.Map, c.Key}, func(o register.Operand) bool {
			return o.Local != register.None && found.Has(o.Local)
		})
	})
}
