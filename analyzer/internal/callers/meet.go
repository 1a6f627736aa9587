package callers

import "slices"

// That a map is a concurrent one, or that a lock is taken, says that somebody expects several
// goroutines, and not that they come to this function: of what was judged half was false
// for that. Where all packages have been seen, two have to be seen to come.

// Meet reports whether two goroutines are seen to come to the first of some functions and
// to any of the others, or to the first alone if nobody calls the others. Those whom one lock
// keeps apart, or whom a queue gives one object at a time, are one.
func (g *Graph) Meet(fns []string) bool {
	if len(fns) == 0 {
		return false
	}
	mine, theirs := g.comers(fns[0]), comers{who: map[string]bool{}}
	for _, fn := range fns[1:] {
		theirs.add(g.comers(fn))
	}
	if mine.nobody() {
		return false
	}
	theirs.add(mine)
	return theirs.many || len(theirs.who) > 1
}

// comers are those who come to a function.
type comers struct {
	// who are the goroutines that are there once, or once for each object, by where they
	// are started, and the locks and queues that let in one at a time.
	who map[string]bool
	// many says that some are there many times.
	many bool
}

func (c comers) nobody() bool { return !c.many && len(c.who) == 0 }

func (c *comers) add(others comers) {
	c.many = c.many || others.many
	for at := range others.who {
		c.who[at] = true
	}
}

// comers are all of which the calls say it. Who sets up the program comes before them.
func (g *Graph) comers(fn string) comers {
	type point struct {
		fn string
		// started says that the way from here leads by the start of a goroutine.
		started bool
	}
	c := comers{who: map[string]bool{}}
	seen := map[point]bool{}
	var up func(at point)
	up = func(at point) {
		if seen[at] || c.many {
			return
		}
		seen[at] = true
		c.many = g.many[at.fn]
		calls := g.told(at.fn)
		if g.open[at.fn] && len(calls) == 0 && !at.started {
			c.who[at.fn] = true
		}
		for _, e := range calls {
			switch {
			case !g.lives[e.From]:
			case e.How != Called && e.Loop:
				c.many = true
			case e.How != Called && !at.started:
				c.who[e.At] = true
			case e.Under != "" && !at.started:
				c.who[e.Under] = true
			}
			if once := e.How != Called && e.Own; g.lives[e.From] && !once && e.Under == "" {
				up(point{e.From, at.started || e.How != Called})
			}
		}
	}
	up(point{fn: fn})
	return c
}

// fewAlike is how many functions may look the same to a call which then still says something
// of each.
const fewAlike = 2

// told are the calls of a function but those that may as well be of another one.
func (g *Graph) told(fn string) []Edge {
	out := slices.Clone(g.in[fn])
	for _, v := range g.as[fn] {
		if !v.Vague || g.alike[v.As] <= fewAlike {
			out = append(out, g.in[v.As]...)
		}
	}
	return out
}

// live finds the functions that anybody calls at all.
func (g *Graph) live() {
	calls, looks := map[string][]string{}, map[string][]string{}
	for to, edges := range g.in {
		for _, e := range edges {
			calls[e.From] = append(calls[e.From], to)
		}
	}
	for fn, values := range g.as {
		for _, v := range values {
			looks[v.As] = append(looks[v.As], fn)
		}
	}
	var down func(fn string)
	down = func(fn string) {
		if g.lives[fn] {
			return
		}
		g.lives[fn] = true
		for _, to := range calls[fn] {
			down(to)
			for _, called := range looks[to] {
				down(called)
			}
		}
	}
	down(root)
	for fn := range g.open {
		down(fn)
	}
}
