package callers

import (
	"maps"
	"slices"
)

// Graph is the calls of all packages of a program.
type Graph struct {
	in   map[string][]Edge
	as   map[string][]Value
	open map[string]bool
	// alike are how many functions a call that names none may be of.
	alike map[string]int
	// many are functions that are called for many at once, and why: those of servers, and
	// what other programs can call.
	many map[string]Way
	// single has the answers of once.
	single map[string]bool
	// lives are the functions that anybody calls at all.
	lives map[string]bool
	// methods are the functions that are called on an object.
	methods map[string]bool
	// makes are those that give a new object each time, if others do, which are the value.
	makes map[string][]string
	// fields are what fields are given.
	fields map[string][]Field
	// types are what may be in an interface, by their methods, and asks is what interfaces
	// ask for.
	types map[string][]map[string]bool
	asks  map[string][]string
	// within are the interfaces that only one package can name.
	within []string
}

// Join joins what the packages have left. Exported says that what they export is for other
// programs as well; else that is so of a package of which the program leaves most unused, unless
// packages are missing, which may use it.
func Join(all []*Calls, exported, partly bool) *Graph {
	g := &Graph{in: map[string][]Edge{}, as: map[string][]Value{}, alike: map[string]int{}, open: map[string]bool{}, many: map[string]Way{}, single: map[string]bool{}, lives: map[string]bool{}, methods: map[string]bool{}, makes: map[string][]string{}, fields: map[string][]Field{}, types: map[string][]map[string]bool{}, asks: map[string][]string{}}
	for _, c := range all {
		for _, e := range c.Edges {
			g.in[e.To] = append(g.in[e.To], e)
		}
		for _, v := range slices.Concat(c.Values, c.Methods) {
			if !slices.Contains(g.as[v.Fn], v) {
				g.as[v.Fn] = append(g.as[v.Fn], v)
				g.alike[v.As]++
			}
		}
		for _, m := range c.Methods {
			g.methods[m.Fn] = true
		}
		maps.Copy(g.asks, c.Interfaces)
		g.within = append(g.within, c.Within...)
		for _, t := range c.Types {
			g.implemented(t)
		}
		for _, m := range c.Makes {
			g.makes[m.Fn] = m.Via
		}
		for _, f := range c.Fields {
			g.fields[f.Name] = append(g.fields[f.Name], f)
		}
		for _, fn := range c.Open {
			g.open[fn] = true
		}
		for _, fn := range c.Handlers {
			g.many[fn] = Requests
		}
	}
	g.live()
	for _, fn := range g.forOthers(all, exported, partly) {
		g.open[fn] = true
		if g.many[fn] == Unseen {
			g.many[fn] = Others
		}
	}
	g.live()
	return g
}

// implemented notes a type for all of its methods.
func (g *Graph) implemented(t Type) {
	has := map[string]bool{}
	for _, m := range t.Methods {
		has[m.As] = true
		g.types[m.Fn] = append(g.types[m.Fn], has)
	}
}

// mayBe reports whether a call without a name may be of a function: one through an interface
// is of a type that has all that the interface asks for.
func (g *Graph) mayBe(e *Edge, fn string) bool {
	all := g.types[fn]
	return e.Through == "" || len(all) == 0 || slices.ContainsFunc(all, func(has map[string]bool) bool {
		return !slices.ContainsFunc(g.asks[e.Through], func(m string) bool { return !has[m] })
	})
}

// through are the calls of a function that look like one.
func (g *Graph) through(fn, as string) []Edge {
	return slices.DeleteFunc(slices.Clone(g.in[as]), func(e Edge) bool { return !g.mayBe(&e, fn) })
}

// forOthers are the functions that other programs call. A method that an interface asks for which
// nobody else can name is there for those who call it through that.
func (g *Graph) forOthers(all []*Calls, exported, partly bool) []string {
	var out []string
	for _, c := range all {
		unused := 0
		for _, fn := range c.Exported {
			if !g.lives[fn] {
				unused++
			}
		}
		if exported || 2*unused > len(c.Exported) && !partly {
			out = append(out, c.Exported...)
		}
	}
	return slices.DeleteFunc(out, g.askedForWithin)
}

// askedForWithin reports whether a function is a method that an interface asks for which only
// its own package can name, and calls it through.
func (g *Graph) askedForWithin(fn string) bool {
	return slices.ContainsFunc(g.within, func(iface string) bool {
		asks := g.asks[iface]
		return slices.ContainsFunc(g.as[fn], func(v Value) bool { return slices.Contains(asks, v.As) }) &&
			slices.ContainsFunc(g.types[fn], func(has map[string]bool) bool {
				return !slices.ContainsFunc(asks, func(m string) bool { return !has[m] })
			})
	})
}

// One is the goroutine that makes all calls of some functions, in a few words; empty if
// there may be several. The one that runs main may come to them as well: it sets up what
// others then run.
func (g *Graph) One(fns []string) string {
	w := walk{Graph: g, found: map[string]bool{}, seen: map[string]bool{}}
	for _, fn := range fns {
		w.from(fn)
	}
	main := w.found[root]
	delete(w.found, root)
	switch {
	case w.several || len(fns) == 0 || len(w.found) > 1:
		return ""
	case len(w.found) == 1:
		for at := range w.found {
			return "only the goroutine that is started at " + at + " calls it"
		}
	case main:
		return "only the goroutine of main calls it"
	}
	return ""
}

// walk goes up from functions to where their goroutines begin.
type walk struct {
	*Graph
	// found are the places where those are started, or root.
	found map[string]bool
	// several says that one of them is there more than once, or is not known.
	several bool
	seen    map[string]bool
}

func (w *walk) from(fn string) {
	if w.seen[fn] || w.several {
		return
	}
	w.seen[fn] = true
	if fn == root {
		w.found[root] = true
		return
	}
	calls := w.calls(fn)
	if w.open[fn] || len(calls) == 0 {
		w.several = true
		return
	}
	for _, e := range calls {
		switch {
		case e.How == Called:
			w.from(e.From)
		case e.How == Given || e.Loop || !e.Own && !w.once(e.From):
			w.several = true
		default:
			w.found[e.At] = true
		}
	}
}

// once reports whether one goroutine makes all calls of a function, which may still be
// more than one. Of functions that start each other it is enough that one is started once.
func (g *Graph) once(fn string) bool {
	if is, known := g.single[fn]; known {
		return is
	}
	g.single[fn] = true // while looking
	up := walk{Graph: g, found: map[string]bool{}, seen: map[string]bool{}}
	up.from(fn)
	g.single[fn] = !up.several && len(up.found) <= 1
	return g.single[fn]
}

// calls are those of a function, by its name or otherwise.
func (g *Graph) calls(fn string) []Edge {
	out := slices.Clone(g.in[fn])
	for _, as := range g.as[fn] {
		out = append(out, g.through(fn, as.As)...)
	}
	return slices.DeleteFunc(out, func(e Edge) bool { return !g.lives[e.From] })
}
