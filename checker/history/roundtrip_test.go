package history

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// someValue draws a value of the program under test, of all forms.
var someValue = rapid.OneOf(
	rapid.Map(rapid.IntRange(-3, 9), func(i int) Value { return Value(fmt.Sprint(i)) }),
	rapid.Map(rapid.Int64(), func(i int64) Value { return Value(fmt.Sprint(i)) }),
	rapid.SampledFrom([]Value{
		"-9223372036854775808", "-9223372036854775807", "9223372036854775807", "9223372036854775808",
		"true", "1.5", "1e9", `""`, `"7"`, `"nil"`, `"null"`, `"?"`, `"-"`, `"a b"`, `"#"`, `"\""`, `"true"`, `"\\n"`,
		`"a\u0001b"`, "\"\u00a0\"", "\"\u2028\"", "\"\uFFFE\"", "\"\uFFFD\"", `[1,[],{"a":null}]`, `{"":{}}`,
	}),
	rapid.Map(rapid.String(), String),
)

// someLog draws a log of a kind in which all methods and values occur that
// interval text can say, with or without threads.
func someLog(t *rapid.T, k Kind) *Log {
	l := &Log{Kind: k, Initial: Absent}
	var all names
	number := func(label string) int64 {
		v := rapid.Int64Range(2, 50).Draw(t, label)
		if k != PriorityQueue {
			if w := all.number(someValue.Draw(t, label)); w != -1 {
				v = w
			}
		}
		return v
	}
	if k == Register && rapid.Bool().Draw(t, "has initial") {
		l.Initial = number("initial")
	}
	l.MinFirst = k == PriorityQueue && rapid.Bool().Draw(t, "order")
	threads := rapid.IntRange(0, 3).Draw(t, "threads")
	l.Threads = []string{"0", "push", "a b"}[:threads]
	if threads == 0 {
		l.Threads = nil
	}
	free := make([]int64, threads+1)
	for i := range rapid.IntRange(0, 12).Draw(t, "operations") {
		at := int64(2 * i)
		if threads > 0 {
			thread := i % threads
			if i >= threads {
				thread = rapid.IntRange(0, threads-1).Draw(t, "thread")
			}
			if free[thread] == Pending {
				continue
			}
			at = max(at, free[thread])
			l.Thread = append(l.Thread, int32(thread))
			free[thread] = at + rapid.Int64Range(0, 9).Draw(t, "length")
			if rapid.IntRange(0, 9).Draw(t, "pending") == 0 {
				free[thread] = Pending
			}
			l.Return = append(l.Return, free[thread])
		} else {
			l.Return = append(l.Return, at+rapid.Int64Range(0, 9).Draw(t, "length"))
		}
		l.Call = append(l.Call, at)
		l.someRow(t, number)
	}
	l.Names = all.list
	return l
}

// someRow draws a method and its values for the operation that was begun.
func (l *Log) someRow(t *rapid.T, number func(string) int64) {
	methods := kindMethods[l.Kind]
	m := rapid.SampledFrom(methods).Draw(t, "method")
	pending := l.Return[len(l.Return)-1] == Pending
	for pending && m.ended() {
		m = rapid.SampledFrom(methods).Draw(t, "method")
	}
	r := row{method: m, value: Absent, second: Absent}
	cell := func(label string) int64 { // a value of a cell, which may be absent
		if rapid.IntRange(0, 3).Draw(t, label) == 0 {
			return Absent
		}
		return number(label)
	}
	result := func(label string) int64 {
		if pending {
			return Unknowable
		}
		return cell(label)
	}
	switch m {
	case RemoveEmpty, PeekEmpty:
	case Remove, Peek:
		if r.value = Unknowable; !pending {
			r.value = number("value")
		}
	case Read:
		r.value = result("value")
	case Write:
		r.value = cell("value")
	case CAS, CASFailed:
		r.value, r.second = cell("from"), cell("to")
	case Swap, GetOrPut:
		r.value, r.second = cell("value"), result("second")
	case FetchAdd:
		r.value, r.second = 3, 4
		if pending {
			r.second = Unknowable
		}
	default:
		r.value = number("value")
	}
	l.Method = append(l.Method, r.method)
	l.Value = append(l.Value, r.value)
	if l.Kind == Register || l.Kind == Map {
		l.Second = append(l.Second, r.second)
	}
	if l.Kind == Map {
		l.Key = append(l.Key, number("key"))
	}
}

var someKind = rapid.SampledFrom([]Kind{Stack, Queue, PriorityQueue, Set, Register, Map})

// rowsOf writes a log with its names and threads in full, so that two logs
// compare equal if they say the same.
func rowsOf(l *Log) []string {
	rows := []string{fmt.Sprint(l.Kind, l.Object, l.NameOf(l.Initial), l.MinFirst)}
	for i := range l.Method {
		key, second, thread := Value(""), Value("null"), ""
		if l.Key != nil {
			key = l.NameOf(l.Key[i])
		}
		if l.Second != nil {
			second = l.NameOf(l.Second[i])
			if l.Second[i] == Absent {
				second = "null"
			}
		}
		if l.Thread != nil {
			thread = l.Threads[l.Thread[i]]
		}
		value := l.NameOf(l.Value[i])
		if l.Value[i] == Absent {
			value = "absent"
		}
		rows = append(rows, fmt.Sprintf("%q %s %s %s %s %s", thread, l.Method[i], key, value, second, span(l.Call[i], l.Return[i])))
	}
	return rows
}

// TestIntervalsRoundTrip writes any log and reads it back.
func TestIntervalsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := someLog(t, someKind.Draw(t, "kind"))
		require.NoError(t, l.Check())
		var b bytes.Buffer
		require.NoError(t, WriteIntervals(&b, l))
		in, err := ReadInput("f", &b, Options{})
		require.NoError(t, err)
		require.Len(t, in.Logs, 1)
		require.Equal(t, rowsOf(l), rowsOf(in.Logs[0]))
		require.NoError(t, in.Logs[0].Check())
	})
}

// TestLogHistoryLog makes operations of the rows of a log and rows of those,
// and on the way through the formats that have operations.
func TestLogHistoryLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := someLog(t, someKind.Draw(t, "kind"))
		h := l.History()
		require.NoError(t, h.Check())
		for i := range h.Operations {
			op := l.Operation(i)
			op.Thread = h.Operations[i].Thread
			require.Equal(t, op, h.Operations[i])
		}
		logs, err := h.Logs()
		require.NoError(t, err)
		got := rowsOf(logs[0])
		if l.Thread == nil {
			logs[0].Thread = nil
			got = rowsOf(logs[0])
		}
		require.Equal(t, rowsOf(l), got)
	})
}

// TestEventsRoundTrip writes histories of any kind in the two formats that
// have calls and returns, and reads them back.
func TestEventsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := someLog(t, someKind.Draw(t, "kind"))
		l.Thread = nil // lanes never share an instant
		h := l.History()
		var b bytes.Buffer
		require.NoError(t, WriteEvents(&b, h))
		in, err := ReadInput("f", &b, Options{})
		require.NoError(t, err)
		require.Equal(t, sameOrder(h), sameOrder(in.History))

		h.Initial, h.MinFirst = "", false // which Jepsen has no place for
		require.NoError(t, WriteEDN(&b, h))
		again, err := ReadEDN("f", &b, Options{Kind: h.Kind})
		require.NoError(t, err)
		require.Equal(t, sameOrder(h), sameOrder(again))
	})
}

// sameOrder prints a history with its events numbered in order, as if a
// clock had never shown the same time twice.
func sameOrder(h *History) string {
	marks, err := h.marks()
	if err != nil {
		return err.Error()
	}
	c := *h
	c.Operations = slices.Clone(h.Operations)
	var order []Operation
	for at, m := range marks {
		if m.isCall {
			c.Operations[m.op].Call = int64(at)
		} else {
			c.Operations[m.op].Return = int64(at)
		}
	}
	for _, m := range marks {
		if m.isCall {
			order = append(order, c.Operations[m.op])
		}
	}
	c.Operations = order
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %v\n", h.Kind, h.Initial, h.MinFirst)
	if err := c.Print(&b); err != nil {
		return err.Error()
	}
	return b.String()
}

// TestWorkers reads a text of several chunks with names, threads and gaps:
// how many goroutines do that makes no difference.
func TestWorkers(t *testing.T) {
	var b strings.Builder
	for object := range 3 {
		fmt.Fprintf(&b, "# map\n# object o%d\n", object)
		for i := range 12000 {
			if i%1000 == 999 {
				b.WriteString("\n  # a comment\n")
			}
			fmt.Fprintf(&b, "t%d %d %d store key%d \"value %d\"\n", i%300, 2*i, 2*i+1, i*7%5000, i)
		}
	}
	text := strings.ReplaceAll(b.String(), `"value `, `"value\u0020`)
	require.Greater(t, len(text), 4*chunkSize)
	one, err := ReadIntervals("f", []byte(text), Options{Workers: 1})
	require.NoError(t, err)
	three, err := ReadIntervals("f", []byte(text), Options{Workers: 3})
	require.NoError(t, err)
	assert.Equal(t, one, three)
	lines := strings.Split(text, "\n")
	for _, l := range three {
		require.Equal(t, 12000, l.Len())
		require.NoError(t, l.Check())
		for i := range l.Len() {
			want := fmt.Sprintf("%s %d %d store %s %s", l.Threads[l.Thread[i]], l.Call[i], l.Return[i],
				bare(l.NameOf(l.Key[i]), isPlainWord), strings.ReplaceAll(string(l.NameOf(l.Value[i])), " ", `\u0020`))
			if got := lines[l.LineOf(i)-1]; got != want {
				t.Fatalf("%q is not %q", got, want)
			}
		}
	}
}

// TestFirstError has two errors in different chunks: the first is reported,
// whoever finds it first.
func TestFirstError(t *testing.T) {
	row := "push 1 1 2\n"
	many := strings.Repeat(row, 3*chunkSize/len(row))
	text := "# stack\n" + many + "first\n" + many + "second\n" + many
	for range 3 {
		_, err := ReadIntervals("f", []byte(text), Options{Workers: 4})
		var bad *Error
		require.ErrorAs(t, err, &bad)
		require.Equal(t, strings.Count(many, "\n")+2, bad.Line)
	}
}
