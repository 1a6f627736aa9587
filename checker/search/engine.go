package search

import (
	"context"
	"slices"
)

// An engine searches one part for a linearization: depth first over the
// operations that may come next (Wing and Gong), entering no configuration
// twice (Lowe). What makes it faster than that is in the rules R1 to R7:
// choices that can be left out because some linearization, if there is one
// at all, does without. R1 to R4 take a linearization and give another one,
// in which reads are earlier or fewer writes take effect unseen, so that
// they can be used together; R5 sees ends that are dead.
//
// An engine is used for one part after the other, to use its memory again.
type engine[S any] struct {
	sp *spec[S]
	order
	memo memo[S]

	config config[S]
	frames []frame[S]
	steps  []step // what led to config
	after  []S    // next states that frames have still to try

	alike    alikeness
	flows    flows
	removals removals
	best     best

	empty S // the first state, of containers

	// quick says that the search is to begin without much preparation, as it
	// is given little time.
	quick bool

	// goal is asked of the state when nothing is owed any more; nil accepts.
	goal func(s S) bool

	ctx context.Context
	// unwanted reports whether the result is of no use any more.
	unwanted func() bool
	nodes    int64
	limit    budget
}

type budget struct{ nodes, memory int64 }

// A config is where a search is, apart from the list.
type config[S any] struct {
	state S
	// Blind operations in the list with numbers below free are free: there
	// was a blind step before which they can be hidden (rule R2). They may
	// also be taken as long as their return allows.
	free  int32
	top   int32 // one more than the greatest operation not in the list
	owed  int32 // complete operations in the list that are not free
	value int32 // of the register, for flows
	// late and bounds are for removals: the last event that something in a
	// queue waits for, and the events that things in a stack may not wait for.
	late   int32
	bounds *bound
	last   lastStep
	hash   uint64 // of the set of operations not in the list
}

// A lastStep restricts what may come next.
type lastStep uint8

const (
	anyStep     lastStep = iota
	blindStep            // no blind operation that could have been taken instead
	pendingStep          // no blind operation
)

// A step is an operation taken out of the list.
type step struct {
	op   int32
	free int32 // config.free after it
	how  how
}

type how uint8

const (
	taken  how = iota // it takes effect here
	hidden            // it took effect just before the step that made it free
)

// A frame is a configuration that has something left to try.
type frame[S any] struct {
	config   config[S]
	steps    int   // that led to it
	after    int   // where its next states begin in engine.after
	at       int32 // event that was tried last; then the frontier
	kind     int32 // kinds of pending operations that were tried
	op       int32 // operation that was tried last
	frontier int32 // first return in the list: what is called later must wait
}

// An outcome is how the search of a part ended.
type outcome uint8

const (
	found outcome = iota
	exhausted
	outOfNodes
	outOfMemory
	stopped
)

// run searches the part that consists of the given rows up to the cut, from
// each of the states.
func (g *engine[S]) run(rows []int32, to cut, inits []S) outcome {
	build(&g.order, g.sp, rows, to)
	n := min(len(g.rows), 1<<10) // what a small part needs is allocated at once
	g.frames, g.steps, g.after = slices.Grow(g.frames[:0], n), slices.Grow(g.steps[:0], n), g.after[:0]
	g.nodes = 0
	g.memo.reset(n)
	g.best.reset()
	setAlike(g)
	setFlows(g)
	setRemovals(g)
	if g.removals.on && g.removals.hopeless() {
		return exhausted
	}
	for _, s := range inits {
		g.empty = s
		g.config = config[S]{state: s, owed: g.complete}
		if g.flows.on {
			g.config.value = g.flows.id(g.sp.value(s))
			if g.flows.hopeless(g.config.value) {
				continue
			}
		}
		if out := g.descend(); out != exhausted {
			return out
		}
	}
	return exhausted
}

// descend searches from the configuration that was just set up, and leaves
// the list as it was if there is nothing to find.
func (g *engine[S]) descend() outcome {
	if g.enter() {
		return found
	}
	// Looking at the clock takes longer than a step.
	for len(g.frames) > 0 {
		if g.nodes&1023 == 0 && (g.ctx.Err() != nil || g.unwanted != nil && g.unwanted()) {
			return stopped
		}
		if !g.advance() {
			g.frames = g.frames[:len(g.frames)-1]
			continue
		}
		g.nodes++
		switch {
		case g.enter():
			return found
		case g.limit.nodes > 0 && g.nodes >= g.limit.nodes:
			return outOfNodes
		case g.memo.bytes() > g.limit.memory || len(g.memo.keys) > 1<<31:
			return outOfMemory
		}
	}
	g.undo(0)
	return exhausted
}

// enter looks at the configuration that was just reached, and reports
// whether nothing more is owed. If there is something left to try, it is in
// a new frame.
func (g *engine[S]) enter() bool {
	frontier := g.takeReads()
	c := &g.config
	if c.owed == 0 && (g.goal == nil || g.goal(c.state)) {
		return true
	}
	if frontier != g.last && !g.isFree(^g.op[frontier]) {
		g.best.note(frontier, len(g.steps))
	}
	g.memo.encode(&g.order, c.top, &g.alike)
	if g.memo.seen(g.sp, mix(c.hash^g.sp.hash(c.state)), c) {
		return false
	}
	g.frames = append(g.frames, frame[S]{config: *c, steps: len(g.steps), after: len(g.after), frontier: frontier})
	return false
}

// takeReads takes every read-only candidate that is possible in the state
// (rule R1), and gives the frontier. One pass does, as the state stays the
// same, and with it what is not possible.
func (g *engine[S]) takeReads() (frontier int32) {
	e := g.next[0]
	for ; e != g.last && g.op[e] >= 0; e = g.next[e] {
		op := g.op[e]
		if !g.is(op, readOnly) {
			continue
		}
		n := len(g.after)
		g.after = g.sp.step(g.config.state, g.rows[op], g.after)
		possible := len(g.after) > n
		g.after = g.after[:n]
		if possible {
			g.config.last = anyStep
			g.take(op, taken)
		}
	}
	return e
}

// take takes op out of the list, and keeps account of it.
func (g *engine[S]) take(op int32, as how) {
	c := &g.config
	g.lift(op)
	c.hash ^= mix(uint64(op))
	if g.isPending(op) {
		g.alike.take(op, g.complete)
	} else {
		c.top = max(c.top, op+1)
		if !g.isFree(op) {
			c.owed--
		}
	}
	g.flows.take(op)
	g.steps = append(g.steps, step{op: op, free: c.free, how: as})
}

// undo puts back the steps after the first n.
func (g *engine[S]) undo(n int) {
	g.best.keep(g.steps, n)
	for i := len(g.steps) - 1; i >= n; i-- {
		op := g.steps[i].op
		if g.isPending(op) {
			g.alike.untake(op, g.complete)
		}
		g.unlift(op)
		g.flows.untake(op)
		g.removals.unstep(op)
	}
	g.steps = g.steps[:n]
}

// isFree reports whether op, or op as it was in the list, can be hidden
// before a blind step that was taken.
func (g *engine[S]) isFree(op int32) bool {
	return op < g.config.free && g.is(op, blind)
}

// advance makes the next step from the latest frame, and reports whether
// there was one. It tries the candidates, then whether the operation that
// has to return next can be hidden, then the pending operations: few of them
// have taken effect.
func (g *engine[S]) advance() bool {
	f := &g.frames[len(g.frames)-1]
	for {
		g.undo(f.steps)
		g.config = f.config
		// States that the operation tried last can lead to.
		if n := len(g.after); n > f.after {
			s := g.after[n-1]
			g.after = g.after[:n-1]
			if g.stepTo(f.op, s, f.frontier) {
				return true
			}
			continue
		}
		if f.at != f.frontier {
			f.at = g.next[f.at]
			if f.at != f.frontier {
				g.try(f, g.op[f.at])
			} else if f.at != g.last && g.hide(^g.op[f.at]) {
				return true
			}
			continue
		}
		if int(f.kind) == len(g.alike.heads) {
			return false
		}
		f.kind++
		if op := g.alike.heads[f.kind-1]; op >= 0 && g.callAt[op] < f.frontier {
			g.try(f, op)
		}
	}
}

// try finds the states that op can lead to.
func (g *engine[S]) try(f *frame[S], op int32) {
	if !g.mayComeNext(op, f.frontier) {
		return
	}
	f.op = op
	if row := g.rows[op]; g.isPending(op) {
		g.after = g.sp.effects(g.config.state, row, g.after)
	} else {
		g.after = g.sp.step(g.config.state, row, g.after)
	}
}

// mayComeNext applies the rules that need not know the next state.
//
// R2: if one blind operation can come before another, with nothing in
// between that looks, it is hidden, and the search takes the other one
// directly. So no blind step follows one that it could have hidden, unless
// that one had to be taken out to let more be called: then there is more
// that is hidden now.
//
// R3: a pending operation that nothing looks at can be left out. So no blind
// step follows one.
func (g *engine[S]) mayComeNext(op, frontier int32) bool {
	if g.is(op, readOnly) {
		return false // takeReads found it impossible
	}
	if c := &g.config; g.is(op, blind) {
		if c.last == pendingStep || c.last == blindStep && op < c.free && g.calls[frontier] == c.free {
			return false
		}
	}
	return g.isPending(op) || !g.hasRival(op, frontier)
}

// stepTo takes op, which leads to the state s, and reports whether that can
// lead anywhere.
func (g *engine[S]) stepTo(op int32, s S, frontier int32) bool {
	c := &g.config
	isPending := g.isPending(op)
	if isPending && !g.is(op, blind) && g.sp.equal(s, c.state) {
		return false // R3; a blind one is of use to those it hides
	}
	if g.removals.forgets(op, c.late) {
		s = g.forget(op, c.state)
	}
	was := c.value
	g.take(op, taken)
	c.state, c.value, c.last = s, g.flows.after(op, was), anyStep
	if g.is(op, blind) {
		g.setFree(g.calls[frontier])
		c.last = blindStep
	}
	if isPending {
		c.last = pendingStep
	}
	dead := g.removals.step(op, &c.late, &c.bounds)
	return !dead && !g.flows.dead(op, was, c.value)
}

// forget gives the state after op of which the rest is out of reach: that of
// a queue stays as it is, a stack has op's value only (rule R7).
func (g *engine[S]) forget(op int32, s S) S {
	if g.sp.discipline == firstInFirstOut {
		return s
	}
	n := len(g.after)
	g.after = g.sp.step(g.empty, g.rows[op], g.after)
	s = g.after[n]
	g.after = g.after[:n]
	return s
}

// setFree makes the blind operations with numbers below n free: they could
// all have come just before the step that was taken.
func (g *engine[S]) setFree(n int32) {
	c := &g.config
	for e := g.next[0]; e != g.last && g.op[e] >= 0 && g.op[e] < n; e = g.next[e] {
		if op := g.op[e]; op >= c.free && g.is(op, blind) {
			c.owed--
		}
	}
	c.free = max(c.free, n)
	g.steps[len(g.steps)-1].free = c.free
}

// hide takes op out of the list if it is free, to where it is hidden, and
// reports whether that can lead anywhere.
func (g *engine[S]) hide(op int32) bool {
	if !g.isFree(op) {
		return false
	}
	g.take(op, hidden)
	return !g.flows.dead(op, g.config.value, g.config.value)
}
