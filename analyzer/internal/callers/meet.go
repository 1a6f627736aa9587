package callers

import (
	"cmp"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// That a map is a concurrent one, or that a lock is taken, says that somebody expects several
// goroutines, and not that they come to this function: of what was judged half was false
// for that. Where all packages have been seen, two have to be seen to come.

// Meeting is how two goroutines are seen to come to a function.
type Meeting struct {
	Way Way
	// At are the functions or places of the code that say it, at most two.
	At []string
	// Calls is how many calls lie between where they begin and the function.
	Calls int
}

// near is how many calls there are at most between where several goroutines begin and a function, if that
// is to say that two of them come to it with the same. Of a hundred reports that were judged a half was
// right up to there, and one in ten beyond it.
const near = 2

// Way is why there are two.
type Way int

const (
	// Unseen: nothing says that there are.
	Unseen Way = iota
	// Requests: a server runs it for each of its requests.
	Requests
	// Others: other programs can call it.
	Others
	// Loop: a loop starts goroutines that come to it, or gives them to others to run.
	Loop
	// Beside: one function starts two goroutines that come to it, on one object that it has made.
	Beside
	// Far: several come to it, but by so many calls that what they come on, and when, was decided on the way.
	Far
	// Two: goroutines that begin in two places come to it. Often each has its own part, or its
	// own time: of those that were judged none was a mistake.
	Two
)

// Seen reports whether two are that do the same.
func (m Meeting) Seen() bool { return m.Way != Unseen && m.Way != Far && m.Way != Two }

// String says it in a few words.
func (m Meeting) String() string {
	switch m.Way {
	case Requests:
		return "a server runs " + short(m.At[0]) + " for each request, which comes here"
	case Others:
		return "other programs can call " + short(m.At[0]) + ", which comes here"
	case Loop:
		return "a loop has several goroutines come here, at " + m.At[0]
	case Beside:
		return "two goroutines that come here are started side by side, at " + m.At[0] + " and " + m.At[1]
	case Far:
		return "several goroutines come here, but only by " + strconv.Itoa(m.Calls) + " calls, from " + short(m.At[0])
	case Two:
		return "two goroutines come here, maybe each for itself, from " + short(m.At[0]) + " and " + short(m.At[1])
	}
	return "nobody in the program is seen to call it while another one may"
}

// Meet says whether two goroutines are seen to come to the first of some functions and
// to any of the others, or to the first alone if nobody calls the others. Those who hold a lock
// around their calls have seen to it that they are alone, and whom a queue gives one object at
// a time is: that there are others beside them says nothing.
func (g *Graph) Meet(points []Point) Meeting {
	if len(points) == 0 {
		return Meeting{}
	}
	mine, theirs := g.comers(points[0], g.lockedWithin), newComers()
	for _, p := range points[1:] {
		theirs.add(g.comers(p, g.lockedWithin))
	}
	if mine.nobody() {
		return Meeting{}
	}
	theirs.add(mine)
	beside, together := mine.beside(theirs)
	switch who := slices.Sorted(maps.Keys(theirs.who)); {
	case mine.many.Seen():
		return mine.many
	case theirs.many.Seen():
		return theirs.many
	case together:
		return Meeting{Way: Beside, At: beside}
	case theirs.far.Way != Unseen:
		return theirs.far
	case len(who) > 1:
		return Meeting{Way: Two, At: who[:2]}
	}
	return Meeting{}
}

// comers are those who come to a function.
type comers struct {
	// who are the goroutines that are there once, or once for each object, by where they
	// are started; apart are the locks and queues that let in one at a time.
	who, apart map[string]bool
	// starts are where a function starts some of who on an object that it has made, by that.
	starts map[made][]string
	// many says why some are there many times, and far why some are that come from far away.
	many, far Meeting
	// lost says that it is not known of some on which object they come.
	lost bool
}

// made is an object that a function has made: which one, as Object has it.
type made struct{ by, which string }

func newComers() comers {
	return comers{who: map[string]bool{}, apart: map[string]bool{}, starts: map[made][]string{}}
}

func (c comers) nobody() bool { return !c.several() && len(c.who)+len(c.apart) == 0 }

// several reports whether some come many times.
func (c comers) several() bool { return c.many.Seen() || c.far.Way == Far }

// come notes why some come many times, by some calls.
func (c *comers) come(way Way, at string, calls int) {
	switch {
	case calls <= near:
		c.many = Meeting{way, []string{at}, calls}
	case c.far.Way == Unseen:
		c.far = Meeting{Far, []string{at}, calls}
	}
}

func (c *comers) add(others comers) {
	c.lost = c.lost || others.lost
	if !c.many.Seen() {
		c.many = others.many
	}
	if c.far.Way == Unseen {
		c.far = others.far
	}
	for at := range others.who {
		c.who[at] = true
	}
	for on, at := range others.starts {
		c.starts[on] = append(c.starts[on], at...)
	}
}

// beside are where a function starts one goroutine that is among some, and another one that is among
// others, on one object.
func (c comers) beside(others comers) ([]string, bool) {
	for _, on := range slices.SortedFunc(maps.Keys(c.starts), func(a, b made) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.which, b.which)) }) {
		for _, at := range c.starts[on] {
			for _, other := range others.starts[on] {
				if at != other {
					return []string{min(at, other), max(at, other)}, true
				}
			}
		}
	}
	return nil, false
}

// object is which one goroutines have to come on, seen from a function on their way: none in
// particular, or that of the method or a parameter if own is set, of the function or of one
// around it, or one that a function around it has made, or has got out of a list if listed is
// set; another one in each round if each is.
type object struct {
	own, each, listed bool
	of                string
	param             int
	in, which         string
}

// before is the object of a function as the one who makes a call of it sees it.
func (g *Graph) before(o object, fn string, e *Edge) object {
	is := e.On
	switch {
	case !o.own:
		return o // it was made already, or is any
	case o.of != fn && e.To == fn && e.On.From == Same:
		return o // the function is a literal, and it is that of the one around it
	case o.of != fn:
		return object{}
	case o.param >= len(e.Args):
		return object{}
	case o.param != Receiver:
		is = e.Args[o.param]
	}
	if !g.holdOwn(is.Parts) {
		return object{}
	}
	switch {
	case is.From == Same:
		return object{own: true, param: Receiver, of: cmp.Or(is.In, e.From)}
	case is.From == Param:
		return object{own: true, param: is.Param, of: cmp.Or(is.In, e.From)}
	case is.From == Made && (is.By == "" || g.makesNew(is.By, map[string]bool{})):
		return object{in: is.In, which: is.Which, each: is.Each}
	case is.From == Listed:
		return object{in: is.In, each: is.Each, listed: true}
	}
	return object{}
}

// holdOwn reports whether fields are only given objects that were made for them, so that two
// objects have different ones in them.
func (g *Graph) holdOwn(fields []string) bool {
	return !slices.ContainsFunc(fields, func(field string) bool {
		given := g.fields[field]
		return len(given) == 0 || slices.ContainsFunc(given, func(f Field) bool {
			return f.Others || slices.ContainsFunc(f.Via, func(by string) bool { return !g.makesNew(by, map[string]bool{}) })
		})
	})
}

// makesNew reports whether a function gives a new object each time.
func (g *Graph) makesNew(fn string, seen map[string]bool) bool {
	via, makes := g.makes[fn]
	if !makes || seen[fn] {
		return false
	}
	seen[fn] = true
	return !slices.ContainsFunc(via, func(by string) bool { return !g.makesNew(by, seen) })
}

// comers are all of which the calls say it, those who come by fewer calls first. Who sets up the program
// comes before them. What other programs can call is called by them, unless what this one does with it says
// how it is meant.
func (g *Graph) comers(to Point, meant func(fn string) bool) comers {
	c := newComers()
	w := comersWalk{Graph: g, found: &c, meant: meant, seen: map[coming]bool{}}
	w.next = []coming{{fn: to.Fn, on: object{own: to.Own && g.holdOwn(to.Parts), of: to.Fn, param: to.Param}}}
	for calls := 0; len(w.next) > 0 && !c.many.Seen(); calls++ {
		all := w.next
		w.next = nil
		for _, at := range all {
			w.up(at, calls)
		}
	}
	return c
}

// coming is a function on the way of those who come.
type coming struct {
	fn string
	// started says that the way from here leads by the start of a goroutine.
	started bool
	on      object
}

// comersWalk goes up from a function to where its goroutines begin, call by call.
type comersWalk struct {
	*Graph
	found *comers
	meant func(fn string) bool
	seen  map[coming]bool
	next  []coming
}

func (w *comersWalk) up(at coming, calls int) {
	if w.seen[at] || w.found.many.Seen() {
		return
	}
	w.seen[at] = true
	given := at.on.own && at.on.of == at.fn && at.on.param != Receiver && w.usedWithin(at.fn)
	switch way := w.many[at.fn]; {
	case way == Others && !w.meant(at.fn), way == Requests && !given: // else a server would have to give it that
		w.found.come(way, at.fn, calls)
	}
	told := w.told(at.fn)
	if w.open[at.fn] && len(told) == 0 && !at.started {
		w.found.who[at.fn], w.found.lost = true, true
	}
	for i := range told {
		if w.lives[told[i].From] {
			w.along(at, &told[i], calls)
		}
	}
}

// along goes up by one call.
func (w *comersWalk) along(at coming, e *Edge, calls int) {
	on := w.before(at.on, at.fn, e)
	w.found.lost = w.found.lost || on == object{} || on.listed
	madeThere := on.in != "" && on.in == e.From
	alone := madeThere && on.each
	if madeThere && on.listed {
		on, madeThere = object{}, false
	}
	started := e.How != Called
	switch {
	case started && e.Loop && !alone:
		w.found.come(Loop, e.At, calls)
	case started && !at.started:
		w.found.who[e.At] = true
		if madeThere && !on.each {
			of := made{e.From, on.which}
			w.found.starts[of] = append(w.found.starts[of], e.At)
		}
	case w.keepsApart(e) && !at.started:
		w.found.apart[e.Under] = true
	case madeThere && !at.started:
		w.found.who[e.From] = true
	}
	if once := started && e.Own; !once && !w.keepsApart(e) && !madeThere {
		w.next = append(w.next, coming{e.From, at.started || started, on})
	}
}

// keepsApart reports whether a lock is held around a call that has to do with what the call is on: that
// of an object says nothing of what everybody gets from a function.
//
//	a.mu.Lock()
//	manager.Get().Release(a.name)
func (g *Graph) keepsApart(e *Edge) bool {
	got := e.On.From == Made && e.On.By != "" && !g.methods[e.On.By] && !g.makesNew(e.On.By, map[string]bool{})
	return e.Under != "" && (e.Whole || !got)
}

// lockedWithin reports whether the program itself calls a function, and always where a lock is held
// around that: other programs, of which nothing is known, are not expected to do otherwise.
func (g *Graph) lockedWithin(fn string) bool {
	locked, seen := false, map[string]bool{}
	var up func(fn string) bool
	up = func(fn string) bool {
		if seen[fn] {
			return true
		}
		seen[fn] = true
		calls := slices.DeleteFunc(g.calls(fn), func(e Edge) bool { return e.From == fn })
		if len(calls) == 0 || g.many[fn] == Requests {
			return false
		}
		for _, e := range calls {
			switch {
			case e.How != Called:
				return false
			case g.keepsApart(&e):
				locked = true
			case !up(e.From):
				return false
			}
		}
		return true
	}
	return up(fn) && locked
}

// usedWithin reports whether the program itself calls a function.
func (g *Graph) usedWithin(fn string) bool {
	return slices.ContainsFunc(g.calls(fn), func(e Edge) bool { return e.From != fn })
}

// Share reports whether two goroutines are seen to come with one object that all of some functions are
// given, as a key: what the program makes anew for each of those who come is shared by nobody, unless
// the one who has made it starts another goroutine with it.
//
//	f := newFlow(r) // in a function that a server runs for each request
//	tracker.Begin(f)
func (g *Graph) Share(points []Point) bool {
	all := newComers()
	for _, p := range points {
		all.add(g.comers(p, g.usedWithin))
	}
	if all.several() || all.lost {
		return true
	}
	for on, at := range all.starts {
		if len(at) > 1 || all.who[on.by] {
			return true
		}
	}
	return all.nobody()
}

// fewAlike is how many functions may look the same to a call which then still says something
// of each.
const fewAlike = 2

// told are the calls of a function but those that may as well be of another one.
func (g *Graph) told(fn string) []Edge {
	out := slices.Clone(g.in[fn])
	for _, v := range g.as[fn] {
		if g.alike[v.As] <= fewAlike {
			out = append(out, g.through(fn, v.As)...)
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

// short is a function without the folders that its package is in, or that a literal is in.
func short(fn string) string {
	kind, name := "", fn
	for _, begin := range []string{"func at ", "(*", "("} {
		if rest, ok := strings.CutPrefix(fn, begin); ok {
			kind, name = begin, rest
			break
		}
	}
	return kind + path.Base(filepath.ToSlash(name))
}
