package trial

import (
	"slices"

	"github.com/mapatom/mapatom/checker/sched"
)

// The threads of a test.
const (
	mine = iota // calls the function with the extension
	others
)

// atStart is the gap before the call begins; gap 0 is before its first base
// operation.
const atStart = -1

// placement chooses the threads of one execution: it has the k-th step of
// thread B run when A has done gaps[k] base operations.
type placement struct {
	manner
	gaps []int
	// early has a step run right after the base operation; else it runs right
	// before the next one.
	early bool

	done     int      // base operations that A has done
	last     sched.Op // the last step of those
	next     int      // step of B that is to run
	stepping bool     // it runs

	// A call is over when it has returned and what it has started has come to rest:
	// other goroutines, and with later a timer.
	later    bool
	spawned  bool // A has started a goroutine, or woken one
	returned bool // the call of A has
	rested   int  // steps that were taken for A since
	lapses   int  // how often time has passed for it
	calling  bool // B is within a call
	leaves   bool // B has started a goroutine, or woken one
	over     bool // B has made its last call
	followed int  // steps of these that were taken at once

	// Of the call of B that is split:
	parts                  int // how many have begun
	taken                  int // the steps in it
	doneAtStop, doneAtNext int // the base operations of A before its second part
}

// manner is how the calls of B are made.
type manner struct {
	rest rest
	// split parts the last call after so many of its steps, so that there are two steps
	// of B; 0 does not.
	split int
}

// rest says when that goes on which calls of B have started, and do not wait for.
type rest int

const (
	lastly rest = iota // when all calls are over
	never              // in what is looked at, it has not
	atOnce             // before anything else

	rests = 3
)

// maxRest and maxLapses bound what is done for A when its call has returned: it may
// have started something without end.
const (
	maxRest   = 100
	maxLapses = 2
)

// choose also notes when the second part of a call of B's begins.
func (p *placement) choose(d *sched.Decision) int {
	id := p.chosen(d)
	if id == others && p.parts == 1 && p.split > 0 && !p.stepping {
		p.resume()
	}
	return id
}

// chosen lets A run until the next step of B is due. Where the one that is to
// run is blocked, what it waits for runs: a goroutine that it has started, or one
// that nobody has, or else the other.
func (p *placement) chosen(d *sched.Decision) int {
	if d.Current == others && d.Next(others).Kind == sched.Boundary {
		p.stepping = false
	}
	if p.rest == atOnce && !p.calling && p.followed < maxRest {
		if id := started(d, others); id >= 0 {
			p.followed++
			return id
		}
	}
	if p.stops() {
		p.parts, p.stepping, p.doneAtStop = 1, false, p.done
	}
	if !p.over && (p.stepping || p.due(d)) && (p.calling || slices.Contains(d.Enabled, others)) {
		if p.parts == 1 && !p.stepping {
			p.resume()
		}
		p.stepping = true
		return p.instead(d, others)
	}
	id := p.goesOn(d)
	switch {
	case id >= 0 && p.returned:
		p.rested++
	case id < 0 && p.returned && p.later && p.lapses < maxLapses && slices.Contains(d.Enabled, sched.Clock):
		p.lapses++
		return sched.Clock
	case id < 0 && p.over && !slices.Contains(d.Enabled, mine):
		return p.instead(d, others)
	case id < 0:
		return p.instead(d, mine)
	}
	return id
}

// stops reports whether the call of B that is split has come to its second part.
func (p *placement) stops() bool {
	return p.split > 0 && p.parts == 0 && p.calling && p.next == len(p.gaps)-1 && p.taken >= p.split
}

func (p *placement) resume() {
	p.parts, p.next, p.doneAtNext = 2, p.next+1, p.done
}

// goesOn is who takes the next step for A, negative if nobody can: A itself, or a
// goroutine of its own if it is blocked, or has returned.
func (p *placement) goesOn(d *sched.Decision) int {
	if !p.returned && slices.Contains(d.Enabled, mine) {
		return mine
	}
	if p.returned && p.rested == maxRest {
		return -1
	}
	return started(d, mine)
}

// started is a goroutine that can go on, and that a thread has started; negative if
// there is none.
func started(d *sched.Decision, by int) int {
	at := slices.IndexFunc(d.Enabled, func(id int) bool { return id != by && d.Origin(id) == by })
	if at < 0 {
		return -1
	}
	return d.Enabled[at]
}

// instead is the thread if it can go on, or who runs in its place. When the last call
// of B is over, it is what it has started that goes on.
func (p *placement) instead(d *sched.Decision, thread int) int {
	if id := started(d, others); p.over && thread == others && id >= 0 && p.followed < maxRest {
		p.followed++
		return id
	}
	if slices.Contains(d.Enabled, thread) {
		return thread
	}
	best, rank := d.Enabled[0], 0
	for _, id := range d.Enabled {
		r := 0
		switch {
		case thread == others && d.Origin(id) == others:
			r = 4
		case id >= 0 && d.Origin(id) < 0:
			r = 3
		case d.Program(id):
			r = 2
		case id >= 0:
			r = 1
		}
		if r > rank {
			best, rank = id, r
		}
	}
	return best
}

// due reports whether the next step of B is to run.
func (p *placement) due(d *sched.Decision) bool {
	if p.next >= len(p.gaps) {
		return true // there is nothing left to place
	}
	gap, next := p.gaps[p.next], d.Next(mine)
	if id := p.goesOn(d); id >= 0 {
		next = d.Next(id)
	}
	switch {
	case gap == atStart:
		return true
	case p.done < gap || p.continues(next):
		return false
	case p.early && gap > 0:
		return true
	}
	return next.File != ""
}

// continues reports whether a step of A belongs to the base operation that
// the last one was of: a map whose own steps are seen takes several.
func (p *placement) continues(op sched.Op) bool {
	return op.Within && op.File == p.last.File && op.Line == p.last.Line
}

// stepped notes a step that is taken, and reports whether it begins a base
// operation.
func (p *placement) stepped(thread int, op sched.Op) bool {
	wakes := op.Kind == sched.Spawn || op.Kind == sched.Channel
	p.spawned = p.spawned || thread == mine && wakes
	p.leaves = p.leaves || thread == others && wakes
	switch {
	case thread == others && op.Kind == sched.Boundary:
		p.next++
		p.taken = 0
	case thread == others:
		p.taken++
	case thread == mine && op.File != "" && !p.continues(op):
		p.done, p.last = p.done+1, op
		return true
	}
	return false
}
