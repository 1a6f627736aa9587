package callers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/analyzer/internal/callers"
)

// TestOne asks of a program of two packages who calls a function of the first.
func TestOne(t *testing.T) {
	calls := func(from, to string) callers.Edge { return callers.Edge{From: from, To: to} }
	starts := func(from, to string) callers.Edge {
		return callers.Edge{From: from, To: to, How: callers.Started, At: "a.go:1"}
	}
	loop := starts("main", "work")
	loop.Loop = true
	const one = "only the goroutine that is started at a.go:1 calls it"
	for _, c := range []struct {
		name   string
		other  callers.Calls
		says   string
		export bool
	}{
		{name: "nobody is seen to call it"},
		{name: "main", other: callers.Calls{Edges: []callers.Edge{calls("main", "work")}}, says: "only the goroutine of main calls it"},
		{name: "a goroutine", other: callers.Calls{Edges: []callers.Edge{starts("main", "work")}}, says: one},
		{name: "a goroutine, after main", other: callers.Calls{Edges: []callers.Edge{starts("main", "work"), calls("main", "put")}}, says: one},
		{name: "two goroutines", other: callers.Calls{Edges: []callers.Edge{starts("main", "work"), {From: "main", To: "put", How: callers.Started, At: "a.go:2"}}}},
		{name: "one of many", other: callers.Calls{Edges: []callers.Edge{loop}}},
		{name: "started by one of many", other: callers.Calls{Edges: []callers.Edge{loop, starts("work", "put")}}},
		{name: "other programs", other: callers.Calls{Edges: []callers.Edge{starts("main", "work")}}, export: true},
		{name: "code outside", other: callers.Calls{Edges: []callers.Edge{starts("main", "work")}, Open: []string{"work"}}},
		{name: "a value", other: callers.Calls{Edges: []callers.Edge{starts("main", "value func()")}, Values: []callers.Value{{Fn: "work", As: "value func()"}}}, says: one},
		{name: "a method", other: callers.Calls{Edges: []callers.Edge{loop, calls("work", "method Put()")}, Methods: []callers.Value{{Fn: "put", As: "method Put()"}}}},
		{name: "two that start each other", other: callers.Calls{Edges: []callers.Edge{starts("work", "other"), starts("other", "work"), starts("main", "other")}}, says: one},
		{name: "two that start each other, for many", other: callers.Calls{Edges: []callers.Edge{starts("work", "other"), starts("other", "work"), loop}}},
		{name: "only itself", other: callers.Calls{Edges: []callers.Edge{calls("work", "work")}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := &callers.Calls{Edges: []callers.Edge{calls("work", "put")}, Exported: []string{"put"}}
			assert.Equal(t, c.says, callers.Join([]*callers.Calls{own, &c.other}, c.export).One([]string{"put"}))
		})
	}
}
