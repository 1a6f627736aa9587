package callers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/analyzer/internal/callers"
	"github.com/mapatom/mapatom/analyzer/internal/passtest"
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
			assert.Equal(t, c.says, callers.Join([]*callers.Calls{own, &c.other}, c.export, false).One([]string{"put"}))
		})
	}
}

// TestMeet asks of a program whether two goroutines come to a function, or to it and another.
func TestMeet(t *testing.T) {
	calls := func(from, to string) callers.Edge { return callers.Edge{From: from, To: to} }
	under := func(lock, from, to string) callers.Edge { return callers.Edge{From: from, To: to, Under: lock} }
	starts := func(at, from, to string) callers.Edge {
		return callers.Edge{From: from, To: to, How: callers.Started, At: at}
	}
	given := func(at, from, to string) callers.Edge {
		return callers.Edge{From: from, To: to, How: callers.Given, At: at}
	}
	loop, own := starts("a.go:1", "main", "put"), starts("a.go:2", "serve", "put")
	loop.Loop, own.Own = true, true
	on := func(o callers.Object, from, to string) callers.Edge { return callers.Edge{From: from, To: to, On: o} }
	made := func(in, by string) callers.Object { return callers.Object{From: callers.Made, In: in, By: by} }
	param := func(in string) callers.Object { return callers.Object{From: callers.Param, In: in} }
	gives := func(o callers.Object, from, to string) callers.Edge {
		return callers.Edge{From: from, To: to, Args: []callers.Object{o}}
	}
	startsOn := func(at, by string) callers.Edge {
		return callers.Edge{From: "serve", To: "put", How: callers.Started, At: at, On: made("serve", by)}
	}
	startsOnVariable := func(at, by, which string) callers.Edge {
		e := startsOn(at, by)
		e.On.Which = which
		return e
	}
	part := func(field string) callers.Object {
		return callers.Object{From: callers.Made, In: "serve", By: "new", Parts: []string{field}}
	}
	fields := []callers.Field{{Name: "own", Via: []string{"new"}}, {Name: "own"}, {Name: "all", Via: []string{"new"}}, {Name: "all", Others: true}}
	asked, asks := calls("serve", "method Put()"), map[string][]string{"both": {"method Put()", "method Get()"}}
	asked.Through = "both"
	each := loop
	each.On = callers.Object{From: callers.Listed, In: "main", Each: true}
	loopTo := func(to string) callers.Edge {
		return callers.Edge{From: "main", To: to, How: callers.Started, At: "a.go:1", Loop: true}
	}
	serve := callers.Calls{Open: []string{"serve"}, Handlers: []string{"serve"}}
	for _, c := range []struct {
		name     string
		edges    []callers.Edge
		more     callers.Calls
		fns, api []string
		exported bool
		partly   bool
		own      bool
		meet     callers.Way
	}{
		{name: "nobody"},
		{name: "main sets it up", edges: []callers.Edge{calls("main", "put")}},
		{name: "one goroutine", edges: []callers.Edge{starts("a.go:1", "main", "put"), calls("main", "put")}},
		{name: "two goroutines", edges: []callers.Edge{starts("a.go:1", "main", "put"), given("a.go:2", "main", "put")}, meet: callers.Two},
		{name: "goroutines started in a loop", edges: []callers.Edge{loop}, meet: callers.Loop},
		{name: "a server's requests", edges: []callers.Edge{calls("serve", "put")}, more: serve, meet: callers.Requests},
		{name: "a goroutine for each request", edges: []callers.Edge{starts("a.go:1", "serve", "put")}, more: serve, meet: callers.Requests},
		{name: "a goroutine for each object", edges: []callers.Edge{own}, more: serve},
		{name: "a server's requests, by two calls", edges: []callers.Edge{calls("serve", "hand"), calls("hand", "put")}, more: serve, meet: callers.Requests},
		{name: "a server's requests, by three calls", edges: []callers.Edge{calls("serve", "hand"), calls("hand", "pass"), calls("pass", "put")}, more: serve, meet: callers.Far},
		{name: "by three calls, and by two", edges: []callers.Edge{calls("serve", "hand"), calls("hand", "pass"), calls("pass", "put"), calls("serve", "pass")}, more: serve, meet: callers.Requests},
		{name: "goroutines started in a loop, by two calls", edges: []callers.Edge{loopTo("hand"), calls("hand", "pass"), calls("pass", "put")}, meet: callers.Loop},
		{name: "goroutines started in a loop, by three calls", edges: []callers.Edge{loopTo("hand"), calls("hand", "pass"), calls("pass", "take"), calls("take", "put")}, meet: callers.Far},
		{name: "under a lock of the callers", edges: []callers.Edge{under("mu", "serve", "put"), under("mu", "main", "put")}, more: serve},
		{name: "under two locks", edges: []callers.Edge{under("mu", "serve", "put"), under("other", "main", "put")}, more: serve},
		{name: "under a lock, and without", edges: []callers.Edge{under("mu", "main", "put"), calls("serve", "put")}, more: serve, meet: callers.Requests},
		{name: "a caller that nobody calls", edges: []callers.Edge{calls("old", "put"), starts("a.go:1", "main", "put")}},
		{name: "other programs", api: []string{"put"}, exported: true, meet: callers.Others},
		{name: "other programs, and this one always under a lock", edges: []callers.Edge{calls("main", "get"), under("mu", "get", "put")}, api: []string{"get", "put"}, exported: true},
		{name: "other programs, and this one also without a lock", edges: []callers.Edge{under("mu", "main", "put"), calls("main", "put")}, api: []string{"put"}, exported: true, meet: callers.Others},
		{name: "other programs, and this one under the lock of something else", edges: []callers.Edge{{From: "main", To: "put", Under: "mu", On: made("main", "get")}}, api: []string{"put"}, exported: true, meet: callers.Others},
		{name: "other programs, and this one under a lock that is there once", edges: []callers.Edge{{From: "main", To: "put", Under: "mu", Whole: true, On: made("main", "get")}}, api: []string{"put"}, exported: true},
		{name: "requests, under the lock of something else", edges: []callers.Edge{{From: "serve", To: "put", Under: "mu", On: made("serve", "get")}}, more: serve, meet: callers.Requests},
		{name: "other programs, as most of it is not used here", edges: []callers.Edge{calls("main", "get")}, api: []string{"get", "drop", "put"}, meet: callers.Others},
		{name: "most of it is not used here, but packages are missing", edges: []callers.Edge{calls("main", "get")}, api: []string{"get", "drop", "put"}, partly: true},
		{
			name: "a method that only an interface of the package asks for", edges: []callers.Edge{asked}, api: []string{"put"}, exported: true,
			more: callers.Calls{
				Methods: []callers.Value{{Fn: "put", As: "method Put()"}}, Interfaces: asks, Within: []string{"both"},
				Types: []callers.Type{{Methods: []callers.Value{{Fn: "put", As: "method Put()"}, {Fn: "get", As: "method Get()"}}}},
			},
		},
		{
			name: "a method that an interface asks for which others can name", edges: []callers.Edge{asked}, api: []string{"put"}, exported: true, meet: callers.Others,
			more: callers.Calls{
				Methods: []callers.Value{{Fn: "put", As: "method Put()"}}, Interfaces: asks,
				Types: []callers.Type{{Methods: []callers.Value{{Fn: "put", As: "method Put()"}, {Fn: "get", As: "method Get()"}}}},
			},
		},
		{
			name: "a method of a type that has not all that the interface asks for", edges: []callers.Edge{asked}, api: []string{"put"}, exported: true, meet: callers.Others,
			more: callers.Calls{
				Methods: []callers.Value{{Fn: "put", As: "method Put()"}}, Interfaces: asks, Within: []string{"both"},
				Types: []callers.Type{{Methods: []callers.Value{{Fn: "put", As: "method Put()"}}}},
			},
		},
		{name: "a function that is left over", edges: []callers.Edge{calls("main", "get"), calls("main", "drop")}, api: []string{"get", "drop", "put"}},
		{
			name: "a value like many others", edges: []callers.Edge{calls("serve", "value func()")},
			more: callers.Calls{Open: serve.Open, Handlers: serve.Handlers, Values: []callers.Value{
				{Fn: "put", As: "value func()"}, {Fn: "get", As: "value func()"}, {Fn: "drop", As: "value func()"},
			}},
		},
		{
			name: "a method of an interface that many types have", edges: []callers.Edge{calls("serve", "method Put()")},
			more: callers.Calls{Open: serve.Open, Handlers: serve.Handlers, Methods: []callers.Value{
				{Fn: "put", As: "method Put()"}, {Fn: "other.put", As: "method Put()"}, {Fn: "third.put", As: "method Put()"},
			}},
		},
		{
			name: "a method of an interface", edges: []callers.Edge{calls("serve", "method Put()")},
			more: callers.Calls{Open: serve.Open, Handlers: serve.Handlers, Methods: []callers.Value{{Fn: "put", As: "method Put()"}}}, meet: callers.Requests,
		},
		{name: "on one that was made for each request", edges: []callers.Edge{on(made("serve", "new"), "serve", "put")}, more: serve, own: true},
		{name: "on one that is not new", edges: []callers.Edge{on(made("serve", "get"), "serve", "put")}, more: serve, own: true, meet: callers.Requests},
		{name: "on anything that it was made for", edges: []callers.Edge{on(made("serve", "new"), "serve", "put")}, more: serve, meet: callers.Requests},
		{name: "on one for each request, by two", edges: []callers.Edge{starts("a.go:1", "serve", "func"), on(made("serve", "new"), "func", "put"), on(made("serve", "new"), "serve", "put")}, more: serve, own: true, meet: callers.Two},
		{name: "on the object of a method that is on one", edges: []callers.Edge{on(callers.Object{From: callers.Same}, "fill", "put"), on(made("serve", "new"), "serve", "fill")}, more: serve, own: true},
		{name: "on one that a function has made, side by side", edges: []callers.Edge{calls("main", "serve"), startsOn("a.go:1", "new"), startsOn("a.go:2", "new")}, own: true, meet: callers.Beside},
		{name: "on two that a function has made, side by side", edges: []callers.Edge{calls("main", "serve"), startsOnVariable("a.go:1", "new", "a.go:5"), startsOnVariable("a.go:2", "new", "a.go:6")}, own: true, meet: callers.Two},
		{name: "on one that a function has got somewhere, side by side", edges: []callers.Edge{calls("main", "serve"), startsOn("a.go:1", "get"), startsOn("a.go:2", "get")}, own: true, meet: callers.Two},
		{name: "on what a function is given, another one for each", edges: []callers.Edge{on(param("hand"), "hand", "put"), gives(made("serve", "new"), "serve", "hand")}, more: serve, own: true},
		{name: "on what a function is given, the same for all", edges: []callers.Edge{on(param("hand"), "hand", "put"), gives(made("serve", "get"), "serve", "hand")}, more: serve, own: true, meet: callers.Requests},
		{name: "on what a literal finds that is given to the function around it", edges: []callers.Edge{on(param("hand"), "func", "put"), on(callers.Object{From: callers.Same}, "hand", "func"), gives(made("serve", "new"), "serve", "hand")}, more: serve, own: true},
		{name: "on a part that is made for each", edges: []callers.Edge{on(part("own"), "serve", "put")}, more: serve, own: true},
		{name: "on a part that all have", edges: []callers.Edge{on(part("all"), "serve", "put")}, more: serve, own: true, meet: callers.Requests},
		{name: "on a part of which nothing is known", edges: []callers.Edge{on(part("other"), "serve", "put")}, more: serve, own: true, meet: callers.Requests},
		{name: "on each of a list", edges: []callers.Edge{each}, own: true},
		{name: "on each of a list, for each request", edges: []callers.Edge{each, calls("serve", "main")}, more: serve, own: true, meet: callers.Requests},
		{
			name: "a method of another interface", edges: []callers.Edge{asked}, own: true,
			more: callers.Calls{
				Open: serve.Open, Handlers: serve.Handlers, Methods: []callers.Value{{Fn: "put", As: "method Put()"}},
				Types: []callers.Type{{Methods: []callers.Value{{Fn: "put", As: "method Put()"}}}}, Interfaces: asks,
			},
		},
		{
			name: "a method of an interface that the type has all methods of", edges: []callers.Edge{asked}, meet: callers.Requests,
			more: callers.Calls{
				Open: serve.Open, Handlers: serve.Handlers, Methods: []callers.Value{{Fn: "put", As: "method Put()"}},
				Types: []callers.Type{{Methods: []callers.Value{{Fn: "put", As: "method Put()"}, {Fn: "get", As: "method Get()"}}}}, Interfaces: asks,
			},
		},
		{name: "with another function", edges: []callers.Edge{starts("a.go:1", "main", "put"), starts("a.go:2", "main", "drop")}, fns: []string{"drop"}, meet: callers.Two},
		{name: "in one goroutine", edges: []callers.Edge{starts("a.go:1", "main", "put"), starts("a.go:1", "main", "drop")}, fns: []string{"drop"}},
		{name: "with another that nobody calls", edges: []callers.Edge{starts("a.go:1", "main", "put"), calls("old", "drop")}, fns: []string{"drop"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := &callers.Calls{Edges: c.edges, Exported: c.api, Fields: fields, Makes: []callers.Maker{{Fn: "new", Via: []string{"init"}}, {Fn: "init"}}}
			g := callers.Join([]*callers.Calls{own, &c.more}, c.exported, c.partly)
			points := []callers.Point{{Fn: "put", Own: c.own, Param: callers.Receiver}}
			for _, fn := range c.fns {
				points = append(points, callers.Point{Fn: fn, Own: c.own, Param: callers.Receiver})
			}
			assert.Equal(t, c.meet, g.Meet(points).Way)
		})
	}
}

// TestShare asks whether two goroutines come to a function with one object that they give it.
func TestShare(t *testing.T) {
	made := func(by string) callers.Object { return callers.Object{From: callers.Made, In: "serve", By: by} }
	gives := func(how callers.How, o callers.Object) callers.Edge {
		return callers.Edge{From: "serve", To: "put", How: how, At: "a.go:1", Args: []callers.Object{o}}
	}
	handed := callers.Object{From: callers.Param, In: "hand"}
	hand := []callers.Edge{{From: "serve", To: "hand", Args: []callers.Object{made("new")}}, {From: "hand", To: "put", Args: []callers.Object{handed}}}
	for _, c := range []struct {
		name     string
		edges    []callers.Edge
		handlers []string
		is       bool
	}{
		{name: "nobody calls it", is: true},
		{name: "one for each request", edges: []callers.Edge{gives(callers.Called, made("new"))}},
		{name: "what is there for all", edges: []callers.Edge{gives(callers.Called, made("get"))}, is: true},
		{name: "what is not followed", edges: []callers.Edge{gives(callers.Called, callers.Object{})}, is: true},
		{name: "one for each request, and a goroutine is started with it", edges: []callers.Edge{gives(callers.Started, made("new")), gives(callers.Called, made("new"))}, is: true},
		{name: "one for each request, and only a goroutine has it", edges: []callers.Edge{gives(callers.Started, made("new"))}},
		{name: "one that is handed on", edges: hand},
		{name: "one that is handed on, by what looks like a handler", edges: hand, handlers: []string{"hand"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := &callers.Calls{Edges: c.edges, Exported: []string{"put"}, Open: []string{"serve"}, Handlers: append(c.handlers, "serve"), Makes: []callers.Maker{{Fn: "new"}}}
			assert.Equal(t, c.is, callers.Join([]*callers.Calls{all}, true, false).Share([]callers.Point{{Fn: "put", Own: true}}))
		})
	}
}

// TestFindReturned: a function literal is called by those who are given it by the one that returns it,
// whatever else is of its form.
func TestFindReturned(t *testing.T) {
	pass := passtest.New(t).Pass("example.com/locks", `package locks

type L struct{ n int }

func (l *L) Lock() func() { l.n++; return func() { l.n-- } }

var others = []func(){func() {}, func() {}, func() {}}
`)
	calls := callers.Find(pass)
	var to []string
	for _, e := range calls.Edges {
		if e.From == "(*example.com/locks.L).Lock" {
			to = append(to, e.To)
		}
	}
	require.Len(t, to, 1)
	m := callers.Join([]*callers.Calls{calls}, true, false).Meet([]callers.Point{{Fn: to[0]}})
	assert.Equal(t, "other programs can call (*locks.L).Lock, which comes here", m.String())
}

// TestFindMadeAlike: two objects that one function makes alike are two, and one that it starts two goroutines on is one.
func TestFindMadeAlike(t *testing.T) {
	meet := func(body string) callers.Way {
		pass := passtest.New(t).Pass("example.com/runs", `package main

type R struct{ n int }

func (r *R) Run() { r.n++ }

func main() {
`+body+`
}
`)
		point := callers.Point{Fn: "(*example.com/runs.R).Run", Own: true, Param: callers.Receiver}
		return callers.Join([]*callers.Calls{callers.Find(pass)}, false, false).Meet([]callers.Point{point}).Way
	}
	assert.Equal(t, callers.Beside, meet("	a := &R{}\n	go a.Run()\n	go func() { a.Run() }()"))
	assert.Equal(t, callers.Two, meet("	a := &R{}\n	b := &R{}\n	go a.Run()\n	go func() { b.Run() }()"))
}
