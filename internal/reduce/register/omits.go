package register

// OmitsChange reports whether the instruction marks something that may change a map.
func (in *Instr) OmitsChange() bool {
	return in.Op == Omit && (in.Name == OmitAct || in.Name == OmitCall)
}

// Omits is the name of an Omit, if the program leaves out something on which an operation
// may depend: a look at the whole map that comes before one, or a change at any time.
func (p *Program) Omits() (name string, omits bool) {
	succs := blockSuccs(p)
	base := func(ins []Instr) bool {
		for i := range ins {
			if ins[i].IsBase() {
				return true
			}
		}
		return false
	}
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != Omit {
				continue
			}
			if in.OmitsChange() || base(blk.Instrs[i:]) {
				return in.Name, true
			}
			for c, reached := range reachableFrom(succs, blk.Term.To) {
				if reached && (c != b || len(blk.Instrs) > 0) && base(p.Blocks[c].Instrs) {
					return in.Name, true
				}
			}
		}
	}
	return "", false
}
