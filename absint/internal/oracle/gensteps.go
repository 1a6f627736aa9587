package oracle

import (
	"math/rand/v2"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// generateSteps makes a small package environment for p: a few of the
// operations that a package performs on its map, and often p itself.
func generateSteps(r *rand.Rand, p *register.Program) []Step {
	var steps []Step
	for range 1 + r.IntN(2) {
		cell := r.IntN(len(p.Cells))
		def := stepPrograms(p.Cells[cell])
		steps = append(steps, bind(r, def[r.IntN(len(def))], []int{cell}, len(p.Params)))
	}
	if r.IntN(2) == 0 {
		cells := make([]int, len(p.Cells))
		for i := range cells {
			cells[i] = i
		}
		self := bind(r, p, cells, len(p.Params))
		for i := range self.Params {
			self.Params[i] = [...]int{i, Free}[r.IntN(2)]
		}
		steps = append(steps, self)
	}
	if pr := (&Problem{Program: p, Steps: steps}); !wellTyped(pr) {
		return generateSteps(r, p)
	}
	return steps
}

// bind leaves most parameters free.
func bind(r *rand.Rand, p *register.Program, cells []int, params int) Step {
	s := Step{Program: p, Cells: cells}
	for range p.Params {
		k := Free
		if params > 0 && r.IntN(4) == 0 {
			k = r.IntN(params)
		}
		s.Params = append(s.Params, k)
	}
	return s
}

// stepPrograms lists operations on a cell.
func stepPrograms(c register.Cell) []*register.Program {
	all := []*register.Program{stepStore(c), stepSwap(c), stepReplace(c)}
	if c.Kind != register.Atomic {
		all = append(all, stepInsert(c), stepGetOrCreate(c), stepGetOrCreate(c))
	}
	if c.Kind == register.Map {
		all = append(all, stepDelete(c), stepTake(c))
	}
	if c.Zero == "0" {
		all = append(all, stepIncrement(c), stepIncrement(c))
	}
	if c.Zero == register.LitFalse {
		all = []*register.Program{stepStore(c), stepSwap(c), stepRaise(c)}
	}
	return all
}

func stepStore(c register.Cell) *register.Program {
	b := newBuilder("store", c)
	b.write(0, b.param("x"))
	return b.ret()
}

func stepSwap(c register.Cell) *register.Program {
	b := newBuilder("swap", c)
	old, had := b.swap(0, b.param("x"))
	return b.ret(old, had)
}

// stepReplace stores something new where something was.
func stepReplace(c register.Cell) *register.Program {
	b := newBuilder("replace", c)
	_, had := b.read(0)
	hit, miss := b.branch(had)
	b.at(miss)
	b.ret()
	b.at(hit)
	n := b.fresh("T#9")
	b.write(0, n)
	return b.ret(n)
}

func stepInsert(c register.Cell) *register.Program {
	b := newBuilder("insert", c)
	_, ok := b.cas(0, register.Absent, b.param("x"))
	return b.ret(ok)
}

func stepGetOrCreate(c register.Cell) *register.Program {
	b := newBuilder("getOrCreate", c)
	n := b.fresh("T#9")
	old, ok := b.cas(0, register.Absent, n)
	return b.ret(b.pure("choose", ok, n, old))
}

func stepDelete(c register.Cell) *register.Program {
	b := newBuilder("delete", c)
	b.write(0, register.Absent)
	return b.ret()
}

func stepTake(c register.Cell) *register.Program {
	b := newBuilder("take", c)
	old, had := b.swap(0, register.Absent)
	return b.ret(old, had)
}

func stepIncrement(c register.Cell) *register.Program {
	b := newBuilder("increment", c)
	v, _ := b.read(0)
	n := b.pure("inc", v)
	b.write(0, n)
	return b.ret(n)
}

func stepRaise(c register.Cell) *register.Program {
	b := newBuilder("raise", c)
	old, _ := b.swap(0, register.Lit(register.LitTrue))
	return b.ret(old)
}

// generateInitial makes up what constructors leave in the cells of p.
func generateInitial(r *rand.Rand, p *register.Program) [][]register.Value {
	all := make([][]register.Value, len(p.Cells))
	for i, c := range p.Cells {
		option := register.Value("")
		if r.IntN(2) == 0 {
			switch c.Zero {
			case "0":
				option = "1"
			case register.LitFalse:
				option = register.LitTrue
			}
		}
		all[i] = []register.Value{option}
	}
	return all
}
