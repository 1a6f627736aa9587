package register_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// tableHost answers Pure with name/result(args) and numbers the rest.
type tableHost struct {
	fresh, unknown int
	events         []register.Event
}

func (h *tableHost) Pure(name string, result int, args []register.Value) register.Value {
	return register.Value(fmt.Sprintf("%s/%d%v", name, result, args))
}

func (h *tableHost) Fresh(site string, _ []register.Value) register.Value {
	h.fresh++
	return register.Value(fmt.Sprintf("%s%d", site, h.fresh))
}

func (h *tableHost) Unknown(site string, result int, _ []register.Value) register.Value {
	h.unknown++
	return register.Value(fmt.Sprintf("%s%d", site, h.unknown))
}

func (h *tableHost) Trace(e register.Event) { h.events = append(h.events, e) }

// Locals of the programs below.
const (
	x register.Local = iota
	y
	z
	w
	ok
)

func interpProgram(cell register.Cell, params []register.Local, blocks ...*register.Block) *register.Program {
	return &register.Program{
		Name: "P", Params: params, Names: []string{"x", "y", "z", "w", "ok"},
		Cells: []register.Cell{cell}, Blocks: blocks,
	}
}

func dst(ls ...register.Local) []register.Local          { return ls }
func operands(os ...register.Operand) []register.Operand { return os }
func values(vs ...register.Value) []register.Value       { return vs }

func returns(os ...register.Operand) register.Term {
	return register.Term{Kind: register.Return, Vals: os}
}

var mapCell = register.Cell{Kind: register.Map, Zero: "nil"}

// getOrCreate loads, and stores a fresh value where nothing was.
func getOrCreate() *register.Program {
	return interpProgram(mapCell, nil,
		&register.Block{
			Instrs: []register.Instr{{Op: register.Read, Dst: dst(x, ok)}},
			Term:   register.Term{Kind: register.Branch, Cond: register.L(ok), To: []int{1, 2}},
		},
		&register.Block{Term: returns(register.L(x))},
		&register.Block{
			Instrs: []register.Instr{
				{Op: register.Fresh, Dst: dst(y), Name: "T#"},
				{Op: register.CAS, Dst: dst(z, ok), Args: operands(register.Absent, register.L(y)), Pos: at("f.go:3:1")},
				{Op: register.Pure, Name: "choose", Dst: dst(w), Args: operands(register.L(ok), register.L(y), register.L(z))},
			},
			Term: returns(register.L(w)),
		})
}

func TestRunOnEmptyAndFullCell(t *testing.T) {
	h := &tableHost{}
	cells := values(register.LitAbsent)
	out, err := register.Run(getOrCreate(), nil, cells, h, nil, 100)
	require.NoError(t, err)
	assert.Equal(t, values("T#1"), out.Vals)
	assert.Equal(t, values("T#1"), cells)
	assert.Equal(t, values("T#1"), out.Published)
	assert.Equal(t, []register.Event{
		{Op: register.Read, Results: values("nil", "false")},
		{Op: register.CAS, Args: values("absent", "T#1"), Results: values("nil", "true"), Pos: at("f.go:3:1")},
	}, h.events)

	out, err = register.Run(getOrCreate(), nil, cells, h, nil, 100)
	require.NoError(t, err)
	assert.Equal(t, values("T#1"), out.Vals)
	assert.Equal(t, 1, h.fresh, "a hit allocates nothing")
}

func TestYieldMayChangeCells(t *testing.T) {
	cells := values(register.LitAbsent)
	var points []string
	yield := func(at register.Point) error {
		points = append(points, fmt.Sprint(at.Index, at.Exit, at.Block, at.Instr))
		if at.Index == 1 {
			cells[0] = "b"
		}
		return nil
	}
	out, err := register.Run(getOrCreate(), nil, cells, &tableHost{}, yield, 100)
	require.NoError(t, err)
	assert.Equal(t, values("b"), out.Vals)
	assert.Equal(t, []string{"0 false 0 0", "1 false 2 1", "2 true 2 3"}, points)
}

func TestYieldErrorEndsTheRun(t *testing.T) {
	stop := errors.New("stop")
	_, err := register.Run(getOrCreate(), nil, values("v"), &tableHost{}, func(register.Point) error { return stop }, 100)
	assert.ErrorIs(t, err, stop)
}

func TestNoSchedulingPointInsideEnterLeave(t *testing.T) {
	p := interpProgram(mapCell, nil, &register.Block{
		Instrs: []register.Instr{
			{Op: register.Enter},
			{Op: register.Read, Dst: dst(x)},
			{Op: register.Enter},
			{Op: register.Write, Args: operands(register.Absent)},
			{Op: register.Leave},
			{Op: register.Write, Args: operands(register.L(x))},
			{Op: register.Leave},
			{Op: register.Lock}, {Op: register.Unlock}, {Op: register.Blocking},
			{Op: register.Read, Dst: dst(y)},
		},
		Term: returns(register.L(y)),
	})
	var points []string
	yield := func(at register.Point) error {
		points = append(points, fmt.Sprint(at.Instr, at.Exit, at.Locals[:2]))
		return nil
	}
	_, err := register.Run(p, nil, values("v"), &tableHost{}, yield, 100)
	require.NoError(t, err)
	assert.Equal(t, []string{"0 false [ ]", "7 false [v ]", "10 false [v ]", "11 true [v v]"}, points)
}

func TestBaseOperations(t *testing.T) {
	lit := register.Lit
	tests := []struct {
		name      string
		in        register.Instr
		cell      register.Value
		old, flag register.Value
		after     register.Value
	}{
		{"read", register.Instr{Op: register.Read}, "v", "v", "true", "v"},
		{"read absent", register.Instr{Op: register.Read}, "absent", "nil", "false", "absent"},
		{"write", register.Instr{Op: register.Write, Args: operands(lit("1"))}, "v", "v", "true", "1"},
		{"write absent cell", register.Instr{Op: register.Write, Args: operands(lit("1"))}, "absent", "nil", "false", "1"},
		{"remove", register.Instr{Op: register.Write, Args: operands(register.Absent)}, "v", "v", "true", "absent"},
		{"cas", register.Instr{Op: register.CAS, Args: operands(lit("1"), lit("2"))}, "1", "1", "true", "2"},
		{"cas other", register.Instr{Op: register.CAS, Args: operands(lit("1"), lit("2"))}, "3", "3", "false", "3"},
		{"cas absent cell", register.Instr{Op: register.CAS, Args: operands(lit("nil"), lit("2"))}, "absent", "nil", "false", "absent"},
		{"insert", register.Instr{Op: register.CAS, Args: operands(register.Absent, lit("2"))}, "absent", "nil", "true", "2"},
		{"insert present", register.Instr{Op: register.CAS, Args: operands(register.Absent, lit("2"))}, "1", "1", "false", "1"},
		{"cas to absent", register.Instr{Op: register.CAS, Args: operands(lit("1"), register.Absent)}, "1", "1", "true", "absent"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.Dst = dst(x, ok)
			p := interpProgram(mapCell, nil, &register.Block{
				Instrs: []register.Instr{tt.in}, Term: returns(register.L(x), register.L(ok))})
			cells := values(tt.cell)
			out, err := register.Run(p, nil, cells, &tableHost{}, nil, 10)
			require.NoError(t, err)
			assert.Equal(t, values(tt.old, tt.flag), out.Vals)
			assert.Equal(t, values(tt.after), cells)
		})
	}
}

func TestObservedEffects(t *testing.T) {
	effect := func(o ...register.Operand) register.Instr {
		return register.Instr{Op: register.Effect, Name: "e", Args: o}
	}
	p := interpProgram(mapCell, dst(x, y, z), &register.Block{
		Instrs: []register.Instr{
			effect(register.L(x)),       // stored later
			effect(register.L(y)),       // attempted only
			effect(register.Lit("nil")), // a literal
			{Op: register.CAS, Args: operands(register.L(y), register.L(y))}, // fails
			{Op: register.Write, Args: operands(register.L(x))},              // drops z unread
			effect(register.L(z)),
			effect(register.L(y), register.L(x)),
		},
		Term: register.Term{Kind: register.Panic, Label: "bad", Vals: operands(register.L(x))},
	})
	out, err := register.Run(p, values("a", "b", "c"), values("c"), &tableHost{}, nil, 10)
	require.NoError(t, err)
	assert.Equal(t, register.Panic, out.Kind)
	assert.Equal(t, "bad", out.Label)
	assert.Len(t, out.Effects, 5)
	assert.Equal(t, []register.EffectEvent{
		{Name: "e", Args: values("a")}, {Name: "e", Args: values("b", "a")},
	}, out.Observed())
}

func TestCASPublishesWhatItReplaced(t *testing.T) {
	p := interpProgram(mapCell, dst(x), &register.Block{
		Instrs: []register.Instr{
			{Op: register.CAS, Dst: dst(register.None, ok), Args: operands(register.L(x), register.Absent)},
		},
		Term: returns(),
	})
	out, err := register.Run(p, values("a"), values("a"), &tableHost{}, nil, 10)
	require.NoError(t, err)
	assert.Equal(t, values("a"), out.Published)
	out, err = register.Run(p, values("a"), values("b"), &tableHost{}, nil, 10)
	require.NoError(t, err)
	assert.Empty(t, out.Published)
}

// loser gives up whenever it may.
type loser struct{ tableHost }

func (h *loser) GiveUp(int) bool { return true }

func TestOnlyWeakCASGivesUp(t *testing.T) {
	for _, weak := range []bool{true, false} {
		in := register.Instr{Op: register.CAS, Dst: dst(x, ok), Args: operands(register.Lit("1"), register.Lit("2"))}
		if weak {
			in.Name = register.Weak
		}
		p := interpProgram(mapCell, nil, &register.Block{Instrs: []register.Instr{in}, Term: returns(register.L(x), register.L(ok))})
		for _, host := range []register.Host{&loser{}, &tableHost{}} {
			_, asks := host.(register.Giver)
			cells := values("1")
			out, err := register.Run(p, nil, cells, host, nil, 10)
			require.NoError(t, err)
			if weak && asks {
				assert.Equal(t, values("1", "false"), out.Vals)
				assert.Equal(t, values("1"), cells)
			} else {
				assert.Equal(t, values("1", "true"), out.Vals)
				assert.Equal(t, values("2"), cells)
			}
		}
	}
}

func TestFold(t *testing.T) {
	tests := []struct {
		call string
		want register.Value // "" where left open
	}{
		{"eq a a", "true"}, {"eq a b", "false"}, {"eq nil nil", "true"},
		{"not true", "false"}, {"not false", "true"},
		{"choose true a b", "a"}, {"choose false a b", "b"},
		{"add 2 3", "5"}, {"add -2 2", "0"}, {"sub 2 3", "-1"}, {"sub 0 -1", "1"},
		{"lt 2 3", "true"}, {"lt 3 3", "false"}, {"le 3 3", "true"}, {"le 10 9", "false"},
		{"and 6 3", "2"}, {"or 6 3", "7"}, {"xor 6 3", "5"},
		{"add v1 1", ""}, {"lt 1 v1", ""}, {"add 01 1", ""}, {"add 1.5 1", ""},
		{"add 9223372036854775807 1", "-9223372036854775808"}, {"sub -9223372036854775808 1", "9223372036854775807"},
		{"add 9223372036854775807 0", "9223372036854775807"},
	}
	for _, tt := range tests {
		f := strings.Fields(tt.call)
		var args []register.Value
		for _, a := range f[1:] {
			args = append(args, register.Value(a))
		}
		v, folded, err := register.Fold(f[0], register.Type{}, args)
		require.NoError(t, err, tt.call)
		assert.Equal(t, tt.want, v, tt.call)
		assert.Equal(t, tt.want != "", folded, tt.call)
	}
	for _, bad := range []string{"not v1", "choose nil a b", "eq a", "not", "add 1 2 3"} {
		f := strings.Fields(bad)
		args := make([]register.Value, len(f)-1)
		for i, a := range f[1:] {
			args[i] = register.Value(a)
		}
		_, _, err := register.Fold(f[0], register.Type{}, args)
		assert.Error(t, err, bad)
	}
}

func TestUninterpretedGoesToTheHost(t *testing.T) {
	p := interpProgram(mapCell, dst(x), &register.Block{
		Instrs: []register.Instr{
			{Op: register.Pure, Name: "f", Dst: dst(register.None, y), Args: operands(register.L(x))},
			{Op: register.Pure, Name: "lt", Dst: dst(z), Args: operands(register.L(x), register.Lit("1"))},
			{Op: register.Unknown, Name: "u", Dst: dst(w, register.None)},
		},
		Term: returns(register.L(y), register.L(z), register.L(w)),
	})
	out, err := register.Run(p, values("a"), values("v"), &tableHost{}, nil, 10)
	require.NoError(t, err)
	assert.Equal(t, values("f/1[a]", "lt/0[a 1]", "u1"), out.Vals)
}

// spin reads until the cell is absent.
func spin(more ...register.Instr) *register.Program {
	return interpProgram(mapCell, nil,
		&register.Block{Term: register.Term{Kind: register.Jump, To: []int{1}}},
		&register.Block{
			Instrs: append([]register.Instr{{Op: register.Read, Dst: dst(register.None, ok)}}, more...),
			Term:   register.Term{Kind: register.Branch, Cond: register.L(ok), To: []int{1, 2}},
		},
		&register.Block{Term: returns()})
}

func TestEndlessRuns(t *testing.T) {
	const many = 1 << 40 // only an exact check ends in time
	_, err := register.Run(spin(), nil, values("v"), &tableHost{}, nil, many)
	require.ErrorIs(t, err, register.ErrDiverges)

	waits := 0
	cells := values("v")
	yield := func(register.Point) error {
		if waits++; waits == 3 {
			cells[0] = register.LitAbsent
		}
		return nil
	}
	_, err = register.Run(spin(), nil, cells, &tableHost{}, yield, 100)
	require.NoError(t, err, "the environment ends the loop")

	_, err = register.Run(spin(), nil, values("v"), &tableHost{}, func(register.Point) error { return nil }, 100)
	require.ErrorIs(t, err, register.ErrDiverges)
}

// lucky leaves a loop at the third answer of an unknown call.
type lucky struct{ tableHost }

func (h *lucky) Unknown(string, int, []register.Value) register.Value {
	h.unknown++
	if h.unknown < 3 {
		return register.LitTrue
	}
	return register.LitFalse
}

func TestUnknownMayEndALoop(t *testing.T) {
	p := spin(register.Instr{Op: register.Unknown, Name: "u", Dst: dst(ok)})
	_, err := register.Run(p, nil, values("v"), &lucky{}, nil, 100)
	require.NoError(t, err)
}

func TestBadProgramsAreErrors(t *testing.T) {
	at := func(in register.Instr) *register.Program {
		return interpProgram(mapCell, nil, &register.Block{Instrs: []register.Instr{in}, Term: returns()})
	}
	ends := func(term register.Term) *register.Program {
		return interpProgram(mapCell, nil, &register.Block{Term: term})
	}
	one := register.Lit("1")
	latch := at(register.Instr{Op: register.Write, Args: operands(register.Absent)})
	latch.Cells[0].Kind = register.Latch
	for name, p := range map[string]*register.Program{
		"no blocks":          interpProgram(mapCell, nil),
		"call":               at(register.Instr{Op: register.Call, Name: "f"}),
		"unset":              at(register.Instr{Op: register.Copy, Dst: dst(x), Args: operands(register.L(y))}),
		"no local":           at(register.Instr{Op: register.Copy, Dst: dst(x), Args: operands(register.L(77))}),
		"no destination":     at(register.Instr{Op: register.Copy, Dst: dst(77), Args: operands(one)}),
		"nothing":            at(register.Instr{Op: register.Copy, Dst: dst(x), Args: operands(register.NoOperand)}),
		"copy of two":        at(register.Instr{Op: register.Copy, Dst: dst(x), Args: operands(one, one)}),
		"copy of absent":     at(register.Instr{Op: register.Copy, Dst: dst(x), Args: operands(register.Absent)}),
		"too many results":   at(register.Instr{Op: register.Read, Dst: dst(x, y, z)}),
		"no cell":            at(register.Instr{Op: register.Read, Cell: 3}),
		"operands of read":   at(register.Instr{Op: register.Read, Args: operands(one)}),
		"operands of cas":    at(register.Instr{Op: register.CAS, Args: operands(one)}),
		"leave":              at(register.Instr{Op: register.Leave}),
		"unknown op":         at(register.Instr{Op: 99}),
		"interpreted result": at(register.Instr{Op: register.Pure, Name: "eq", Dst: dst(x, y), Args: operands(one, one)}),
		"interpreted arity":  at(register.Instr{Op: register.Pure, Name: "eq", Dst: dst(x), Args: operands(one)}),
		"latch removed":      latch,
		"no block":           ends(register.Term{Kind: register.Jump, To: []int{9}}),
		"no successor":       ends(register.Term{Kind: register.Jump}),
		"branch on one":      ends(register.Term{Kind: register.Branch, Cond: one, To: []int{0, 0}}),
		"unknown end":        ends(register.Term{Kind: 99}),
		"unset result":       ends(returns(register.L(x))),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := register.Run(p, nil, values("v"), &tableHost{}, nil, 10)
			require.Error(t, err)
			assert.NotErrorIs(t, err, register.ErrDiverges)
		})
	}
	_, err := register.Run(getOrCreate(), values("extra"), values("v"), &tableHost{}, nil, 10)
	assert.Error(t, err)
	_, err = register.Run(getOrCreate(), nil, nil, &tableHost{}, nil, 10)
	assert.Error(t, err)
}

func TestIsLit(t *testing.T) {
	for _, v := range values("nil", "true", "false", "absent", "0", "-1", `"s"`, "&pkg.x", "{1 2}") {
		assert.True(t, v.IsLit(), v)
	}
	for _, v := range values("Session#1", "v1", "nilable", "") {
		assert.False(t, v.IsLit(), v)
	}
}

// TestRunMakesObjectsForEver: who makes an object in each round, and does not look at it in the next one, comes back to
// where he was; who compares it with the one before does not.
func TestRunMakesObjectsForEver(t *testing.T) {
	p := func(again register.Operand) *register.Program {
		return interpProgram(register.Cell{Kind: register.Atomic, Zero: "0"}, dst(x),
			&register.Block{Term: register.Term{Kind: register.Jump, To: []int{1}}},
			&register.Block{
				Instrs: []register.Instr{
					{Op: register.Read, Dst: dst(y, register.None)},
					{Op: register.Pure, Name: "eq", Dst: dst(ok), Args: operands(register.L(y), again)},
					{Op: register.Fresh, Name: "T#1", Dst: dst(x)},
				},
				Term: register.Term{Kind: register.Branch, Cond: register.L(ok), To: []int{2, 1}},
			},
			&register.Block{Term: returns()})
	}
	run := func(p *register.Program) error {
		_, err := register.Run(p, values("a"), values("0"), &tableHost{}, nil, 100)
		return err
	}
	require.ErrorIs(t, run(p(register.Lit("1"))), register.ErrRepeats)
	err := run(p(register.L(x)))
	require.ErrorIs(t, err, register.ErrDiverges)
	require.NotErrorIs(t, err, register.ErrRepeats)
}
