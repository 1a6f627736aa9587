package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/checker/history"
)

// A cellInput is a call of a register: a write of a value, or a read.
type cellInput struct {
	write bool
	value int
}

var register = Model[int, cellInput, int]{
	Init: func() int { return 0 },
	Step: func(state int, in cellInput, out int) (int, bool) {
		if in.write {
			return in.value, true
		}
		return state, state == out
	},
	Effects: func(state int, in cellInput) []int {
		if in.write {
			return []int{in.value}
		}
		return []int{state}
	},
}

type cellOp = Operation[cellInput, int]

func writes(v int, call, ret int64) cellOp {
	return cellOp{Input: cellInput{write: true, value: v}, Call: call, Return: ret}
}

func reads(v int, call, ret int64) cellOp { return cellOp{Output: v, Call: call, Return: ret} }

func TestUserModel(t *testing.T) {
	const pending = history.Pending
	for _, c := range []struct {
		name string
		ops  []cellOp
		want HistoryVerdict
		core []int32
	}{
		{"nothing", nil, Linearizable, nil},
		{"a lone call that did not return", []cellOp{writes(1, 5, pending)}, Linearizable, nil},
		{"a lone read that did not return", []cellOp{reads(9, 5, pending)}, Linearizable, nil},
		{"a value from a write that did not return", []cellOp{writes(1, 5, pending), reads(1, 6, 7)}, Linearizable, nil},
		{"before the write that did not return was called", []cellOp{writes(1, 8, pending), reads(1, 6, 7)}, Violation, []int32{1}},
		{"a write that took effect must not be undone",
			[]cellOp{writes(1, 5, pending), reads(1, 6, 7), reads(0, 8, 9)}, Violation, []int32{0, 1, 2}},
		{"a clock that stands still", []cellOp{writes(1, 1, 2), reads(0, 2, 3)}, Linearizable, nil},
		{"a clock that goes on", []cellOp{writes(1, 1, 2), reads(0, 3, 4)}, Violation, []int32{0, 1}},
		{"operations that take no time", []cellOp{writes(1, 3, 3), reads(1, 3, 3), reads(0, 3, 3)}, Linearizable, nil},
		{"two readers at odds", []cellOp{writes(1, 1, 9), writes(2, 1, 9), reads(1, 2, 3), reads(2, 4, 5), reads(1, 6, 7)},
			Violation, []int32{0, 1, 2, 3, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := register.Check(context.Background(), c.ops, Options{})
			require.NoError(t, err)
			assert.Equal(t, c.want, res.Verdict)
			assert.Equal(t, c.core, res.Core)
			assert.Equal(t, None, res.Reason)
		})
	}
}

func TestLinearizationNamesEveryOperationOnce(t *testing.T) {
	ops := []cellOp{reads(2, 1, 20), writes(1, 2, history.Pending), writes(2, 3, 9), reads(1, 10, 30), writes(7, 4, history.Pending)}
	res, err := register.Check(context.Background(), ops, Options{})
	require.NoError(t, err)
	require.Equal(t, Linearizable, res.Verdict)
	require.Equal(t, []int32{2, 0, 1, 3}, res.Linearization)
}

func TestUserModelErrors(t *testing.T) {
	ctx := context.Background()
	check := func(m Model[int, cellInput, int], ops ...cellOp) string {
		_, err := m.Check(ctx, ops, Options{})
		require.Error(t, err)
		return err.Error()
	}
	assert.Equal(t, "operation 1 returns at 3, before its call at 4", check(register, writes(1, 1, 2), writes(1, 4, 3)))
	assert.Equal(t, "the model needs Init and Step", check(Model[int, cellInput, int]{}))
	deaf := register
	deaf.Effects = nil
	assert.Equal(t, "operation 0 is pending, and the model has no Effects", check(deaf, writes(1, 1, history.Pending)))
	split := func(parts ...[]int) Model[int, cellInput, int] {
		m := register
		m.Partition = func([]cellOp) [][]int { return parts }
		return m
	}
	assert.Equal(t, "the model's Partition leaves out 1 operations", check(split([]int{0}), writes(1, 1, 2), writes(1, 1, 2)))
	assert.Equal(t, "the model's Partition gives operation 0 twice, or there is none", check(split([]int{0}, []int{0}), writes(1, 1, 2)))

	slices := Model[[]int, int, int]{Init: func() []int { return nil }, Step: func(s []int, _, _ int) ([]int, bool) { return s, true }}
	_, err := slices.Check(ctx, nil, Options{})
	assert.EqualError(t, err, "states of type []int cannot be compared with ==: the model needs Equal")
}

// randomCellOps draws a register's operations, pending ones included.
func randomCellOps(t *rapid.T) []cellOp {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) cellOp {
		call := rapid.Int64Range(0, 20).Draw(t, "call")
		op := cellOp{Call: call, Return: call + rapid.Int64Range(0, 8).Draw(t, "length")}
		if rapid.IntRange(0, 9).Draw(t, "pending") == 0 {
			op.Return = history.Pending
		}
		if op.Input.write = rapid.Bool().Draw(t, "write"); op.Input.write {
			op.Input.value = rapid.IntRange(0, 3).Draw(t, "value")
		} else {
			op.Output = rapid.IntRange(0, 3).Draw(t, "found")
		}
		return op
	}), 0, 9).Draw(t, "operations")
}

// TestHintsChangeNoAnswer compares models that say more and less of
// themselves.
func TestHintsChangeNoAnswer(t *testing.T) {
	hinted := register
	hinted.ReadOnly = func(in cellInput, _ int) bool { return !in.write }
	hinted.Blind = func(in cellInput, _ int) bool { return in.write }
	unequal := register
	unequal.Equal = func(a, b int) bool { return a == b } // and no Hash
	rapid.Check(t, func(t *rapid.T) {
		ops := randomCellOps(t)
		want, err := register.Check(context.Background(), ops, Options{Earliest: true})
		require.NoError(t, err)
		for _, m := range []Model[int, cellInput, int]{hinted, unequal} {
			got, err := m.Check(context.Background(), ops, Options{Earliest: true})
			require.NoError(t, err)
			require.Equal(t, want.Verdict, got.Verdict)
			require.Equal(t, want.Earliest, got.Earliest)
		}
	})
}

// TestUserModelAgreesWithLog compares a model of a user's with the one that
// is built in.
func TestUserModelAgreesWithLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ops := randomCellOps(t)
		l := &history.Log{Kind: history.Register}
		for _, op := range ops {
			m, v := history.Read, int64(op.Output)
			if op.Input.write {
				m, v = history.Write, int64(op.Input.value)
			}
			l.Method, l.Value = append(l.Method, m), append(l.Value, v)
			l.Call, l.Return = append(l.Call, op.Call), append(l.Return, op.Return)
		}
		want, err := register.Check(context.Background(), ops, Options{Earliest: true})
		require.NoError(t, err)
		got, err := Log(context.Background(), l, Options{Earliest: true})
		require.NoError(t, err)
		require.Equal(t, want.Verdict, got.Verdict)
		require.Equal(t, want.Earliest, got.Earliest)
	})
}

// A pool gives any of its elements: what is taken is not known before.
var pool = NondeterministicModel[[4]int, string, int]{
	Init: func() [][4]int { return [][4]int{{}} },
	Step: func(s [4]int, in string, out int) [][4]int {
		switch in {
		case "put":
			s[out]++
			return [][4]int{s}
		case "take":
			s[out]--
			if s[out] < 0 {
				return nil
			}
			return [][4]int{s}
		}
		return lose(s) // "drop" takes something, and does not say what
	},
	Effects: func(s [4]int, in string) [][4]int {
		if in == "drop" {
			return lose(s)
		}
		return nil
	},
}

func lose(s [4]int) (out [][4]int) {
	for i, n := range s {
		if n > 0 {
			s[i]--
			out = append(out, s)
			s[i]++
		}
	}
	return out
}

func TestNondeterministicModel(t *testing.T) {
	type op = Operation[string, int]
	ops := []op{
		{Input: "put", Output: 1, Call: 1, Return: 2},
		{Input: "put", Output: 2, Call: 3, Return: 4},
		{Input: "drop", Call: 5, Return: 6},
		{Input: "take", Output: 1, Call: 7, Return: 8},
	}
	res, err := pool.Check(context.Background(), ops, Options{})
	require.NoError(t, err)
	require.Equal(t, Linearizable, res.Verdict, "it was 2 that was dropped")
	ops = append(ops, op{Input: "take", Output: 2, Call: 9, Return: 10})
	res, err = pool.Check(context.Background(), ops, Options{Earliest: true})
	require.NoError(t, err)
	require.Equal(t, Violation, res.Verdict, "something was dropped")
	require.Equal(t, int32(4), res.Earliest)
}

// TestNondeterministicAgreesWithSetsOfStates compares the search, which
// guesses the next state, with a deterministic model whose states are sets.
func TestNondeterministicAgreesWithSetsOfStates(t *testing.T) {
	sets := Model[[][4]int, string, int]{
		Init:  pool.Init,
		Equal: func(a, b [][4]int) bool { return slices.Equal(a, b) },
		Step: func(s [][4]int, in string, out int) (next [][4]int, ok bool) {
			for _, one := range s {
				next = append(next, pool.Step(one, in, out)...)
			}
			slices.SortFunc(next, func(a, b [4]int) int { return slices.Compare(a[:], b[:]) })
			next = slices.Compact(next)
			return next, len(next) > 0
		},
	}
	answers := map[HistoryVerdict]int{}
	for n := range 3000 {
		r := rand.New(rand.NewPCG(7, uint64(n)))
		var ops []Operation[string, int]
		for i := range 9 {
			call := int64(4*i + r.IntN(12))
			in := []string{"put", "put", "put", "put", "drop", "take"}[r.IntN(6)]
			ops = append(ops, Operation[string, int]{Input: in, Output: r.IntN(3), Call: call, Return: call + int64(r.IntN(12))})
		}
		want, err := sets.Check(context.Background(), ops, Options{})
		require.NoError(t, err)
		got, err := pool.Check(context.Background(), ops, Options{})
		require.NoError(t, err)
		require.Equal(t, want.Verdict, got.Verdict, "history %d", n)
		answers[got.Verdict]++
	}
	require.Greater(t, min(answers[Linearizable], answers[Violation]), 600, fmt.Sprint(answers))
}
