package trial

import "github.com/mapatom/mapatom/checker/sched"

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
	gaps []int
	// early has a step run right after the base operation; else it runs right
	// before the next one.
	early bool

	done     int      // base operations that A has done
	last     sched.Op // the last step of those
	next     int      // step of B that is to run
	stepping bool     // it runs
}

// choose lets A run until the next step of B is due. Where the one that is to
// run is blocked, the other runs.
func (p *placement) choose(d *sched.Decision) int {
	if d.Current == others && d.Next(others).Kind == sched.Boundary {
		p.stepping = false
	}
	want := mine
	if p.stepping || p.due(d) {
		want, p.stepping = others, true
	}
	able := -1
	for _, id := range d.Enabled {
		if id == want {
			return id
		}
		if able < 0 || !d.Program(able) {
			able = id
		}
	}
	return able
}

// due reports whether the next step of B is to run.
func (p *placement) due(d *sched.Decision) bool {
	if p.next >= len(p.gaps) {
		return true // there is nothing left to place
	}
	gap, next := p.gaps[p.next], d.Next(mine)
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
	switch {
	case thread == others && op.Kind == sched.Boundary:
		p.next++
	case thread == mine && op.File != "" && !p.continues(op):
		p.done, p.last = p.done+1, op
		return true
	}
	return false
}
