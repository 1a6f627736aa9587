package reduce_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/reduce"
)

// tableHost answers Pure with name/result(args) and numbers the rest.
type tableHost struct {
	fresh, unknown int
	events         []reduce.Event
}

func (h *tableHost) Pure(name string, result int, args []reduce.Value) reduce.Value {
	return reduce.Value(fmt.Sprintf("%s/%d%v", name, result, args))
}

func (h *tableHost) Fresh(site string, _ []reduce.Value) reduce.Value {
	h.fresh++
	return reduce.Value(fmt.Sprintf("%s%d", site, h.fresh))
}

func (h *tableHost) Unknown(site string, result int, _ []reduce.Value) reduce.Value {
	h.unknown++
	return reduce.Value(fmt.Sprintf("%s%d", site, h.unknown))
}

func (h *tableHost) Trace(e reduce.Event) { h.events = append(h.events, e) }

// Locals of the programs below.
const (
	x reduce.Local = iota
	y
	z
	w
	ok
)

func interpProgram(cell reduce.Cell, params []reduce.Local, blocks ...*reduce.Block) *reduce.Program {
	return &reduce.Program{
		Name: "P", Params: params, Names: []string{"x", "y", "z", "w", "ok"},
		Cells: []reduce.Cell{cell}, Blocks: blocks,
	}
}

func dst(ls ...reduce.Local) []reduce.Local          { return ls }
func operands(os ...reduce.Operand) []reduce.Operand { return os }
func values(vs ...reduce.Value) []reduce.Value       { return vs }

func returns(os ...reduce.Operand) reduce.Term {
	return reduce.Term{Kind: reduce.Return, Vals: os}
}

var mapCell = reduce.Cell{Kind: reduce.Map, Zero: "nil"}

// getOrCreate loads, and stores a fresh value where nothing was.
func getOrCreate() *reduce.Program {
	return interpProgram(mapCell, nil,
		&reduce.Block{
			Instrs: []reduce.Instr{{Op: reduce.Read, Dst: dst(x, ok)}},
			Term:   reduce.Term{Kind: reduce.Branch, Cond: reduce.L(ok), To: []int{1, 2}},
		},
		&reduce.Block{Term: returns(reduce.L(x))},
		&reduce.Block{
			Instrs: []reduce.Instr{
				{Op: reduce.Fresh, Dst: dst(y), Name: "T#"},
				{Op: reduce.CAS, Dst: dst(z, ok), Args: operands(reduce.Absent, reduce.L(y)), Pos: "f.go:3:1"},
				{Op: reduce.Pure, Name: "choose", Dst: dst(w), Args: operands(reduce.L(ok), reduce.L(y), reduce.L(z))},
			},
			Term: returns(reduce.L(w)),
		})
}

func TestRunOnEmptyAndFullCell(t *testing.T) {
	h := &tableHost{}
	cells := values(reduce.LitAbsent)
	out, err := reduce.Run(getOrCreate(), nil, cells, h, nil, 100)
	require.NoError(t, err)
	assert.Equal(t, values("T#1"), out.Vals)
	assert.Equal(t, values("T#1"), cells)
	assert.Equal(t, values("T#1"), out.Published)
	assert.Equal(t, []reduce.Event{
		{Op: reduce.Read, Results: values("nil", "false")},
		{Op: reduce.CAS, Args: values("absent", "T#1"), Results: values("nil", "true"), Pos: "f.go:3:1"},
	}, h.events)

	out, err = reduce.Run(getOrCreate(), nil, cells, h, nil, 100)
	require.NoError(t, err)
	assert.Equal(t, values("T#1"), out.Vals)
	assert.Equal(t, 1, h.fresh, "a hit allocates nothing")
}

func TestYieldMayChangeCells(t *testing.T) {
	cells := values(reduce.LitAbsent)
	var points []string
	yield := func(at reduce.Point) error {
		points = append(points, fmt.Sprint(at.Index, at.Exit, at.Block, at.Instr))
		if at.Index == 1 {
			cells[0] = "b"
		}
		return nil
	}
	out, err := reduce.Run(getOrCreate(), nil, cells, &tableHost{}, yield, 100)
	require.NoError(t, err)
	assert.Equal(t, values("b"), out.Vals)
	assert.Equal(t, []string{"0 false 0 0", "1 false 2 1", "2 true 2 3"}, points)
}

func TestYieldErrorEndsTheRun(t *testing.T) {
	stop := errors.New("stop")
	_, err := reduce.Run(getOrCreate(), nil, values("v"), &tableHost{}, func(reduce.Point) error { return stop }, 100)
	assert.ErrorIs(t, err, stop)
}

func TestNoSchedulingPointInsideEnterLeave(t *testing.T) {
	p := interpProgram(mapCell, nil, &reduce.Block{
		Instrs: []reduce.Instr{
			{Op: reduce.Enter},
			{Op: reduce.Read, Dst: dst(x)},
			{Op: reduce.Enter},
			{Op: reduce.Write, Args: operands(reduce.Absent)},
			{Op: reduce.Leave},
			{Op: reduce.Write, Args: operands(reduce.L(x))},
			{Op: reduce.Leave},
			{Op: reduce.Lock}, {Op: reduce.Unlock}, {Op: reduce.Blocking},
			{Op: reduce.Read, Dst: dst(y)},
		},
		Term: returns(reduce.L(y)),
	})
	var points []string
	yield := func(at reduce.Point) error {
		points = append(points, fmt.Sprint(at.Instr, at.Exit, at.Locals[:2]))
		return nil
	}
	_, err := reduce.Run(p, nil, values("v"), &tableHost{}, yield, 100)
	require.NoError(t, err)
	assert.Equal(t, []string{"0 false [ ]", "7 false [v ]", "10 false [v ]", "11 true [v v]"}, points)
}

func TestBaseOperations(t *testing.T) {
	lit := reduce.Lit
	tests := []struct {
		name      string
		in        reduce.Instr
		cell      reduce.Value
		old, flag reduce.Value
		after     reduce.Value
	}{
		{"read", reduce.Instr{Op: reduce.Read}, "v", "v", "true", "v"},
		{"read absent", reduce.Instr{Op: reduce.Read}, "absent", "nil", "false", "absent"},
		{"write", reduce.Instr{Op: reduce.Write, Args: operands(lit("1"))}, "v", "v", "true", "1"},
		{"write absent cell", reduce.Instr{Op: reduce.Write, Args: operands(lit("1"))}, "absent", "nil", "false", "1"},
		{"remove", reduce.Instr{Op: reduce.Write, Args: operands(reduce.Absent)}, "v", "v", "true", "absent"},
		{"cas", reduce.Instr{Op: reduce.CAS, Args: operands(lit("1"), lit("2"))}, "1", "1", "true", "2"},
		{"cas other", reduce.Instr{Op: reduce.CAS, Args: operands(lit("1"), lit("2"))}, "3", "3", "false", "3"},
		{"cas absent cell", reduce.Instr{Op: reduce.CAS, Args: operands(lit("nil"), lit("2"))}, "absent", "nil", "false", "absent"},
		{"insert", reduce.Instr{Op: reduce.CAS, Args: operands(reduce.Absent, lit("2"))}, "absent", "nil", "true", "2"},
		{"insert present", reduce.Instr{Op: reduce.CAS, Args: operands(reduce.Absent, lit("2"))}, "1", "1", "false", "1"},
		{"cas to absent", reduce.Instr{Op: reduce.CAS, Args: operands(lit("1"), reduce.Absent)}, "1", "1", "true", "absent"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.Dst = dst(x, ok)
			p := interpProgram(mapCell, nil, &reduce.Block{
				Instrs: []reduce.Instr{tt.in}, Term: returns(reduce.L(x), reduce.L(ok))})
			cells := values(tt.cell)
			out, err := reduce.Run(p, nil, cells, &tableHost{}, nil, 10)
			require.NoError(t, err)
			assert.Equal(t, values(tt.old, tt.flag), out.Vals)
			assert.Equal(t, values(tt.after), cells)
		})
	}
}

func TestObservedEffects(t *testing.T) {
	effect := func(o ...reduce.Operand) reduce.Instr { return reduce.Instr{Op: reduce.Effect, Name: "e", Args: o} }
	p := interpProgram(mapCell, dst(x, y, z), &reduce.Block{
		Instrs: []reduce.Instr{
			effect(reduce.L(x)),       // stored later
			effect(reduce.L(y)),       // attempted only
			effect(reduce.Lit("nil")), // a literal
			{Op: reduce.CAS, Args: operands(reduce.L(y), reduce.L(y))}, // fails
			{Op: reduce.Write, Args: operands(reduce.L(x))},            // drops z unread
			effect(reduce.L(z)),
			effect(reduce.L(y), reduce.L(x)),
		},
		Term: reduce.Term{Kind: reduce.Panic, Label: "bad", Vals: operands(reduce.L(x))},
	})
	out, err := reduce.Run(p, values("a", "b", "c"), values("c"), &tableHost{}, nil, 10)
	require.NoError(t, err)
	assert.Equal(t, reduce.Panic, out.Kind)
	assert.Equal(t, "bad", out.Label)
	assert.Len(t, out.Effects, 5)
	assert.Equal(t, []reduce.EffectEvent{
		{Name: "e", Args: values("a")}, {Name: "e", Args: values("b", "a")},
	}, out.Observed())
}

func TestCASPublishesWhatItReplaced(t *testing.T) {
	p := interpProgram(mapCell, dst(x), &reduce.Block{
		Instrs: []reduce.Instr{
			{Op: reduce.CAS, Dst: dst(reduce.None, ok), Args: operands(reduce.L(x), reduce.Absent)},
		},
		Term: returns(),
	})
	out, err := reduce.Run(p, values("a"), values("a"), &tableHost{}, nil, 10)
	require.NoError(t, err)
	assert.Equal(t, values("a"), out.Published)
	out, err = reduce.Run(p, values("a"), values("b"), &tableHost{}, nil, 10)
	require.NoError(t, err)
	assert.Empty(t, out.Published)
}

// loser gives up whenever it may.
type loser struct{ tableHost }

func (h *loser) GiveUp(int) bool { return true }

func TestOnlyWeakCASGivesUp(t *testing.T) {
	for _, weak := range []bool{true, false} {
		in := reduce.Instr{Op: reduce.CAS, Dst: dst(x, ok), Args: operands(reduce.Lit("1"), reduce.Lit("2"))}
		if weak {
			in.Name = reduce.Weak
		}
		p := interpProgram(mapCell, nil, &reduce.Block{Instrs: []reduce.Instr{in}, Term: returns(reduce.L(x), reduce.L(ok))})
		for _, host := range []reduce.Host{&loser{}, &tableHost{}} {
			_, asks := host.(reduce.Giver)
			cells := values("1")
			out, err := reduce.Run(p, nil, cells, host, nil, 10)
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
		want reduce.Value // "" where left open
	}{
		{"eq a a", "true"}, {"eq a b", "false"}, {"eq nil nil", "true"},
		{"not true", "false"}, {"not false", "true"},
		{"choose true a b", "a"}, {"choose false a b", "b"},
		{"add 2 3", "5"}, {"add -2 2", "0"}, {"sub 2 3", "-1"}, {"sub 0 -1", "1"},
		{"lt 2 3", "true"}, {"lt 3 3", "false"}, {"le 3 3", "true"}, {"le 10 9", "false"},
		{"and 6 3", "2"}, {"or 6 3", "7"}, {"xor 6 3", "5"},
		{"add v1 1", ""}, {"lt 1 v1", ""}, {"add 01 1", ""}, {"add 1.5 1", ""},
		{"add 9223372036854775807 1", ""}, {"sub -9223372036854775808 1", ""},
		{"add 9223372036854775807 0", "9223372036854775807"},
	}
	for _, tt := range tests {
		f := strings.Fields(tt.call)
		var args []reduce.Value
		for _, a := range f[1:] {
			args = append(args, reduce.Value(a))
		}
		v, folded, err := reduce.Fold(f[0], args)
		require.NoError(t, err, tt.call)
		assert.Equal(t, tt.want, v, tt.call)
		assert.Equal(t, tt.want != "", folded, tt.call)
	}
	for _, bad := range []string{"not v1", "choose nil a b", "eq a", "not", "add 1 2 3"} {
		f := strings.Fields(bad)
		args := make([]reduce.Value, len(f)-1)
		for i, a := range f[1:] {
			args[i] = reduce.Value(a)
		}
		_, _, err := reduce.Fold(f[0], args)
		assert.Error(t, err, bad)
	}
}

func TestAddWrapsNowhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		arg := func(n int64) reduce.Value { return reduce.Value(fmt.Sprint(n)) }
		sum, folded, err := reduce.Fold("add", values(arg(a), arg(b)))
		require.NoError(t, err)
		if !folded {
			return
		}
		back, folded, err := reduce.Fold("sub", values(sum, arg(b)))
		require.NoError(t, err)
		require.True(t, folded)
		require.Equal(t, arg(a), back)
	})
}

func TestUninterpretedGoesToTheHost(t *testing.T) {
	p := interpProgram(mapCell, dst(x), &reduce.Block{
		Instrs: []reduce.Instr{
			{Op: reduce.Pure, Name: "f", Dst: dst(reduce.None, y), Args: operands(reduce.L(x))},
			{Op: reduce.Pure, Name: "lt", Dst: dst(z), Args: operands(reduce.L(x), reduce.Lit("1"))},
			{Op: reduce.Unknown, Name: "u", Dst: dst(w, reduce.None)},
		},
		Term: returns(reduce.L(y), reduce.L(z), reduce.L(w)),
	})
	out, err := reduce.Run(p, values("a"), values("v"), &tableHost{}, nil, 10)
	require.NoError(t, err)
	assert.Equal(t, values("f/1[a]", "lt/0[a 1]", "u1"), out.Vals)
}

// spin reads until the cell is absent.
func spin(more ...reduce.Instr) *reduce.Program {
	return interpProgram(mapCell, nil,
		&reduce.Block{Term: reduce.Term{Kind: reduce.Jump, To: []int{1}}},
		&reduce.Block{
			Instrs: append([]reduce.Instr{{Op: reduce.Read, Dst: dst(reduce.None, ok)}}, more...),
			Term:   reduce.Term{Kind: reduce.Branch, Cond: reduce.L(ok), To: []int{1, 2}},
		},
		&reduce.Block{Term: returns()})
}

func TestEndlessRuns(t *testing.T) {
	const many = 1 << 40 // only an exact check ends in time
	_, err := reduce.Run(spin(), nil, values("v"), &tableHost{}, nil, many)
	require.ErrorIs(t, err, reduce.ErrDiverges)

	waits := 0
	cells := values("v")
	yield := func(reduce.Point) error {
		if waits++; waits == 3 {
			cells[0] = reduce.LitAbsent
		}
		return nil
	}
	_, err = reduce.Run(spin(), nil, cells, &tableHost{}, yield, 100)
	require.NoError(t, err, "the environment ends the loop")

	_, err = reduce.Run(spin(), nil, values("v"), &tableHost{}, func(reduce.Point) error { return nil }, 100)
	require.ErrorIs(t, err, reduce.ErrDiverges)
}

// lucky leaves a loop at the third answer of an unknown call.
type lucky struct{ tableHost }

func (h *lucky) Unknown(string, int, []reduce.Value) reduce.Value {
	h.unknown++
	if h.unknown < 3 {
		return reduce.LitTrue
	}
	return reduce.LitFalse
}

func TestUnknownMayEndALoop(t *testing.T) {
	p := spin(reduce.Instr{Op: reduce.Unknown, Name: "u", Dst: dst(ok)})
	_, err := reduce.Run(p, nil, values("v"), &lucky{}, nil, 100)
	require.NoError(t, err)
}

func TestBadProgramsAreErrors(t *testing.T) {
	at := func(in reduce.Instr) *reduce.Program {
		return interpProgram(mapCell, nil, &reduce.Block{Instrs: []reduce.Instr{in}, Term: returns()})
	}
	ends := func(term reduce.Term) *reduce.Program {
		return interpProgram(mapCell, nil, &reduce.Block{Term: term})
	}
	one := reduce.Lit("1")
	latch := at(reduce.Instr{Op: reduce.Write, Args: operands(reduce.Absent)})
	latch.Cells[0].Kind = reduce.Latch
	for name, p := range map[string]*reduce.Program{
		"no blocks":          interpProgram(mapCell, nil),
		"call":               at(reduce.Instr{Op: reduce.Call, Name: "f"}),
		"unset":              at(reduce.Instr{Op: reduce.Copy, Dst: dst(x), Args: operands(reduce.L(y))}),
		"no local":           at(reduce.Instr{Op: reduce.Copy, Dst: dst(x), Args: operands(reduce.L(77))}),
		"no destination":     at(reduce.Instr{Op: reduce.Copy, Dst: dst(77), Args: operands(one)}),
		"nothing":            at(reduce.Instr{Op: reduce.Copy, Dst: dst(x), Args: operands(reduce.NoOperand)}),
		"copy of two":        at(reduce.Instr{Op: reduce.Copy, Dst: dst(x), Args: operands(one, one)}),
		"copy of absent":     at(reduce.Instr{Op: reduce.Copy, Dst: dst(x), Args: operands(reduce.Absent)}),
		"too many results":   at(reduce.Instr{Op: reduce.Read, Dst: dst(x, y, z)}),
		"no cell":            at(reduce.Instr{Op: reduce.Read, Cell: 3}),
		"operands of read":   at(reduce.Instr{Op: reduce.Read, Args: operands(one)}),
		"operands of cas":    at(reduce.Instr{Op: reduce.CAS, Args: operands(one)}),
		"leave":              at(reduce.Instr{Op: reduce.Leave}),
		"unknown op":         at(reduce.Instr{Op: 99}),
		"interpreted result": at(reduce.Instr{Op: reduce.Pure, Name: "eq", Dst: dst(x, y), Args: operands(one, one)}),
		"interpreted arity":  at(reduce.Instr{Op: reduce.Pure, Name: "eq", Dst: dst(x), Args: operands(one)}),
		"latch removed":      latch,
		"no block":           ends(reduce.Term{Kind: reduce.Jump, To: []int{9}}),
		"no successor":       ends(reduce.Term{Kind: reduce.Jump}),
		"branch on one":      ends(reduce.Term{Kind: reduce.Branch, Cond: one, To: []int{0, 0}}),
		"unknown end":        ends(reduce.Term{Kind: 99}),
		"unset result":       ends(returns(reduce.L(x))),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := reduce.Run(p, nil, values("v"), &tableHost{}, nil, 10)
			require.Error(t, err)
			assert.NotErrorIs(t, err, reduce.ErrDiverges)
		})
	}
	_, err := reduce.Run(getOrCreate(), values("extra"), values("v"), &tableHost{}, nil, 10)
	assert.Error(t, err)
	_, err = reduce.Run(getOrCreate(), nil, nil, &tableHost{}, nil, 10)
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
