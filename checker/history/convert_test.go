package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMethodNames has one call of each form and the row that it becomes.
// Results "-" is a call that did not return.
func TestMethodNames(t *testing.T) {
	for _, tc := range []struct {
		kind                Kind
		call, args, results string
		want                string
	}{
		{Stack, "Push", "7", "", "Insert 7"},
		{Stack, "TryPop", "", "7", "Remove 7"},
		{Stack, "pop", "", "null", "RemoveEmpty"},
		{Stack, "pop", "", "0 false", "RemoveEmpty"},
		{Stack, "pop", "", "-1", "Remove -1"}, // only interval text has -1 for nothing
		{Stack, "pop", "", "-", "Remove ?"},
		{Stack, "Top", "", "7 true", "Peek 7"},
		{Queue, "offer", "7", "true", "Insert 7"},
		{Queue, "Dequeue", "", "null true", "Remove null"},
		{Queue, "peek", "", "null", "PeekEmpty"},
		{PriorityQueue, "delete_min", "", "7", "Remove 7"},
		{PriorityQueue, "DeleteMax", "", "null", "RemoveEmpty"},
		{Set, "Add", "7", "true", "Add 7"},
		{Set, "insert", "7", "false", "AddFailed 7"},
		{Set, "insert", "7", "-", "Add 7"},
		{Set, "Remove", "7", "false", "TakeFailed 7"},
		{Set, "contains", "7", "true", "ContainsTrue 7"},
		{Set, "Has", "7", "false", "ContainsFalse 7"},
		{Set, "contains_true", "7", "", "ContainsTrue 7"},
		{Register, "Store", "7", "", "Write 7"},
		{Register, "Store", "null", "", "Write"},
		{Register, "Load", "", "7", "Read 7"},
		{Register, "Load", "", "null", "Read"},
		{Register, "read", "", "-", "Read ?"},
		{Register, "CompareAndSwap", "1 2", "true", "CAS 1 2"},
		{Register, "compare-and-set", "1 2", "false", "CASFailed 1 2"},
		{Register, "Swap", "1", "2", "Swap 1 2"},
		{Register, "swap", "1", "-", "Swap 1 ?"},
		{Register, "FetchAndAdd", "3", "4", "FetchAdd 3 4"},
		{Register, "Add", "3", "7", "FetchAdd 3 4"}, // Go's gives the sum
		{Register, "Add", "3", "-", "FetchAdd 3 ?"},
		{Map, "Store", "1 7", "", "Write 1: 7"},
		{Map, "put", "1 7", "", "Write 1: 7"},
		{Map, "put", "1 7", "6", "Swap 1: 7 6"},
		{Map, "put", "1 7", "null", "Swap 1: 7"},
		{Map, "Load", "1", "7 true", "Read 1: 7"},
		{Map, "Load", "1", "0 false", "Read 1:"},
		{Map, "get", "1", "null", "Read 1:"},
		{Map, "get", "1", "null true", "Read 1: null"},
		{Map, "Delete", "1", "", "Write 1:"},
		{Map, "remove", "1", "7", "Swap 1: nil 7"},
		{Map, "remove", "1", "null", "Swap 1:"},
		{Map, "LoadAndDelete", "1", "7 true", "Swap 1: nil 7"},
		{Map, "LoadAndDelete", "1", "-", "Swap 1: nil ?"},
		{Map, "LoadOrStore", "1 7", "7 false", "GetOrPut 1: 7"},
		{Map, "LoadOrStore", "1 7", "8 true", "GetOrPut 1: 7 8"},
		{Map, "putIfAbsent", "1 7", "null", "GetOrPut 1: 7"},
		{Map, "CompareAndSwap", "1 7 8", "true", "CAS 1: 7 8"},
		{Map, "CompareAndDelete", "1 7", "false", "CASFailed 1: 7"},
		{Map, "fetch_add", "1 2", "3", "FetchAdd 1: 2 3"},

		{Stack, "pop", "", "", "results () of pop, want a value, or a value and whether it was there"},
		{Stack, "pop", "", "1 2 3", "results (1, 2, 3) of pop, want a value, or a value and whether it was there"},
		{Stack, "pop", "3", "1", "pop with one argument, want no arguments"},
		{Set, "add", "7", "", "results () of add, want true or false"},
		{Set, "add", "7", "1", "results (1) of add, want true or false"},
		{Set, "clear", "", "", `method "clear" of a set, want insert, remove, contains`},
		{Map, "load", "", "", "load without a key, want a key as its first argument"},
		{Map, "Delete", "1", "true", "Delete that gave true, want no result, or the value that was there"},
		{Map, "range", "1", "", `method "range" of a map, want store, load, cas, swap, fetch_add, load_or_store, delete, load_and_delete`},
		{PriorityQueue, "insert", `"x"`, "", "a value that is no integer, want an integer, since insert needs its order or its sum"},
		{Register, "fetch_add", `1`, "null", "fetch_add with null for a value, want another value, since null says that there is none"},
		{Register, "fetch_add", `"x"`, "1", "a value that is no integer, want an integer, since fetch_add needs its order or its sum"},
	} {
		name := tc.kind.String() + " " + tc.call + " " + tc.results
		o := Operation{Method: tc.call, Args: valuesOf(tc.args), Results: []Value{}, Return: 1}
		if tc.results == "-" {
			o.Results, o.Return = nil, Pending
		} else if tc.results != "" {
			o.Results = valuesOf(tc.results)
		}
		h := &History{Kind: tc.kind, Threads: []string{"A"}, Operations: []Operation{o}}
		require.NoError(t, h.Check(), name)
		logs, err := h.Logs()
		if err != nil {
			assert.Equal(t, tc.want, err.Error(), name)
			continue
		}
		require.NoError(t, logs[0].Check(), name)
		assert.Equal(t, tc.want, shortRow(logs[0]), name)
	}
	_, err := (&History{}).Logs()
	assert.EqualError(t, err, "a history that does not say the kind of its objects, want one of the known kinds")
}

func valuesOf(text string) []Value {
	var all []Value
	for _, word := range strings.Fields(text) {
		all = append(all, Value(word))
	}
	return all
}

// shortRow writes the first row with Absent left out at the end.
func shortRow(l *Log) string {
	text := l.Method[0].String()
	if l.Key != nil {
		text += " " + string(l.NameOf(l.Key[0])) + ":"
	}
	second := ""
	if l.Second != nil && l.Second[0] != Absent {
		second = " " + string(l.NameOf(l.Second[0]))
	}
	switch {
	case l.Value[0] != Absent:
		text += " " + string(l.NameOf(l.Value[0]))
	case second != "":
		text += " nil"
	}
	return text + second
}

// TestPresence has a map that holds null: a second result somewhere says that
// null is a value, everywhere in the history.
func TestPresence(t *testing.T) {
	ops := []Operation{
		{Method: "Store", Args: valuesOf("1 null"), Results: []Value{}, Call: 0, Return: 1},
		{Method: "Load", Args: valuesOf("1"), Results: valuesOf("null true"), Call: 2, Return: 3},
		{Method: "Load", Args: valuesOf("2"), Results: valuesOf("null false"), Call: 4, Return: 5},
	}
	h := &History{Kind: Map, Threads: []string{"A"}, Operations: ops}
	logs, err := h.Logs()
	require.NoError(t, err)
	assert.Equal(t, []int64{FirstName, FirstName, Absent}, logs[0].Value)
	again, err := logs[0].History().Logs()
	require.NoError(t, err)
	assert.Equal(t, logs[0].Value, again[0].Value)

	h.Operations = ops[:1]
	logs, err = h.Logs()
	require.NoError(t, err)
	assert.Equal(t, []int64{Absent}, logs[0].Value, "without one, null says that there is nothing")
}

// TestObjects has two objects in one history.
func TestObjects(t *testing.T) {
	h := &History{Kind: Queue, Threads: []string{"A", "B"}, Stuck: true, Operations: []Operation{
		{Thread: 0, Object: "q", Method: "enq", Args: []Value{"1"}, Results: []Value{}, Call: 0, Return: 3, Line: 2},
		{Thread: 1, Object: "p", Method: "deq", Call: 1, Return: Pending, Line: 3},
		{Thread: 0, Object: "q", Method: "deq", Results: []Value{"1"}, Call: 4, Return: 5, Line: 7},
	}}
	require.NoError(t, h.Check())
	assert.Equal(t, []string{"q", "p"}, h.Objects())
	assert.Len(t, h.Of("q").Operations, 2)
	assert.False(t, h.Of("q").Stuck)
	assert.True(t, h.Of("p").Stuck)
	logs, err := h.Logs()
	require.NoError(t, err)
	require.Len(t, logs, 2)
	assert.Equal(t, "q", logs[0].Object)
	assert.Equal(t, 7, logs[0].LineOf(1))
	assert.Equal(t, []int32{1}, logs[1].Thread)
	assert.Equal(t, h.Operations[0], logs[0].Operation(0))

	var b strings.Builder
	require.NoError(t, WriteIntervals(&b, logs...))
	assert.Equal(t, "# queue\n# object q\nA 0 3 enq 1\nA 4 5 deq 1\n# queue\n# object p\nB 1 - deq ?\n", b.String())
}
