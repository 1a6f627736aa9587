package oracle

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// open is a problem in the open environment with bounds for a test.
func open(p *register.Program) Problem {
	return Problem{Program: p, Bounds: Bounds{PerPoint: 1, Env: 3, Run: 60}}
}

// inPackage is a problem in a package that does only the given steps.
func inPackage(p *register.Program, steps ...Step) Problem {
	return Problem{Program: p, Env: Package, Steps: steps, Bounds: Bounds{PerPoint: 2, Env: 2, Run: 60}}
}

// freely is a step on the first cells with arbitrary arguments.
func freely(p *register.Program) Step {
	s := Step{Program: p}
	for i := range p.Cells {
		s.Cells = append(s.Cells, i)
	}
	for range p.Params {
		s.Params = append(s.Params, Free)
	}
	return s
}

// requireVerdict searches, and checks that a violation is one.
func requireVerdict(t *testing.T, pr Problem, linearizable bool) *History {
	t.Helper()
	h, _, err := Search(context.Background(), pr)
	require.NoError(t, err)
	if linearizable {
		require.Nil(t, h, "unexpected violation:\n%s", h)
		return nil
	}
	require.NotNil(t, h, "no violation found")
	ok, err := Linearizable(pr, *h)
	require.NoError(t, err)
	require.False(t, ok, "the search and the check differ on\n%s", h)
	return h
}

func TestShapes(t *testing.T) {
	for _, s := range Shapes() {
		t.Run(s.Name, func(t *testing.T) { requireVerdict(t, open(s.Program), s.Linearizable) })
	}
}

func TestWitnessOfShortShapes(t *testing.T) {
	tests := []struct {
		name string
		p    *register.Program
		want string
	}{
		{"GPI", getInsertOwn(), `arguments [], cells [absent]
unknown results [], identities [T#1]
point 1: swap cell 0, v2
`},
		{"GPI reget", getInsertReget(), `arguments [], cells [absent]
unknown results [], identities [T#1]
point 1: swap cell 0, v2
point 2: delete cell 0
`},
		{"N09", checkGetFallback(register.Str("none")), `arguments [], cells [v1]
unknown results [], identities []
point 1: delete cell 0
`},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, requireVerdict(t, open(tt.p), false).String(), tt.name)
	}
}

func TestReadOnlyOrBlindProgramsAreFine(t *testing.T) {
	b := newBuilder("GetPutSilent", mapCell())
	x := b.param("x")
	b.read(0)
	b.write(0, x)
	requireVerdict(t, open(b.ret()), true)

	// Two blind writes show the first one to the environment.
	b = newBuilder("PutPut", mapCell())
	x, y := b.param("x"), b.param("y")
	b.write(0, x)
	b.write(0, y)
	requireVerdict(t, open(b.ret()), false)
}

func TestOneStepIsAlwaysLinearizable(t *testing.T) {
	for _, s := range Shapes() {
		p := copyProgram(s.Program)
		first := p.Blocks[0]
		first.Instrs = append([]register.Instr{{Op: register.Enter}}, first.Instrs...)
		requireVerdict(t, open(p), true)
	}
}

// retryCreate inserts in a loop; every round allocates at the next site.
func retryCreate(sites []string, contents ...register.Operand) *register.Program {
	b := newBuilder("RetryCreate", mapCell())
	for i, site := range sites {
		v, had := b.read(0)
		b.whenHad(had, v)
		n := b.fresh(site, contents[i:i+1]...)
		_, ok := b.cas(0, register.Absent, n)
		b.whenHad(ok, n)
	}
	return b.panics("given up")
}

func TestIdentitiesAreMatchedByTypeAndContents(t *testing.T) {
	one, two := register.Lit("1"), register.Lit("2")
	// Two changes make it allocate twice; a third one makes it give up.
	limited := func(p *register.Program, changes int) Problem {
		pr := open(p)
		pr.Bounds.Env = changes
		return pr
	}
	p := retryCreate([]string{"T#1", "T#2"}, one, one)
	requireVerdict(t, limited(p, 2), true)
	requireVerdict(t, limited(p, 3), false)
	requireVerdict(t, limited(retryCreate([]string{"T#1", "U#1"}, one, one), 2), false)
	requireVerdict(t, limited(retryCreate([]string{"T#1", "T#2"}, one, two), 2), false)
}

func TestIdentityIsUsedOnce(t *testing.T) {
	// Both identities are in the result: an atomic run has two as well.
	b := newBuilder("TwoFresh", mapCell())
	_, had := b.read(0)
	hit, miss := b.branch(had)
	b.at(miss)
	n := b.fresh("T#1")
	b.read(0)
	b.ret(n, b.fresh("T#2"))
	b.at(hit)
	m := b.fresh("T#3")
	b.ret(m, m)
	requireVerdict(t, open(b.p), true)

	// Here it has only one where the environment acted first.
	b = newBuilder("OneFresh", mapCell())
	_, had = b.read(0)
	hit, miss = b.branch(had)
	b.at(hit)
	m = b.fresh("T#3")
	b.ret(m, m)
	b.at(miss)
	n = b.fresh("T#1")
	_, ok := b.cas(0, register.Absent, n)
	b.whenHad(ok, n, n)
	b.ret(n, b.fresh("T#2"))
	requireVerdict(t, open(b.p), false)
}

func TestObservedEffects(t *testing.T) {
	// The spare that lost is closed: nobody can tell.
	b := newBuilder("Spare", mapCell())
	v, had := b.read(0)
	b.whenHad(had, v)
	n := b.fresh("T#1")
	o, ok := b.cas(0, register.Absent, n)
	b.whenHad(ok, n)
	b.effect("close#1", n)
	requireVerdict(t, open(b.ret(o)), true)

	// The value that was replaced is closed: it must be the one replaced.
	for _, atomic := range []bool{true, false} {
		b = newBuilder("Replace", mapCell())
		x := b.param("x")
		var old, had register.Operand
		if atomic {
			old, had = b.swap(0, x)
		} else {
			old, had = b.read(0)
			b.write(0, x)
		}
		yes, no := b.branch(had)
		b.at(yes)
		b.effect("close#1", old)
		b.jump(no)
		b.at(no)
		requireVerdict(t, open(b.ret()), atomic)
	}
}

func TestUnknownResultsAreAngelic(t *testing.T) {
	// An atomic run stores its first result where the actual run stored its
	// second: any call may have given that.
	insertOrReplace := func(result func(*builder, string) register.Operand) *register.Program {
		b := newBuilder("InsertOrReplace", mapCell())
		u := result(b, "1")
		_, ok := b.cas(0, register.Absent, u)
		b.whenHad(ok, u)
		w := result(b, "2")
		b.write(0, w)
		return b.ret(w)
	}
	unknown := func(b *builder, _ string) register.Operand { return b.unknown("call#1") }
	pure := func(b *builder, k string) register.Operand { return b.pure("f", register.Lit(k)) }
	requireVerdict(t, open(insertOrReplace(unknown)), true)
	requireVerdict(t, open(insertOrReplace(pure)), false)
}

func TestUnknownBoolIsAngelic(t *testing.T) {
	// Whether it tries a second time is unknown.
	b := newBuilder("MaybeRetry", mapCell())
	x := b.param("x")
	_, ok := b.cas(0, register.Absent, x)
	b.whenHad(ok, ok)
	yes, no := b.branch(b.unknown("again#1"))
	b.at(no)
	b.ret(register.Lit(register.LitFalse))
	b.at(yes)
	_, ok = b.cas(0, register.Absent, x)
	requireVerdict(t, open(b.ret(ok)), true)
}

func TestWeakCASMayFailInAnAtomicRun(t *testing.T) {
	for _, weak := range []bool{true, false} {
		b := newBuilder("Refresh", mapCell())
		v, had := b.read(0)
		yes, no := b.branch(had)
		b.at(no)
		b.ret()
		b.at(yes)
		b.cas(0, v, b.pure("f", v))
		p := b.ret()
		if weak {
			last := &b.cur.Instrs[len(b.cur.Instrs)-1]
			last.Name = register.Weak
		}
		requireVerdict(t, open(p), weak)
	}
}

func TestFunctionsBelongToTheWorld(t *testing.T) {
	pr := open(counter())
	h := requireVerdict(t, pr, false)
	require.Len(t, h.World, 2, "the second is what only an atomic run computes")
	assert.NotEqual(t, h.World[0].Value, h.World[1].Value)

	same := *h
	same.World = []Application{h.World[0], h.World[1]}
	same.World[1].Value = same.World[0].Value
	ok, err := Linearizable(pr, same)
	require.NoError(t, err)
	assert.True(t, ok, "a constant function hides the lost update")

	same.World = h.World[:1]
	ok, err = Linearizable(pr, same)
	require.NoError(t, err)
	assert.False(t, ok, "what is not given may be anything")
}

func TestPackageEnvironment(t *testing.T) {
	store, remove := freely(stepStore(mapCell())), freely(stepDelete(mapCell()))
	goc := freely(getOrCreate())
	tests := []struct {
		name         string
		pr           Problem
		linearizable bool
	}{
		{"GOC alone", inPackage(getOrCreate(), goc), true},
		{"GP with itself", inPackage(getPut(false), freely(getPut(false))), false},
		{"GPI with itself", inPackage(getInsertOwn(), freely(getInsertOwn())), false},
		{"GPI alone", inPackage(getInsertOwn()), true},
		{"GPI of the key", inPackage(getInsertNullable(), Step{Program: getInsertNullable(), Cells: []int{0}, Params: []int{0}}), true},
		{"GPI of another key", inPackage(getInsertNullable(), freely(getInsertNullable())), false},
		{"CPG with itself", inPackage(checkInsertGet(), freely(checkInsertGet())), true},
		{"CPG with a delete", inPackage(checkInsertGet(), remove), false},
		{"CPG with a store", inPackage(checkInsertGet(), store), false},
		{"N09 with a store", inPackage(checkGetFallback(register.Str("none")), store), true},
		{"N16 without deletes", inPackage(checkGetLogPut(), freely(checkGetLogPut())), true},
		{"N16 with deletes", inPackage(checkGetLogPut(), remove), true},
		{"N16 with store and delete", inPackage(checkGetLogPut(), store, remove), false},
		{"N23 with itself", inPackage(checkRegister(), freely(checkRegister())), false},
		{"N23 twin with itself", inPackage(sharedRegister(), freely(sharedRegister())), true},
		{"counter with itself", inPackage(counter(), freely(counter())), false},
		{"counter observed", inPackage(counter()), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { requireVerdict(t, tt.pr, tt.linearizable) })
	}
}

func TestEvictionIsPossibleInAPackage(t *testing.T) {
	p := checkInsertGet()
	requireVerdict(t, inPackage(p), true)
	p.Cells[0].Evicts = true
	requireVerdict(t, inPackage(p), false)
}

func TestTwoCells(t *testing.T) {
	two := func(build func(b *builder) *register.Program) Problem {
		pr := open(build(newBuilder("Two", mapCell(), otherCell())))
		pr.Bounds.PerPoint = 2
		return pr
	}
	requireVerdict(t, two(func(b *builder) *register.Program {
		x := b.param("x")
		b.write(0, x)
		b.write(1, x)
		return b.ret()
	}), false)
	requireVerdict(t, two(func(b *builder) *register.Program {
		v, _ := b.read(0)
		w, _ := b.read(1)
		return b.ret(v, w)
	}), false)
	requireVerdict(t, two(func(b *builder) *register.Program {
		v, _ := b.read(0)
		b.write(1, v)
		return b.ret()
	}), false)
	requireVerdict(t, two(func(b *builder) *register.Program {
		b.read(0)
		w, _ := b.read(1)
		return b.ret(w)
	}), true)
}

func TestRunsThatDoNotEnd(t *testing.T) {
	spin := func(writes ...string) *register.Program {
		b := newBuilder("Spin", mapCell())
		for _, w := range writes {
			b.write(0, register.Lit(w))
		}
		loop := b.block()
		b.jump(loop)
		b.at(loop)
		b.read(0)
		b.jump(loop)
		return b.p
	}
	requireVerdict(t, open(spin()), true)
	h := requireVerdict(t, open(spin("1")), false)
	assert.True(t, h.Pending, "what it wrote was seen, but it never takes effect")
}

func TestHistoriesThatCannotHappen(t *testing.T) {
	// It publishes its identity, and removes it again.
	b := newBuilder("PutDelete", mapCell())
	n := b.fresh("T#1")
	b.write(0, n)
	b.write(0, register.Absent)
	v, _ := b.read(0)
	pr := open(b.ret(v))
	vs := func(vs ...register.Value) []register.Value { return vs }
	swap := func(point int, v register.Value) EnvStep { return EnvStep{Point: point, Kind: Swap, Value: v} }
	absent := vs(register.LitAbsent)
	for name, h := range map[string]History{
		"no contents":       {},
		"two arguments":     {Args: vs("a"), Initial: vs()},
		"identity not seen": {Initial: absent, Fresh: vs("T#1"), Steps: []EnvStep{swap(2, "T#1")}},
		"old identity":      {Initial: vs("T#1"), Fresh: vs("T#1")},
		"nil in a map":      {Initial: vs("nil")},
		"nil swapped":       {Initial: absent, Steps: []EnvStep{swap(0, "nil")}},
		"absent swapped":    {Initial: absent, Steps: []EnvStep{swap(0, "absent")}},
		"no such point":     {Initial: absent, Steps: []EnvStep{swap(7, "v")}},
		"no such cell":      {Initial: absent, Steps: []EnvStep{{Cell: 3}}},
		"no such kind":      {Initial: absent, Steps: []EnvStep{{Kind: 9}}},
		"no such step":      {Initial: absent, Steps: []EnvStep{{Kind: RunStep}}},
	} {
		_, err := Linearizable(pr, h)
		assert.ErrorIs(t, err, errBroken, name)
	}
	seen := History{Initial: absent, Fresh: vs("T#1"), Steps: []EnvStep{{Point: 1}, swap(2, "T#1")}}
	ok, err := Linearizable(pr, seen)
	require.NoError(t, err)
	assert.False(t, ok)
}

func TestPackageHistoriesThatCannotHappen(t *testing.T) {
	x := stepStore(mapCell())
	pr := inPackage(sharedRegister(), Step{Program: x, Cells: []int{0}, Params: []int{0}})
	run := func(args ...register.Value) []EnvStep { return []EnvStep{{Kind: RunStep, Args: args}} }
	base := History{Args: []register.Value{"a"}, Initial: []register.Value{register.LitAbsent}}
	for name, steps := range map[string][]EnvStep{
		"swap":           {{Kind: Swap, Value: "b"}},
		"delete":         {{Kind: Delete}},
		"bound argument": run("b"),
		"no argument":    run(),
		"unseen step":    {{Kind: RunStep, Step: 5}},
	} {
		h := base
		h.Steps = steps
		_, err := Linearizable(pr, h)
		assert.ErrorIs(t, err, errBroken, name)
	}
	h := base
	h.Steps = run("a")
	ok, err := Linearizable(pr, h)
	require.NoError(t, err)
	assert.True(t, ok)
}

func TestNilArguments(t *testing.T) {
	pr := inPackage(sharedRegister(), freely(stepStore(mapCell())))
	nils := []register.Value{register.LitNil}
	_, err := Linearizable(pr, History{Args: nils, Initial: []register.Value{register.LitAbsent}})
	assert.ErrorIs(t, err, errBroken, "it is stored")
	h := History{Args: []register.Value{"a"}, Initial: []register.Value{register.LitAbsent}}
	h.Steps = []EnvStep{{Kind: RunStep, Args: nils}}
	_, err = Linearizable(pr, h)
	assert.ErrorIs(t, err, errBroken, "the step stores it")

	b := newBuilder("AsksForNil", mapCell())
	x := b.param("x")
	b.whenHad(b.pure("eq", x, register.Lit(register.LitNil)))
	b.write(0, x)
	ok, err := Linearizable(open(b.ret()), History{Args: nils, Initial: nil})
	assert.Error(t, err)
	assert.False(t, ok)
	ok, err = Linearizable(open(b.p), History{Args: nils, Initial: []register.Value{register.LitAbsent}})
	require.NoError(t, err, "it is asked about")
	assert.True(t, ok)
}

func TestBadProblems(t *testing.T) {
	step := freely(stepStore(mapCell()))
	for name, change := range map[string]func(*Problem){
		"no program":   func(pr *Problem) { pr.Program = nil },
		"no step":      func(pr *Problem) { pr.Steps[0].Program = nil },
		"unbound cell": func(pr *Problem) { pr.Steps[0].Cells = nil },
		"no cell":      func(pr *Problem) { pr.Steps[0].Cells = []int{4} },
		"no parameter": func(pr *Problem) { pr.Steps[0].Params = []int{4} },
		"bad program":  func(pr *Problem) { pr.Program = &register.Program{} },
	} {
		pr := inPackage(sharedRegister(), step)
		change(&pr)
		_, _, err := Search(context.Background(), pr)
		assert.Error(t, err, name)
		_, err = Linearizable(pr, History{})
		assert.Error(t, err, name)
	}
}

func TestSearchStops(t *testing.T) {
	pr := open(countingLoop(true))
	pr.Bounds.Work = 10
	_, _, err := Search(context.Background(), pr)
	assert.ErrorIs(t, err, ErrWork)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err = Search(ctx, open(getOrCreate()))
	assert.ErrorIs(t, err, context.Canceled)
}

func TestScriptMakesEveryChoiceOnce(t *testing.T) {
	var s script
	seen := map[[3]int]bool{}
	for {
		a := s.pick(3)
		got := [3]int{a, s.pick(a + 1), 0} // the second question depends on the first answer
		if a == 2 {
			got[2] = s.pick(2)
		}
		require.False(t, seen[got], got)
		seen[got] = true
		if !s.advance() {
			break
		}
	}
	assert.Len(t, seen, 1+2+3*2)
}
