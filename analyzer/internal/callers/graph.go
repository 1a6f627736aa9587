package callers

import "slices"

// Graph is the calls of all packages of a program.
type Graph struct {
	in   map[string][]Edge
	as   map[string][]string
	open map[string]bool
	// single has the answers of once.
	single map[string]bool
}

// Join joins what the packages have left. Exported says that what they export is for other
// programs as well.
func Join(all []*Calls, exported bool) *Graph {
	g := &Graph{in: map[string][]Edge{}, as: map[string][]string{}, open: map[string]bool{}, single: map[string]bool{}}
	for _, c := range all {
		for _, e := range c.Edges {
			g.in[e.To] = append(g.in[e.To], e)
		}
		for _, v := range slices.Concat(c.Values, c.Methods) {
			if !slices.Contains(g.as[v.Fn], v.As) {
				g.as[v.Fn] = append(g.as[v.Fn], v.As)
			}
		}
		for _, fn := range c.Open {
			g.open[fn] = true
		}
		if exported {
			for _, fn := range c.Exported {
				g.open[fn] = true
			}
		}
	}
	return g
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
		case e.Loop || !e.Own && !w.once(e.From):
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
		out = append(out, g.in[as]...)
	}
	return out
}
