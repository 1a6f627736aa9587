package certificate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
)

const none = history.Absent

// logOf makes a log of rows: method, value, second value, call, return.
func logOf(kind history.Kind, rows ...[5]int64) *history.Log {
	l := &history.Log{Kind: kind, Initial: none}
	for _, r := range rows {
		l.Method = append(l.Method, history.Method(r[0]))
		l.Value, l.Second = append(l.Value, r[1]), append(l.Second, r[2])
		l.Call, l.Return = append(l.Call, r[3]), append(l.Return, r[4])
		if kind == history.Map {
			l.Key = append(l.Key, 1)
		}
	}
	return l
}

const (
	insert = int64(history.Insert)
	remove = int64(history.Remove)
	empty  = int64(history.RemoveEmpty)
	peek   = int64(history.Peek)
	unseen = int64(history.PeekEmpty)
	write  = int64(history.Write)
	read   = int64(history.Read)
	open   = history.Pending
)

func TestValidate(t *testing.T) {
	two := [][5]int64{{insert, 1, none, 0, 9}, {insert, 2, none, 0, 9}, {remove, 1, none, 0, 9}, {peek, 2, none, 0, 9}}
	least := logOf(history.PriorityQueue, two...)
	least.MinFirst = true
	started := logOf(history.Register, [5]int64{read, 7, none, 0, 1})
	started.Initial = 7
	elements := logOf(history.Set,
		[5]int64{int64(history.Add), 1, none, 0, 9}, [5]int64{int64(history.AddFailed), 1, none, 0, 9},
		[5]int64{int64(history.ContainsTrue), 1, none, 0, 9}, [5]int64{int64(history.Take), 1, none, 0, 9},
		[5]int64{int64(history.TakeFailed), 1, none, 0, 9}, [5]int64{int64(history.ContainsFalse), 1, none, 0, 9})
	cell := [][5]int64{
		{write, 1, none, 0, 9}, {int64(history.CAS), 1, 2, 0, 9}, {int64(history.CASFailed), 1, 9, 0, 9},
		{int64(history.Swap), none, 2, 0, 9}, {int64(history.GetOrPut), 5, none, 0, 9}, {int64(history.GetOrPut), 6, 5, 0, 9},
		{int64(history.FetchAdd), 3, 5, 0, 9}, {read, 8, none, 0, 9},
	}
	late := logOf(history.Queue, [5]int64{insert, 1, none, 0, 1}, [5]int64{remove, 1, none, 2, 3})
	half := logOf(history.Queue, [5]int64{insert, 1, none, 0, open}, [5]int64{remove, history.Unknowable, none, 0, open}, [5]int64{empty, none, none, 5, 6})
	for _, c := range []struct {
		name  string
		log   *history.Log
		order []int32
		err   string
	}{
		{"nothing", logOf(history.Queue), nil, ""},
		{"queue", logOf(history.Queue, two...), []int32{0, 1, 2, 3}, ""},
		{"queue, wrong order", logOf(history.Queue, two...), []int32{1, 0, 2, 3}, "operation 3, Remove 1: 2 is next"},
		{"stack", logOf(history.Stack, two...), []int32{1, 0, 2, 3}, ""},
		{"stack, wrong order", logOf(history.Stack, two...), []int32{0, 1, 2, 3}, "operation 3, Remove 1: 2 is next"},
		{"largest first", logOf(history.PriorityQueue, two...), []int32{0, 2, 1, 3}, ""},
		{"largest first, wrong order", logOf(history.PriorityQueue, two...), []int32{0, 1, 2, 3}, "operation 3, Remove 1: 2 is next"},
		{"smallest first", least, []int32{1, 0, 2, 3}, ""},
		{"removed from nothing", late, []int32{1, 0}, "operation 2, Remove 1, takes effect before operation 1, Insert 1, but was called after that returned"},
		{"never there", logOf(history.Stack, [5]int64{remove, 1, none, 0, 1}), []int32{0}, "operation 1, Remove 1: nothing is there"},
		{"not empty", logOf(history.Stack, [5]int64{insert, 1, none, 0, 1}, [5]int64{unseen, none, none, 0, 1}), []int32{0, 1}, "operation 2, PeekEmpty: 1 is there"},
		{"left out", late, []int32{0}, "operation 2, Remove 1, returned but never takes effect"},
		{"twice", late, []int32{0, 0, 1}, "operation 1, Insert 1, takes effect twice"},
		{"no such row", late, []int32{0, 2}, "there is no operation 3 in a log of 2"},
		{"negative row", late, []int32{-1, 0}, "there is no operation 0"},
		{"pending ones take effect", half, []int32{0, 1, 2}, ""},
		{"pending ones do not", half, []int32{2}, ""},
		{"one pending does", half, []int32{0, 2}, "operation 3, RemoveEmpty: 1 is there"},
		{"set", elements, []int32{4, 0, 2, 1, 3, 5}, ""},
		{"set, taken first", elements, []int32{3, 0, 1, 2, 4, 5}, "operation 4, Take 1: it is not there"},
		{"set, found too late", elements, []int32{0, 3, 2, 1, 4, 5}, "operation 3, ContainsTrue 1: it is not there"},
		{"set, not found too early", elements, []int32{0, 5, 1, 2, 3, 4}, "operation 6, ContainsFalse 1: it is there"},
		{"register", logOf(history.Register, cell...), []int32{0, 1, 2, 3, 4, 5, 6, 7}, ""},
		{"map", logOf(history.Map, cell...), []int32{0, 1, 2, 3, 4, 5, 6, 7}, ""},
		{"register, failed too early", logOf(history.Register, cell...), []int32{0, 2, 1, 3, 4, 5, 6, 7}, "operation 3, CASFailed 1, 9: the value is 1"},
		{"register, absent", logOf(history.Register, cell...), []int32{7, 0, 1, 2, 3, 4, 5, 6}, "operation 8, Read 8: the value is null"},
		{"map, key in the message", logOf(history.Map, cell...), []int32{0, 1, 2, 4, 3, 5, 6, 7}, "operation 5, GetOrPut of 1 5: the value is 2"},
		{"initial value", started, []int32{0}, ""},
		{"unknown kind", logOf(history.Unknown, [5]int64{read, 0, none, 0, 1}), []int32{0}, "nothing is known of objects of kind unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Validate(c.log, c.order)
			if c.err == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.err)
		})
	}
}

func TestSameInstantIsConcurrent(t *testing.T) {
	l := logOf(history.Register, [5]int64{read, 1, none, 0, 5}, [5]int64{write, 1, none, 5, 6})
	require.NoError(t, Validate(l, []int32{1, 0}))
	l.Call[1] = 6
	require.Error(t, Validate(l, []int32{1, 0}))
}
