package monitor

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

const none = history.Absent

type row struct {
	method        history.Method
	value, second int64
	call, ret     int64
}

func logFrom(kind history.Kind, rows ...row) *history.Log {
	l := &history.Log{Kind: kind, Initial: none}
	for _, r := range rows {
		l.Method, l.Value, l.Second = append(l.Method, r.method), append(l.Value, r.value), append(l.Second, r.second)
		l.Call, l.Return = append(l.Call, r.call), append(l.Return, r.ret)
		if kind == history.Map {
			l.Key = append(l.Key, 1)
		}
	}
	return l
}

func TestAmbiguous(t *testing.T) {
	for _, c := range []struct {
		name string
		log  *history.Log
		rows [2]int32
		why  string
	}{
		{"queue", logFrom(history.Queue,
			row{history.Insert, 7, none, 0, 1}, row{history.Insert, 8, none, 0, 1}, row{history.Insert, 7, none, 2, 3},
			row{history.Remove, 7, none, 4, 5}), [2]int32{0, 2}, "both put in the value 7"},
		{"register", logFrom(history.Register,
			row{history.Swap, 2, 0, 0, 2}, row{history.Swap, 0, none, 1, 1}, row{history.CAS, 2, 0, 1, 5},
			row{history.Swap, 0, 2, 3, 7}, row{history.Write, 2, none, 5, 6}),
			[2]int32{2, 1}, "either may have left the value 0"},
		{"additions", logFrom(history.Register,
			row{history.Write, 1, none, 0, 1}, row{history.FetchAdd, 1, history.Unknowable, 0, history.Pending}, row{history.Read, 2, none, 2, 3}),
			[2]int32{1, 2}, "the first did not return, and may have left any value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Check(context.Background(), c.log, Options{})
			require.NoError(t, err)
			require.Equal(t, BySearch, res.Method)
			require.NotNil(t, res.Ambiguous)
			require.Equal(t, Ambiguity{Rows: c.rows, Why: c.why}, *res.Ambiguous)
			require.Equal(t, verdict(workload.Linearizable(c.log)), res.Verdict)
		})
	}
}

// TestUnknown checks that the budget of the search is kept, and said.
func TestUnknown(t *testing.T) {
	l := logFrom(history.Queue,
		row{history.Insert, 7, none, 0, 9}, row{history.Insert, 8, none, 0, 9}, row{history.Insert, 7, none, 0, 9},
		row{history.Remove, 8, none, 0, 20}, row{history.Remove, 7, none, 0, 20}, row{history.Remove, 7, none, 0, 20})
	var o Options
	o.Search.Nodes = 1
	res, err := Check(context.Background(), l, o)
	require.NoError(t, err)
	require.Equal(t, search.Unknown, res.Verdict)
	require.Equal(t, search.NodesUsedUp.String(), res.Reason)
	require.NotNil(t, res.Ambiguous)
}

func TestCores(t *testing.T) {
	for _, c := range []struct {
		name     string
		log      *history.Log
		core     []int32
		earliest int32
	}{
		{"set: seen after it was taken", logFrom(history.Set,
			row{history.Add, 1, none, 0, 1}, row{history.Add, 2, none, 0, 1}, row{history.ContainsTrue, 1, none, 1, 2},
			row{history.Take, 1, none, 3, 4}, row{history.ContainsTrue, 1, none, 5, 6}, row{history.Take, 2, none, 7, 8}),
			[]int32{0, 3, 4}, 4},
		{"register: new value, then old value", logFrom(history.Register,
			row{history.Write, 1, none, 0, 1}, row{history.Write, 2, none, 2, 9}, row{history.Read, 2, none, 3, 4},
			row{history.Read, 1, none, 3, 9}, row{history.Read, 1, none, 5, 6}, row{history.Write, 3, none, 7, 8}),
			[]int32{0, 1, 2, 4}, 4},
		{"register: read before written", logFrom(history.Register,
			row{history.Read, 1, none, 0, 1}, row{history.Write, 1, none, 2, 3}),
			[]int32{0, 1}, 0},
		{"register: a value is replaced twice", logFrom(history.Register,
			row{history.Write, 1, none, 0, 1}, row{history.CAS, 1, 2, 2, 5}, row{history.CAS, 1, 3, 3, 6}),
			[]int32{0, 1, 2}, 2},
		{"register: in a circle", logFrom(history.Register,
			row{history.CAS, 1, 2, 0, 9}, row{history.CAS, 2, 1, 0, 9}),
			[]int32{0, 1}, 0},
		{"register: failed while the value was there", logFrom(history.Register,
			row{history.Write, 1, none, 0, 1}, row{history.CASFailed, 1, 2, 2, 3}, row{history.Read, 1, none, 4, 5},
			row{history.Write, 2, none, 2, 9}),
			[]int32{0, 1, 2}, 2},
		{"register: failed with nobody else there", logFrom(history.Register,
			row{history.CAS, none, 1, 0, 1}, row{history.CASFailed, 1, 2, 2, 3}, row{history.Read, 1, none, 4, 5}),
			[]int32{0, 1}, 1},
		{"map: found after it was deleted", logFrom(history.Map,
			row{history.Write, 1, none, 0, 1}, row{history.Write, none, none, 2, 3}, row{history.Read, 1, none, 4, 5}),
			[]int32{0, 1, 2}, 2},
		{"map: stored twice", logFrom(history.Map,
			row{history.GetOrPut, 1, none, 0, 9}, row{history.GetOrPut, 2, none, 0, 9}, row{history.Read, 1, none, 0, 20}),
			[]int32{0, 1}, 1},
		{"queue: overtaken", logFrom(history.Queue,
			row{history.Insert, 1, none, 0, 1}, row{history.Insert, 9, none, 0, 1}, row{history.Insert, 2, none, 2, 3},
			row{history.Remove, 2, none, 4, 5}, row{history.Remove, 1, none, 6, 7}, row{history.Remove, 9, none, 0, 20}),
			[]int32{0, 2, 3, 4}, 3},
		{"stack: taken twice", logFrom(history.Stack,
			row{history.Insert, 1, none, 0, 1}, row{history.Remove, 1, none, 2, 5}, row{history.Remove, 1, none, 3, 6}),
			[]int32{0, 1, 2}, 2},
		{"priority queue: never put in", logFrom(history.PriorityQueue,
			row{history.Insert, 1, none, 0, 1}, row{history.Peek, 2, none, 2, 5}),
			[]int32{1}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.False(t, workload.Linearizable(c.log))
			res, err := Check(context.Background(), c.log, Options{Earliest: true})
			require.NoError(t, err)
			require.Equal(t, search.Violation, res.Verdict)
			require.Equal(t, c.core, res.Core)
			require.True(t, res.Confirmed)
			require.Equal(t, c.earliest, res.Earliest)
		})
	}
}

// TestExactWithoutSearch lists what need not be left to the search although
// values come again.
func TestExactWithoutSearch(t *testing.T) {
	for _, c := range []struct {
		name string
		log  *history.Log
	}{
		{"one value written twice, found by nobody", logFrom(history.Register,
			row{history.Write, 1, none, 0, 9}, row{history.Write, 1, none, 0, 9})},
		{"time tells the writes apart", logFrom(history.Register,
			row{history.Write, 1, none, 0, 1}, row{history.Write, 2, none, 2, 3}, row{history.Write, 1, none, 4, 5}, row{history.Read, 1, none, 6, 7})},
		{"a flag", logFrom(history.Register,
			row{history.Write, 0, none, 0, 1}, row{history.CAS, 0, 1, 2, 9}, row{history.CAS, 1, 0, 2, 9}, row{history.CAS, 0, 1, 2, 9})},
		{"locked by owners", logFrom(history.Map,
			row{history.GetOrPut, 1, none, 0, 9}, row{history.GetOrPut, 2, none, 0, 9}, row{history.Swap, none, 1, 0, 9},
			row{history.CAS, 2, none, 0, 9}, row{history.Read, none, none, 1, 8}, row{history.GetOrPut, 3, none, 5, 6})},
		{"a counter with a pending addition", &history.Log{Kind: history.Register, Initial: 0,
			Method: []history.Method{history.FetchAdd, history.FetchAdd, history.FetchAdd},
			Value:  []int64{1, 1, 1}, Second: []int64{0, history.Unknowable, 2},
			Call: []int64{0, 0, 5}, Return: []int64{1, history.Pending, 6}}},
		{"an element put in and taken out twice", logFrom(history.Set,
			row{history.Add, 1, none, 0, 9}, row{history.Take, 1, none, 0, 9}, row{history.Add, 1, none, 0, 9}, row{history.Take, 1, none, 0, 9})},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Check(context.Background(), c.log, Options{Order: true})
			require.NoError(t, err)
			require.Equal(t, ByMonitor, res.Method)
			require.Equal(t, verdict(workload.Linearizable(c.log)), res.Verdict)
		})
	}
}

func TestMalformed(t *testing.T) {
	good := func() *history.Log { return logFrom(history.Register, row{history.Swap, 1, none, 2, 3}) }
	for _, c := range []struct {
		name  string
		spoil func(l *history.Log)
		err   string
	}{
		{"kind", func(l *history.Log) { l.Kind = history.Unknown }, "a log of an unknown kind of object has no monitor"},
		{"columns", func(l *history.Log) { l.Value = nil }, "log of a register: columns of different lengths"},
		{"method", func(l *history.Log) { l.Method[0] = history.Peek }, "operation 1: Peek is no method of a register"},
		{"times", func(l *history.Log) { l.Return[0] = 1 }, "operation 1: called at 2 and returned at 1"},
		{"negative", func(l *history.Log) { l.Call[0] = -1 }, "operation 1: called at -1 and returned at 3"},
		{"second value", func(l *history.Log) { l.Second = nil }, "operation 1: Swap without a second value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := good()
			c.spoil(l)
			_, err := Check(context.Background(), l, Options{})
			require.EqualError(t, err, c.err)
		})
	}
	_, err := Check(context.Background(), good(), Options{})
	require.NoError(t, err)
}
