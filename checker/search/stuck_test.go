package search

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
)

// counter is the counter of Line-Up's example: dec blocks while it is 0.
var counter = Model[int, string, int]{
	Init: func() int { return 0 },
	Step: func(n int, in string, out int) (int, bool) {
		switch in {
		case "inc":
			return n + 1, true
		case "dec":
			return n - 1, n > 0
		}
		return n, n == out
	},
	Effects: func(n int, in string) []int {
		switch {
		case in == "inc":
			return []int{n + 1}
		case in == "get":
			return []int{n}
		case n > 0:
			return []int{n - 1}
		}
		return nil
	},
}

func TestCheckStuck(t *testing.T) {
	type op = Operation[string, int]
	inc := func(call, ret int64) op { return op{Input: "inc", Call: call, Return: ret} }
	dec := func(call, ret int64) op { return op{Input: "dec", Call: call, Return: ret} }
	get := func(n int, call, ret int64) op { return op{Input: "get", Output: n, Call: call, Return: ret} }
	const never = history.Pending
	for _, c := range []struct {
		name        string
		ops         []op
		want        HistoryVerdict
		unjustified int32
	}{
		{"a lock that is never given back", []op{inc(1, 2), get(1, 3, 4), inc(5, never)}, Violation, 2},
		{"nothing to take", []op{dec(1, never)}, Linearizable, -1},
		{"taken by somebody else", []op{inc(1, 9), dec(2, 8), dec(3, never)}, Linearizable, -1},
		{"there is one left", []op{inc(1, 2), inc(1, 9), dec(2, 8), dec(3, never)}, Violation, 3},
		{"two that wait for one another", []op{dec(1, never), dec(1, never)}, Linearizable, -1},
		{"the second is not justified", []op{dec(1, never), inc(1, never)}, Violation, 1},
		{"a pending call must not have taken effect", []op{inc(1, never), get(1, 2, 3)}, Violation, -1},
		{"nobody is stuck", []op{inc(1, 2), dec(1, 2)}, Linearizable, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := counter.CheckStuck(context.Background(), c.ops, Options{})
			require.NoError(t, err)
			assert.Equal(t, c.want, res.Verdict)
			assert.Equal(t, c.unjustified, res.Unjustified)
			if res.Unjustified >= 0 {
				assert.Contains(t, res.Core, res.Unjustified)
			}
		})
	}
}

// TestNotStuckIsNotEnough is the paper's second counter: as a history that
// was cut off, it is linearizable.
func TestNotStuckIsNotEnough(t *testing.T) {
	ops := []Operation[string, int]{
		{Input: "inc", Call: 1, Return: 2}, {Input: "get", Output: 1, Call: 3, Return: 4}, {Input: "inc", Call: 5, Return: history.Pending},
	}
	res, err := counter.Check(context.Background(), ops, Options{})
	require.NoError(t, err)
	require.Equal(t, Linearizable, res.Verdict)
}

func TestCheckStuckNeedsToKnowWhatBlocks(t *testing.T) {
	m := counter
	m.Effects = nil
	_, err := m.CheckStuck(context.Background(), nil, Options{})
	require.EqualError(t, err, "a stuck history needs a model with Blocks or Effects")
	m.Blocks = func(n int, in string) bool { return in == "dec" && n == 0 }
	res, err := m.CheckStuck(context.Background(), []Operation[string, int]{{Input: "dec", Call: 1, Return: history.Pending}}, Options{})
	require.NoError(t, err)
	require.Equal(t, Linearizable, res.Verdict)
}
