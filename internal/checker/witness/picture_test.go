package witness

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/checker/history"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// op is an operation as short as it can be said: results "" is nothing.
func op(thread, method, arg, result string, call, ret int64) Operation {
	o := Operation{Thread: thread, Method: method, Call: call, Return: Instant(ret)}
	if arg != "" {
		o.Args = strings.Split(arg, ",")
	}
	if result != "" {
		o.Results = strings.Split(result, ",")
	}
	return o
}

// drawn are the pictures of the golden tests, each with what only it has.
func drawn() map[string]*Picture {
	nested := op("g1", "Open", `"id",user`, "Session#2", 1, 9)
	nested.Line, nested.Note = 57, "overwrites Session#1"
	load := op("g1", "Load", `"id"`, "absent", 2, 2)
	store := op("g1", "Store", `"id",Session#2`, "", 6, 8)
	store.Inner = []Operation{op("g1", "CompareAndSwap", "nil,Session#2", "true", 7, 7)}
	nested.Inner = []Operation{load, store}
	many := &Picture{Title: "forty threads", Kind: "register", Verdict: "unknown", Reason: "the budget of 1 s is used up"}
	for i := range 40 {
		many.Operations = append(many.Operations,
			op(fmt.Sprint("t", i+1), "write", fmt.Sprint(i), "", int64(i), int64(i+50)))
	}
	return map[string]*Picture{
		"queue": {
			Title: "queue.log", Kind: "queue", Verdict: "violation", Reason: "1 was added before 2 and removed after it",
			Threads: []string{"a", "b"},
			Operations: []Operation{
				op("a", "enq", "1", "", 1, 2), op("a", "enq", "2", "", 3, 5),
				op("b", "deq", "", "2", 4, 6), op("b", "deq", "", "1", 8, 9), op("a", "peek", "", "empty", 7, 10),
			},
			Core: []int{0, 1, 2, 3},
		},
		"order": {
			Title: "stack.log", Kind: "stack", Verdict: "linearizable", Threads: []string{"p0", "p1", "p2"},
			Operations: []Operation{
				op("p0", "push", "1", "true", 1, 7), op("p1", "push", "2", "true", 2, 4),
				op("p2", "pop", "", "1", 3, 9), op("p1", "pop", "", "", 5, history.Pending),
				op("p0", "pop", "", "2,true", 8, 10),
			},
			Linearization: []int{1, 0, 2, 4},
		},
		"nested": {
			Title: "(*Registry).Open", Verdict: "confirmed", Threads: []string{"g1", "g2"},
			Operations: []Operation{nested, op("g2", "Open", `"id",user4`, "Session#1", 3, 5)},
			Core:       []int{0, 1}, Notes: []string{"As one atomic step, Open would come either first or second; neither gives these results."},
		},
		"stuck": {
			Title: "stuck", Kind: "unknown", Verdict: "violation", Reason: "Get blocks although the count is 1", Stuck: true,
			Operations: []Operation{
				op("A", "Inc", "", "", 0, 1), op("A", "Get", "", "", 2, history.Pending), op("B", "Inc", "", "", 0, history.Pending),
			},
		},
		"many": many,
		"hostile": {
			Title: "<script>alert(1)</script>\x1b[31m", Verdict: "violation", Reason: "a\nb\u202e\"'&<>",
			Threads: []string{"<b>\x00", "日本語", ""},
			Operations: []Operation{
				op("<b>\x00", "</title><script>", "]]>", "\xff\xfe", -5, -5),
				op("日本語", "書く", `"`+strings.Repeat("長い", 60)+`"`, strings.Repeat("x", 200), -5, 1<<62),
				op("", "m", "", "", -4, history.Pending), op("日本語", "overlaps", "itself", "1", -5, 0),
			},
			Linearization: []int{0, 1}, Core: []int{1},
		},
		"empty": {Title: "nothing", Verdict: "linearizable"},
	}
}

// TestCut keeps the core, or else the beginning, and says how much is gone.
func TestCut(t *testing.T) {
	p := &Picture{Threads: []string{"even", "none", "odd"}}
	for i := range int64(100) {
		p.Operations = append(p.Operations, op([]string{"even", "odd"}[i%2], "m", "", "", 1000-i, 1000-i))
		p.Linearization = append(p.Linearization, int(99-i))
	}
	require.NoError(t, p.Validate())
	first := p.Cut(10)
	require.NoError(t, first.Validate())
	assert.Len(t, first.Operations, 10)
	assert.Equal(t, int64(910), first.Operations[0].Call, "in the order they had")
	assert.Equal(t, []int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, first.Linearization)
	assert.Equal(t, 90, first.Omitted)
	assert.Equal(t, []string{"even", "odd"}, first.Threads)
	p.Core = []int{3, 51}
	core := p.Cut(99)
	require.NoError(t, core.Validate())
	assert.Equal(t, []string{"odd"}, core.Threads)
	assert.Equal(t, []int{0, 1}, core.Core)
	assert.Equal(t, 98, core.Omitted)
	assert.Same(t, p, p.Cut(100))
	assert.Equal(t, 98+2-1, p.Cut(1).Omitted)
}

// anyPicture is any picture that is valid: operations of a few threads in a
// short time, so that many instants are shared, with inner ones, pending ones
// and an order.
func anyPicture(rt *rapid.T) *Picture {
	p := &Picture{Stuck: rapid.Bool().Draw(rt, "stuck")}
	points := map[int]int64{}
	for i := range rapid.IntRange(0, 8).Draw(rt, "operations") {
		o := anyOperation(rt, rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "thread"), 0, history.Pending, 3)
		if rapid.Bool().Draw(rt, "ordered") {
			points[i] = rapid.Int64Range(o.Call, min(int64(o.Return), 12)).Draw(rt, "point")
			p.Linearization = append(p.Linearization, i)
		}
		if rapid.Bool().Draw(rt, "core") {
			p.Core = append(p.Core, i)
		}
		p.Operations = append(p.Operations, o)
	}
	slices.SortStableFunc(p.Linearization, func(x, y int) int { return cmp.Compare(points[x], points[y]) })
	return p
}

func anyOperation(rt *rapid.T, thread string, from, to int64, depth int) Operation {
	text := rapid.StringN(0, 12, -1)
	o := Operation{Thread: thread, Method: "m" + text.Draw(rt, "method"), Note: text.Draw(rt, "note")}
	last := min(to, 12)
	o.Call = rapid.Int64Range(from, last).Draw(rt, "call")
	o.Return = Instant(rapid.Int64Range(o.Call, last).Draw(rt, "return"))
	if to == history.Pending && rapid.IntRange(0, 4).Draw(rt, "pending") == 0 {
		o.Return = Instant(to)
	} else {
		o.Results = rapid.SliceOfN(text, 0, 2).Draw(rt, "results")
	}
	for depth > 1 && rapid.Bool().Draw(rt, "inner") && len(o.Inner) < 3 {
		o.Inner = append(o.Inner, anyOperation(rt, thread, o.Call, int64(o.Return), depth-1))
	}
	return o
}

// TestAnyPicture draws any picture in all ways.
func TestAnyPicture(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := anyPicture(rt)
		require.NoError(rt, p.Validate())
		checkTimes(rt, p)
		columns := rapid.SampledFrom([]int{40, 80, 300}).Draw(rt, "columns")
		text := p.Text(TextOptions{Width: columns})
		for line := range strings.Lines(text) {
			require.LessOrEqual(rt, width(strings.TrimSuffix(line, "\n")), columns, text)
		}
		parse(rt, "<main>"+p.Section("x", 2)+"</main>")
		limit := rapid.IntRange(1, 8).Draw(rt, "limit")
		require.NoError(rt, p.Cut(limit).Validate())
	})
}
