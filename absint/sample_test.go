package absint

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint/internal/oracle"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// TestExplains tries single runs of random programs, and compares what explains them with
// what is found by trying all choices one by one.
func TestExplains(t *testing.T) {
	for _, mix := range []oracle.Mix{
		{Cells: 1, Env: oracle.Open, Noise: oracle.DefaultNoise},
		{Cells: 1, Env: oracle.Package, Noise: oracle.DefaultNoise},
		{Cells: 2, Env: oracle.Package, Noise: oracle.DefaultNoise},
	} {
		t.Run(fmt.Sprintf("cells=%d/env=%d", mix.Cells, mix.Env), func(t *testing.T) {
			explained, led, refuted, missed := 0, 0, 0, 0
			for n := range *diffPrograms {
				r := oracle.Rand(*diffSeed, uint64(n))
				pr := oracle.Generate(r, mix)
				weakenSome(r, pr.Program)
				for _, h := range tryRuns(t, translate(pr), 4) {
					for after := h.before(); after <= len(h.steps); after++ {
						is, all := explanation(h, after)
						possible, _, err := h.explained(after)
						follows, ledErr := h.led(&placing{after: after})
						if err == nil && ledErr == nil && follows {
							require.True(t, possible, "-diff.seed=%d, program %d: a way that all ways have not: %s\n%+v", *diffSeed, n, pr.Program, h.events)
						}
						if is != nil && follows {
							led++
						}
						switch {
						case err != nil:
						case is != nil:
							require.True(t, possible, "-diff.seed=%d, program %d: %s\n%+v\n%+v", *diffSeed, n, pr.Program, h.events, is)
							explained++
						case !all:
						case possible:
							missed++
						default:
							refuted++
						}
					}
				}
			}
			t.Logf("%d explained, %d of them as the call went, %d refuted, %d left to choices one by one", explained, led, refuted, missed)
			require.Positive(t, explained)
			require.Greater(t, 2*led, explained, "most of what has an explanation has the one that goes the way of the call")
			require.Greater(t, refuted, missed, "most of what has no explanation is seen to have none")
		})
	}
}

// explanation is an atomic run that explains a history, nil if none does; not all may
// have been tried.
func explanation(h *history, after int) (is *Order, all bool) {
	script := []int{}
	for range 500 {
		s := newSpecHost(h, script)
		o, settled, err := h.order(after, s)
		switch {
		case err != nil: // it branches on what is neither true nor false
			return nil, false
		case o.Differs == "":
			return &o, true
		}
		if script = s.nextScript(); script == nil || settled {
			return nil, true
		}
	}
	return nil, false
}

// tryRuns are histories of runs that a sampler makes.
func tryRuns(t *testing.T, p Problem, n int) (out []*history) {
	require.NoError(t, p.validate())
	p = p.summarised()
	s := newSampler(newEngine(p, assumptions{}, stage{steps: 1, share: 4}))
	for range n {
		for _, regs := range s.initialContents(maxStarts) {
			c, err := s.one(regs)
			require.NoError(t, err)
			if c == nil {
				continue
			}
			if m := s.newModel(c.alongTheWay()); m != nil {
				if h := s.history(c, m); h != nil && h.run() {
					out = append(out, h)
				}
			}
		}
	}
	return out
}

// TestSamplesWhatIsAskedAbout: what others store is among what the call asks about, where
// it makes a difference.
func TestSamplesWhatIsAskedAbout(t *testing.T) {
	p := Problem{Region: parsed(t, "F", `b0:
 v, _ = read c0
 stopped = pure eq(v, 2)
 branch stopped, b1, b2
b1:
 return x
b2:
 _, _ = write c1, x
 return nil
`)}
	require.NoError(t, p.validate())
	res, _, err := newSampler(newEngine(p, assumptions{}, stage{steps: 1, share: 4})).sample(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, Violation, res.Verdict)
	_, err = res.Witness.Replay(p)
	require.NoError(t, err)
	require.Contains(t, valuesOf(res.Witness.Final), register.Value("2"))
}

// TestModelOfManyNumbers: numbers are found where there are more than can be tried, and
// what has to hold of them does.
func TestModelOfManyNumbers(t *testing.T) {
	p := Problem{Region: parsed(t, "F", "b0:\n return\n")}
	require.NoError(t, p.validate())
	found := 0
	for seed := range uint64(40) {
		e := newEngine(p, assumptions{}, stage{steps: 1, share: 4})
		r := rand.New(rand.NewPCG(seed, 3))
		at := register.Type{Kind: register.Int16}
		var xs, tests []term
		for range 9 {
			x := e.terms.sym("n", true, nil)
			e.terms.declare(x, at)
			xs = append(xs, x)
		}
		some := func() term { return xs[r.IntN(len(xs))] }
		path := newPath(e.terms)
		for range 7 {
			sum := e.terms.apply(function{name: []string{"add", "sub", "mul"}[r.IntN(3)], at: at}, []term{some(), some()})
			test := e.terms.apply(function{name: "lt", at: at}, []term{sum, e.terms.apply(function{name: "sub", at: at}, []term{some(), some()})})
			if q := path.with(literal{test, e.terms.trueT, true}); q != nil && e.terms.of(test).kind == appTerm {
				path, tests = q, append(tests, test)
			}
		}
		m := e.newModel(&config{path: path})
		if m == nil {
			continue
		}
		found++
		var value func(x term) register.Value
		value = func(x term) register.Value {
			n := e.terms.of(x)
			if n.kind != appTerm {
				return m.value(x)
			}
			var args []register.Value
			for _, a := range n.args {
				args = append(args, value(a))
			}
			v, ok, err := register.Fold(n.name, n.at, args)
			require.True(t, ok && err == nil, "%s%v", n.name, args)
			return v
		}
		for _, x := range tests {
			require.Equal(t, register.Value(register.LitTrue), value(x), "seed %d", seed)
		}
	}
	require.Greater(t, found, 30)
}

// TestModelOfTooMany: there is no list so long, and nobody looks for one.
func TestModelOfTooMany(t *testing.T) {
	p := Problem{Region: parsed(t, "F", "b0:\n return\n")}
	require.NoError(t, p.validate())
	at := register.Type{Kind: register.Int}
	for _, least := range []string{"2", "9007199254740992"} {
		e := newEngine(p, assumptions{}, stage{steps: 1, share: 4})
		list := e.terms.sym("list", true, nil)
		path := newPath(e.terms)
		holds := func(name string, x, y term) {
			path = path.with(literal{e.terms.apply(function{name: name, at: at}, []term{x, y}), e.terms.trueT, true})
		}
		var xs []term
		for range maxVars + 1 { // more than are tried one by one
			x := e.terms.sym("n", true, nil)
			e.terms.declare(x, at)
			xs = append(xs, x)
		}
		for i, x := range xs[1:] { // an order says nothing of a product
			holds("lt", e.terms.lit("5"), e.terms.apply(function{name: "mul", at: at}, []term{x, xs[i]}))
			holds("lt", e.terms.lit("0"), x)
		}
		n := e.terms.apply(function{name: "len", at: at}, []term{list})
		holds("le", e.terms.lit(least), n)
		m := e.newModel(&config{path: path})
		if least == "2" {
			require.NotNil(t, m)
			continue
		}
		require.Nil(t, m)
	}
}

// TestModelOfFewNumbers has three numbers below two: they are not all different.
func TestModelOfFewNumbers(t *testing.T) {
	p := Problem{Region: parsed(t, "F", "b0:\n return\n")}
	require.NoError(t, p.validate())
	e := newEngine(p, assumptions{}, stage{steps: 1, share: 4})
	at := register.Type{Kind: register.Uint32}
	c := &config{path: newPath(e.terms)}
	for range 3 {
		x := e.terms.sym("n", true, nil)
		e.terms.declare(x, at)
		c.regs = append(c.regs, x)
		c.path = c.path.with(literal{e.terms.apply(function{name: "lt", at: at}, []term{x, e.terms.lit("2")}), e.terms.trueT, true})
	}
	require.Nil(t, e.newModel(c.apart()))
	m := e.modelOf(c)
	require.NotNil(t, m)
	for _, x := range c.regs {
		assert.Contains(t, []register.Value{"0", "1"}, m.value(x))
	}
}

// TestFieldOfStruct has a field of a struct that another program put together: it is what it was made of.
func TestFieldOfStruct(t *testing.T) {
	p := Problem{Region: parsed(t, "F", "b0:\n return\n")}
	field := func(name string, place int32) {
		in := register.Instr{Op: register.Pure, Name: register.FieldOf + name, Part: place + 1, Dst: []register.Local{register.None}}
		p.Region.Blocks[0].Instrs = append(p.Region.Blocks[0].Instrs, in)
	}
	field("pkg.T.a", 0)
	field("pkg.T.b", 1)
	parts := p.parts()
	ts := newTerms()
	ts.parts = parts
	a, b := ts.sym("a", false, nil), ts.sym("b", false, nil)
	whole := ts.app(register.StructOf+"pkg.T", 0, a, b)
	assert.Equal(t, a, ts.app(register.FieldOf+"pkg.T.a", 0, whole))
	assert.Equal(t, b, ts.app(register.FieldOf+"pkg.T.b", 0, whole))
	other := ts.app(register.StructOf+"pkg.U", 0, a, b)
	assert.Equal(t, appTerm, ts.of(ts.app(register.FieldOf+"pkg.T.b", 0, other)).kind, "a struct of another type")
}
