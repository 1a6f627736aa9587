package oracle

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Mix says what to generate.
type Mix struct {
	// Cells is 1 or 2.
	Cells int
	Env   EnvKind
	// Noise is the share, in percent, of programs that are built from
	// nothing. The others are mutations of Shapes.
	Noise int
}

// DefaultNoise is a good value for Mix.Noise.
const DefaultNoise = 50

// mostBaseOps limits generated programs.
const mostBaseOps = 6

// Rand is the source of randomness for problem number n of a seed.
func Rand(seed, n uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, n)) }

// Generate makes a problem with a well-formed program and with bounds that a
// search reaches in reasonable time, as a rule.
func Generate(r *rand.Rand, mix Mix) Problem {
	pr := Problem{Env: mix.Env}
	if r.IntN(100) < mix.Noise {
		pr.Program = noise(r, mix.Cells)
	} else {
		pr.Program = variation(r, mix.Cells)
	}
	if mix.Env == Package {
		pr.Steps = generateSteps(r, pr.Program)
		if r.IntN(4) == 0 {
			pr.Initial = generateInitial(r, pr.Program)
		}
	}
	pr.Bounds = boundsFor(&pr)
	return pr
}

// boundsFor allows fewer changes where there are more places for them. At
// one point it allows as many as in all; for one cell and an open
// environment, though, two changes at one point are no more than one.
func boundsFor(pr *Problem) Bounds {
	b := Bounds{PerPoint: 2, Env: 2, Run: 60, Work: 30_000}
	if len(pr.Program.Cells) == 1 && pr.Env == Open {
		b.PerPoint = 1
		if baseOps(pr.Program) <= 3 {
			b.Env = 3
		}
	}
	return b
}

// noise builds programs until one is well formed.
func noise(r *rand.Rand, cells int) *register.Program {
	for {
		g := &gen{r: r, b: newBuilder("noise", generateCells(r, cells)...)}
		g.lit = [...]string{"0", "1", "&global"}[r.IntN(3)]
		g.program()
		if wellFormed(g.b.p, mostBaseOps) && worthwhile(g.b.p) {
			return g.b.p
		}
	}
}

// worthwhile reports whether p does something with its cells, ends by itself
// in most runs that nobody interrupts, and has few enough such runs that
// adding the environment's does not take forever.
func worthwhile(p *register.Program) bool {
	const most = 200 // attempts
	if baseOps(p) == 0 {
		return false
	}
	_, stats, err := Search(context.Background(), Problem{Program: p, Bounds: Bounds{Run: 60, Work: most}})
	return err == nil && stats.Pending*2 < stats.Interleavings
}

func generateCells(r *rand.Rand, n int) []register.Cell {
	flag := atomicCell()
	flag.Zero = register.LitFalse
	kinds := []register.Cell{mapCell(), mapCell(), mapCell(), atomicCell(), atomicCell(), latchCell(), flag}
	var cells []register.Cell
	for i := range n {
		c := kinds[r.IntN(len(kinds))]
		if i > 0 {
			c.Map, c.Label = register.Lit("&other"), "other"
		}
		cells = append(cells, c)
	}
	return cells
}

// gen builds one program. The locals in scope are set on all paths to the
// place where it builds.
type gen struct {
	r      *rand.Rand
	b      *builder
	scope  scope
	base   int    // base operations so far
	lit    string // a literal that it uses
	inLoop bool
	ended  bool // the current block has a terminator
}

// scope are the operands at hand.
type scope struct {
	values, bools []register.Operand
}

func (s scope) clone() scope {
	return scope{values: slices.Clone(s.values), bools: slices.Clone(s.bools)}
}

// program builds parameters, statements and a final return.
func (g *gen) program() {
	for range g.r.IntN(3) {
		g.scope.values = append(g.scope.values, g.b.param("x"))
	}
	if g.r.IntN(5) == 0 {
		g.scope.bools = append(g.scope.bools, g.b.param("flag"))
	}
	g.statements(2+g.r.IntN(6), 2)
	if !g.ended {
		g.end()
	}
}

// statements builds up to n statements, nested at most depth deep.
func (g *gen) statements(n, depth int) {
	for range n {
		if g.ended {
			return
		}
		g.statement(depth)
	}
}

// statement builds one statement; the numbers are shares.
func (g *gen) statement(depth int) {
	switch k := g.r.IntN(100); {
	case k < 34:
		g.baseOp()
	case k < 42:
		g.scope.values = append(g.scope.values, g.fresh())
	case k < 58:
		g.pure()
	case k < 61 && !g.inLoop:
		// In a loop, angelic results would multiply without end.
		g.scope.values = append(g.scope.values, g.b.unknown("call#1"))
	case k < 63 && !g.inLoop:
		g.scope.bools = append(g.scope.bools, g.b.unknown("ask#1"))
	case k < 69:
		g.b.effect("use#1", g.value())
	case k < 72:
		g.assign()
	case k < 76 && depth > 0:
		g.critical()
	case k < 92 && depth > 0:
		g.branch(depth)
	case depth > 0 && !g.inLoop:
		g.loop(depth)
	}
}

// fresh allocates, at one of a few sites of two types.
func (g *gen) fresh() register.Operand {
	site := [...]string{"T#1", "T#2", "U#1"}[g.r.IntN(3)]
	if g.r.IntN(3) == 0 {
		return g.b.fresh(site, g.value())
	}
	return g.b.fresh(site)
}

// last prefers what was defined last.
func last(r *rand.Rand, os []register.Operand) register.Operand {
	if len(os) > 2 && r.IntN(2) == 0 {
		os = os[len(os)-2:]
	}
	return os[r.IntN(len(os))]
}

// value is a value that is no bool.
func (g *gen) value() register.Operand {
	if len(g.scope.values) > 0 && g.r.IntN(6) > 0 {
		return last(g.r, g.scope.values)
	}
	return register.Lit([...]string{register.LitNil, g.lit}[g.r.IntN(2)])
}

func (g *gen) bool() register.Operand {
	if len(g.scope.bools) > 0 && g.r.IntN(8) > 0 {
		return last(g.r, g.scope.bools)
	}
	return register.Lit([...]string{register.LitTrue, register.LitFalse}[g.r.IntN(2)])
}

// content is something to store in a cell.
func (g *gen) content(cell int) register.Operand {
	c := g.b.p.Cells[cell]
	if c.Zero == register.LitFalse {
		return g.bool()
	}
	for {
		v := g.value()
		if v != register.Lit(register.LitNil) || c.Kind == register.Atomic {
			return v
		}
	}
}

func (g *gen) baseOp() {
	if g.base >= mostBaseOps {
		return
	}
	g.base++
	cell := g.r.IntN(len(g.b.p.Cells))
	c := g.b.p.Cells[cell]
	v := g.content(cell)
	var old, flag register.Operand
	switch k := g.r.IntN(10); {
	case k < 4:
		old, flag = g.b.read(cell)
	case k < 7:
		if c.Kind == register.Map && g.r.IntN(3) == 0 {
			v = register.Absent
		}
		if g.r.IntN(3) > 0 {
			g.b.write(cell, v)
			return
		}
		old, flag = g.b.swap(cell, v)
	default:
		old, flag = g.b.cas(cell, g.expect(cell), v)
	}
	g.scope.bools = append(g.scope.bools, flag)
	if c.Zero == register.LitFalse {
		g.scope.bools = append(g.scope.bools, old)
	} else {
		g.scope.values = append(g.scope.values, old)
	}
}

// expect is what a cas compares with.
func (g *gen) expect(cell int) register.Operand {
	if g.b.p.Cells[cell].Kind != register.Atomic && g.r.IntN(2) == 0 {
		return register.Absent
	}
	return g.content(cell)
}

// pure applies a function, interpreted or not.
func (g *gen) pure() {
	b, s := g.b, &g.scope
	switch g.r.IntN(8) {
	case 0, 1:
		s.values = append(s.values, b.pure("f", g.value()))
	case 2:
		s.bools = append(s.bools, b.pure("p", g.value()))
	case 3, 4:
		s.bools = append(s.bools, b.pure("eq", g.value(), g.value()))
	case 5:
		s.bools = append(s.bools, b.pure("not", g.bool()))
	case 6:
		s.values = append(s.values, b.pure("choose", g.bool(), g.value(), g.value()))
	case 7:
		s.bools = append(s.bools, b.pure("choose", g.bool(), g.bool(), g.bool()))
	}
}

// assign changes a local that exists.
func (g *gen) assign() {
	if len(g.scope.values) > 0 {
		g.b.set(last(g.r, g.scope.values), g.value())
	}
}

// critical builds a part that nobody interrupts.
func (g *gen) critical() {
	g.b.add(register.Instr{Op: register.Enter})
	for range 1 + g.r.IntN(3) {
		g.statement(0)
	}
	g.b.add(register.Instr{Op: register.Leave})
}

// branch builds an if, of which both sides may end the program.
func (g *gen) branch(depth int) {
	yes, no := g.b.branch(g.bool())
	join := g.b.block()
	outer := g.scope.clone()
	open := 0
	for _, side := range []int{yes, no} {
		g.b.at(side)
		g.scope, g.ended = outer.clone(), false
		g.statements(g.r.IntN(3), depth-1)
		if !g.ended && g.r.IntN(3) == 0 {
			g.end()
		}
		if !g.ended {
			g.b.jump(join)
			open++
		}
	}
	g.b.at(join)
	g.scope, g.ended = outer, open == 0
	if g.ended {
		g.b.ret() // nobody comes here
	}
}

// loop builds a loop that ends when a condition of its body holds; the
// natural condition is that a cas succeeded.
func (g *gen) loop(depth int) {
	head, exit := g.b.block(), g.b.block()
	g.b.jump(head)
	g.b.at(head)
	g.inLoop = true
	g.statements(1+g.r.IntN(3), depth-1)
	if !g.ended && g.base < mostBaseOps {
		g.base++
		cell := g.r.IntN(len(g.b.p.Cells))
		_, ok := g.b.cas(cell, g.expect(cell), g.content(cell))
		g.scope.bools = append(g.scope.bools, ok)
	}
	g.inLoop = false
	if g.ended {
		g.b.at(exit)
		g.b.ret() // nobody comes here
		return
	}
	if g.r.IntN(4) > 0 {
		g.b.branchTo(g.bool(), exit, head)
	} else {
		g.b.branchTo(g.bool(), head, exit)
	}
	g.b.at(exit)
}

// end returns or panics.
func (g *gen) end() {
	g.ended = true
	if g.r.IntN(8) == 0 {
		g.b.panics("bad")
		return
	}
	var vals []register.Operand
	switch g.r.IntN(4) {
	case 0:
		vals = append(vals, g.bool())
	case 1, 2:
		vals = append(vals, g.value())
	}
	g.b.ret(vals...)
	if g.r.IntN(6) == 0 {
		g.b.cur.Term.Label = "early"
	}
}
