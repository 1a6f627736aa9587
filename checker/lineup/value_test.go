package lineup

import (
	"errors"
	"iter"
	"maps"
	"math"
	"slices"
	original "sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/sched/sync"
	"github.com/mapatom/mapatom/internal/checker/values"
)

type point struct {
	Y int
	x string
}

type hidden struct{ n int }

// locked has locks that others may hold when it is a result.
type locked struct {
	sync.Mutex
	Once original.Once
	N    int
}

// printed is the text of results, with pointers named.
func printed(results ...any) string {
	p := newPrinter(values.Numbers{})
	text, refs := p.Reply(results)
	return values.Names{}.Text(values.Reply{Text: string(text), Refs: refs})
}

func TestValues(t *testing.T) {
	n := 7
	h := &hidden{1}
	var none *hidden
	var noError error
	loop := []any{nil}
	loop[0] = loop
	pairs := maps.All(map[string]int{"b": 2, "a": 1})
	for _, c := range []struct {
		want    string
		results []any
	}{
		{`[]`, nil},
		{`[7,true,"a\"b",null]`, []any{7, true, `a"b`, nil}},
		{`[-3,250,1.5,0,"NaN"]`, []any{int8(-3), uint8(250), 1.5, math.Copysign(0, -1), math.NaN()}},
		{`["not found",null]`, []any{errors.New("not found"), noError}},
		{`[[1,2],[],[3]]`, []any{[]int{1, 2}, []int(nil), [1]int{3}}},
		{`[{"Y":1,"x":"a"}]`, []any{point{1, "a"}}},
		{`[["&1",{"Y":1}]]`, []any{&point{1, "a"}}},
		{`["&1","&1",null]`, []any{h, h, none}},
		{`["&1","&2"]`, []any{h, &hidden{1}}},
		{`[["&1",7],["&1",7]]`, []any{&n, &n}},
		{`[[["a",1],["b",2]]]`, []any{map[string]int{"b": 2, "a": 1}}},
		{`[[["a",1],["b",2]]]`, []any{pairs}},
		{`[[3,1]]`, []any{slices.Values([]int{3, 1})}},
		{`[[1,3]]`, []any{Unordered{3, 1}}},
		{`[[["a",1],["b",2]]]`, []any{Unordered{[]any{"b", 2}, []any{"a", 1}}}},
		{`[["&1",{"N":1}],["&2",{"N":2}]]`, []any{&locked{N: 1}, &locked{N: 2}}},
		{`["func",null]`, []any{func() {}, (func())(nil)}},
		{`[[[["..."]]]]`, []any{loop}},
	} {
		require.Equal(t, c.want, printed(c.results...))
	}
}

func TestEndlessIteratorIsCut(t *testing.T) {
	endless := iter.Seq[int](func(yield func(int) bool) {
		for yield(0) {
		}
	})
	require.Len(t, splitReply(printed(endless)), 1)
}

// TestValuesAreCanonical checks that what is printed is what histories take.
func TestValuesAreCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(
			rapid.Map(rapid.String(), toAny[string]), rapid.Map(rapid.Int(), toAny[int]), rapid.Map(rapid.Uint64(), toAny[uint64]),
			rapid.Map(rapid.Float64(), toAny[float64]), rapid.Map(rapid.SliceOfN(rapid.String(), 0, 3), toAny[[]string]),
			rapid.Map(rapid.MapOfN(rapid.String(), rapid.Bool(), 0, 3), toAny[map[string]bool]),
			rapid.Map(rapid.String(), func(s string) any { return point{1, s} }),
		)
		results := rapid.SliceOfN(x, 1, 4).Draw(t, "results")
		h := &history.History{Threads: []string{"A"}, Operations: []history.Operation{{Method: "M", Results: splitReply(printed(results...)), Return: 1}}}
		require.Len(t, h.Operations[0].Results, len(results))
		require.NoError(t, h.Check())
	})
}

func toAny[T any](x T) any { return x }
