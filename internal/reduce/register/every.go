package register

import "slices"

// EveryCell is the cell of a write to each entry of a map; -1 if there is none.
func EveryCell(p *Program) int {
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == Write && in.Name == Every {
				return in.Cell
			}
		}
	}
	return -1
}

// WriteEvery makes of each write to every entry of a map one to each of the cells, which
// are those of that map, in a program that nobody interrupts.
func WriteEvery(p *Program, cells []int) {
	for _, blk := range p.Blocks {
		var instrs []Instr
		for _, in := range blk.Instrs {
			if instrs = append(instrs, in); in.Op != Write || in.Name != Every || !slices.Contains(cells, in.Cell) {
				continue
			}
			for _, cell := range cells {
				if cell != in.Cell {
					more := in
					more.Dst, more.Cell = []Local{None, None}, cell
					instrs = append(instrs, more)
				}
			}
		}
		blk.Instrs = instrs
	}
}
