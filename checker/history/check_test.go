package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCheckHistory(t *testing.T) {
	good := func() *History {
		return &History{Threads: []string{"A", "B"}, Operations: []Operation{
			{Thread: 0, Method: "enq", Args: []Value{"1"}, Results: []Value{}, Call: 0, Return: 3},
			{Thread: 1, Method: "deq", Results: []Value{"1"}, Call: 1, Return: 2},
			{Thread: 1, Method: "deq", Call: 4, Return: Pending},
		}}
	}
	require.NoError(t, good().Check())
	require.NoError(t, (&History{}).Check())
	lone := &History{Threads: []string{"A"}, Operations: []Operation{{Method: "deq", Return: Pending}}}
	require.NoError(t, lone.Check(), "a lone pending call")
	lone.Stuck = true
	require.NoError(t, lone.Check(), "a lone stuck call")
	touching := good()
	touching.Operations[1].Return = 4
	require.NoError(t, touching.Check(), "a thread may return and call at one instant")

	for want, spoil := range map[string]func(*History){
		"operation 1: thread 2 of 2":                                                      func(h *History) { h.Operations[0].Thread = 2 },
		"operation 1: thread -1 of 2":                                                     func(h *History) { h.Operations[0].Thread = -1 },
		"operation 2: no method":                                                          func(h *History) { h.Operations[1].Method = "" },
		"operation 1: enq is called at -1":                                                func(h *History) { h.Operations[0].Call = -1 },
		"operation 1: enq returns at 3, before its call at 5":                             func(h *History) { h.Operations[0].Call = 5 },
		"operation 3: deq has results and did not return":                                 func(h *History) { h.Operations[2].Results = []Value{"1"} },
		`operation 1: enq has the value "1 ", which is not canonical JSON`:                func(h *History) { h.Operations[0].Args = []Value{"1 "} },
		`operation 1: enq has the value "", which is not canonical JSON`:                  func(h *History) { h.Operations[0].Args = []Value{""} },
		`thread "B" has two open operations: deq from 1 to 5 and deq from 4 on`:           func(h *History) { h.Operations[1].Return = 5 },
		`thread "A" has two open operations: enq from 0 to 3 and deq from 1 to 2`:         func(h *History) { h.Operations[1].Thread = 0 },
		"a stuck history in which every operation returned":                               func(h *History) { h.Stuck, h.Operations = true, h.Operations[:2] },
		`operation 2: deq has the value "{\"b\":1,\"a\":2}", which is not canonical JSON`: func(h *History) { h.Operations[1].Results = []Value{`{"b":1,"a":2}`} },
	} {
		h := good()
		spoil(h)
		assert.EqualError(t, h.Check(), want)
		assert.Error(t, WriteEvents(&strings.Builder{}, h), "it is not written either")
	}
}

func TestCheckLog(t *testing.T) {
	good := func() *Log {
		return &Log{Kind: Register, Method: []Method{Write, CAS, Read}, Value: []int64{1, 1, Unknowable},
			Second: []int64{Absent, FirstName, Absent}, Call: []int64{0, 1, 4}, Return: []int64{3, 2, Pending},
			Thread: []int32{0, 1, 1}, Threads: []string{"A", "B"}, Names: []Value{`"x"`}, FirstLine: 2}
	}
	require.NoError(t, good().Check())
	require.NoError(t, (&Log{Kind: Set}).Check())
	for want, spoil := range map[string]func(*Log){
		"log of an unknown kind of object":                                                                     func(l *Log) { l.Kind = Unknown },
		"columns of 3 methods, 2 values, 3 calls and 3 returns":                                                func(l *Log) { l.Value = l.Value[:2] },
		"1 keys for 3 operations of a register":                                                                func(l *Log) { l.Key = []int64{1} },
		"0 keys for 3 operations of a map":                                                                     func(l *Log) { l.Kind = Map },
		"columns of 3 operations, 2 second values, 3 threads and 0 lines":                                      func(l *Log) { l.Second = l.Second[:2] },
		"operation 1: Write is no method of a set":                                                             func(l *Log) { l.Kind = Set },
		"operation 1: Method(?) is no method of a register":                                                    func(l *Log) { l.Method[0] = 99 },
		"operation 1: called at -7":                                                                            func(l *Log) { l.Call[0] = -7 },
		"operation 1: returns at 3, before its call at 4":                                                      func(l *Log) { l.Call[0] = 4 },
		"operation 2: CAS without a second value":                                                              func(l *Log) { l.Second = nil },
		"operation 2: name 0 of 0":                                                                             func(l *Log) { l.Names = nil },
		"operation 3: CASFailed did not return, and yet is known to have ended that way":                       func(l *Log) { l.Method[2] = CASFailed },
		"operation 3: thread 5 of 2":                                                                           func(l *Log) { l.Thread[2] = 5 },
		`thread "B" has two operations at once, from 1 to 5 on line 3 and from 4 on, want one after the other`: func(l *Log) { l.Return[1] = 5 },
	} {
		l := good()
		spoil(l)
		assert.EqualError(t, l.Check(), want)
		assert.Error(t, WriteIntervals(&strings.Builder{}, l), "it is not written either")
	}
}

func TestFacts(t *testing.T) {
	l := &Log{Kind: Queue, Method: []Method{Insert, Remove, Remove}, Value: []int64{1, 1, Unknowable},
		Call: []int64{0, 1, 1}, Return: []int64{3, 2, Pending}, FirstLine: 2}
	assert.True(t, l.InCallOrder())
	assert.Equal(t, 1, l.PendingRows())
	assert.Equal(t, 4, l.LineOf(2))
	l.Call[0] = 2
	assert.False(t, l.InCallOrder())
	assert.Equal(t, Value("1"), l.NameOf(1))
	assert.Equal(t, Value("null"), l.NameOf(Absent))
	assert.Equal(t, Value("?"), l.NameOf(Unknowable))
	for k := Stack; k <= Map; k++ {
		parsed, err := ParseKind(k.String())
		require.NoError(t, err)
		assert.Equal(t, k, parsed)
		for _, m := range k.Methods() {
			assert.NotEqual(t, m.String(), canonicalOf(k, m).word, "%s of a %s has a word", m, k)
		}
	}
	for f := Detect; f <= EDN; f++ {
		parsed, err := ParseFormat(f.String())
		require.NoError(t, err)
		assert.Equal(t, f, parsed)
	}
	_, err := ParseFormat("xml")
	assert.EqualError(t, err, `unknown format "xml": want detect, intervals, events, observations, edn or recording`)
}

// TestOverlapAgrees holds the two ways to look for a thread with two open
// operations against a comparison of all pairs.
func TestOverlapAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &Log{Kind: Set, Threads: []string{"A", "B"}}
		for range rapid.IntRange(0, 6).Draw(t, "n") {
			call := rapid.Int64Range(0, 9).Draw(t, "call")
			l.Method = append(l.Method, Add)
			l.Value = append(l.Value, 1)
			l.Call = append(l.Call, call)
			l.Return = append(l.Return, call+rapid.Int64Range(0, 4).Draw(t, "length"))
			l.Thread = append(l.Thread, int32(rapid.IntRange(0, 1).Draw(t, "thread")))
		}
		want := false
		for a := range l.Method {
			for b := range l.Method {
				if a != b && l.Thread[a] == l.Thread[b] {
					want = want || l.Call[a] <= l.Call[b] && l.Call[b] < l.Return[a] && l.Call[a] < l.Return[b]
				}
			}
		}
		_, err := l.twoOpen()
		require.Equal(t, want, err != nil, "%v %v %v", l.Thread, l.Call, l.Return)
	})
}

// TestLanes gives operations of no thread lanes: they never overlap, and
// there are no more of them than operations at one time.
func TestLanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &Log{Kind: Set}
		for range rapid.IntRange(0, 9).Draw(t, "n") {
			call := rapid.Int64Range(0, 9).Draw(t, "call")
			ret := call + rapid.Int64Range(0, 4).Draw(t, "length")
			if rapid.IntRange(0, 5).Draw(t, "pending") == 0 {
				ret = Pending
			}
			l.Method, l.Value = append(l.Method, Add), append(l.Value, 1)
			l.Call, l.Return = append(l.Call, call), append(l.Return, ret)
		}
		h := l.History()
		require.NoError(t, h.Check())
		most := 0
		for at := range int64(20) {
			open := 0
			for i := range l.Method {
				if l.Call[i] <= at && at <= l.Return[i] {
					open++
				}
			}
			most = max(most, open)
		}
		require.Len(t, h.Threads, most)
	})
}
