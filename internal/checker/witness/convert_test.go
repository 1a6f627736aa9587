package witness

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
)

// TestFromLog makes pictures of a log with and without threads.
func TestFromLog(t *testing.T) {
	l := &history.Log{
		Kind:   history.Queue,
		Method: []history.Method{history.Insert, history.Insert, history.Remove, history.RemoveEmpty},
		Value:  []int64{7, 8, history.Unknowable, history.Absent},
		Call:   []int64{10, 3, 4, 11}, Return: []int64{12, 5, history.Pending, 13},
		Thread: []int32{2, 0, 2, 0}, Threads: []string{"a", "b", "c"}, FirstLine: 2,
	}
	p := FromLog(l, Selection{Core: []int32{0, 1}, Linearization: []int32{1, 2, 0, 3}})
	require.NoError(t, p.Validate())
	assert.Equal(t, []string{"a", "c"}, p.Threads)
	assert.Equal(t, []int{0, 1, 2, 3}, p.Linearization)
	assert.Equal(t, []int{0, 2}, p.Core)
	golden(t, "log.txt", p.Text(TextOptions{}))
	p = FromLog(l, Selection{Core: []int32{0, 1}, Limit: 3})
	assert.Equal(t, 2, p.Omitted, "only the core")
	assert.Equal(t, 3, p.Operations[0].Line)
	p = FromLog(l, Selection{Limit: 1})
	assert.Equal(t, "enq(8)", p.Operations[0].call())
	l.Thread = nil
	p = FromLog(l, Selection{})
	assert.Equal(t, []string{"1", "2", "3"}, p.Threads)
	assert.Len(t, p.Notes, 1)
}

// TestFromLogWindow takes the first of many rows whatever their order is.
func TestFromLogWindow(t *testing.T) {
	const n = 1000
	l := &history.Log{Kind: history.Register}
	for i := range int64(n) {
		at := (i*617 + 5) % n
		l.Method = append(l.Method, history.Write)
		l.Value = append(l.Value, at)
		l.Call, l.Return = append(l.Call, at), append(l.Return, at)
	}
	p := FromLog(l, Selection{Limit: 7})
	require.Len(t, p.Operations, 7)
	for i, o := range p.Operations {
		assert.Equal(t, int64(i), o.Call)
	}
	assert.Equal(t, n-7, p.Omitted)
}
