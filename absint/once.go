package absint

import "github.com/mapatom/mapatom/internal/reduce/register"

// atMostOnce reports whether the call touches its cells once at the most, whichever way
// it goes. Then it is one step where it does so: what it does before and after is its
// own business.
func atMostOnce(p *register.Program) bool {
	open := register.OpenEnters(p)
	// most is how many operations there can have been at the end of each block.
	most := make([]int, len(p.Blocks))
	preds := register.Preds(p)
	for _, b := range register.ReversePostorder(p) {
		n := 0
		for _, q := range preds[b] {
			n = max(n, most[q])
		}
		at := open[b]
		for i := range p.Blocks[b].Instrs {
			in := &p.Blocks[b].Instrs[i]
			before := at.Depth
			at = register.StepEnter(at, in, register.Ref{Block: b, Instr: i})
			if before == 0 && (in.IsBase() && in.Yields() || in.Op == register.Enter) {
				n++
			}
		}
		if n > 1 {
			return false
		}
		most[b] = n
	}
	for _, l := range register.Loops(p) {
		for _, b := range l.Blocks {
			for i := range p.Blocks[b].Instrs {
				if in := &p.Blocks[b].Instrs[i]; in.Yields() && in.Op != register.Lock {
					return false
				}
			}
		}
	}
	return true
}
