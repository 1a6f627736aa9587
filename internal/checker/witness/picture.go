package witness

import (
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// A Picture is a history as it is to be shown, with what is known of it. It
// is plain data: anything with threads, calls and returns can be put into one.
type Picture struct {
	Title   string `json:"title,omitempty"`   // a file, a test, a function
	Kind    string `json:"kind,omitempty"`    // the type of the object
	Verdict string `json:"verdict,omitempty"` // linearizable, violation, unknown, or the caller's word
	Reason  string `json:"reason,omitempty"`  // why, in a sentence
	// Threads gives the lanes their order. A thread that is not listed comes
	// after those that are.
	Threads    []string    `json:"threads"`
	Operations []Operation `json:"operations"`
	// Linearization lists the indices of operations in the order in which
	// they take effect. A pending operation may be missing.
	Linearization []int `json:"linearization,omitempty"`
	// Core lists the indices of the operations that contradict each other.
	Core []int `json:"core,omitempty"`
	// Stuck says that pending operations are blocked for ever.
	Stuck bool `json:"stuck,omitempty"`
	// Omitted is how many operations of the history are not in the picture.
	Omitted int `json:"omitted,omitempty"`
	// Notes are sentences to stand below the picture.
	Notes []string `json:"notes,omitempty"`
}

// An Operation is a bar in a lane. Texts are shown as they are.
type Operation struct {
	Thread  string   `json:"thread"`
	Object  string   `json:"object,omitempty"` // "" where there is only one
	Method  string   `json:"method"`
	Step    bool     `json:"step,omitempty"` // the method is no name but a phrase, such as "x := y"
	Args    []string `json:"args"`
	Results []string `json:"results"` // of a pending operation, none
	// Call and Return are instants in any unit. Operations that share an
	// instant are concurrent. Return may be history.Pending.
	Call   int64   `json:"call"`
	Return Instant `json:"return"`
	Line   int     `json:"line,omitempty"` // of the file; 0 if there is none
	Note   string  `json:"note,omitempty"` // what is to be said of it
	// Inner are the base operations that it is made of, on the same thread
	// and within its call and return.
	Inner []Operation `json:"inner,omitempty"`
}

// Pending reports whether the operation did not return.
func (o *Operation) Pending() bool { return o.Return == Instant(history.Pending) }

// maxDepth is how deep operations may be nested: an extension, its base
// operations, and a few levels of calls between them.
const maxDepth = 8

// Validate checks what the drawings rely on: indices that exist, returns
// after calls, inner operations within outer ones, and a linearization that
// keeps the order in time.
func (p *Picture) Validate() error {
	seen := map[string]bool{}
	for _, t := range p.Threads {
		if seen[t] {
			return fmt.Errorf("thread %q is listed twice", t)
		}
		seen[t] = true
	}
	for i := range p.Operations {
		if err := p.Operations[i].validate(1); err != nil {
			return fmt.Errorf("operation %d: %w", i, err)
		}
	}
	if p.Omitted < 0 {
		return fmt.Errorf("%d operations are omitted", p.Omitted)
	}
	if err := p.indices("core", p.Core); err != nil {
		return err
	}
	if err := p.indices("linearization", p.Linearization); err != nil {
		return err
	}
	return p.keepsTime()
}

func (o *Operation) validate(depth int) error {
	switch {
	case o.Method == "":
		return fmt.Errorf("it has no method")
	case depth > maxDepth:
		return fmt.Errorf("operations are nested more than %d deep", maxDepth)
	case int64(o.Return) < o.Call:
		return fmt.Errorf("%s is called at %d and returns before that, at %d", o.Method, o.Call, o.Return)
	case o.Pending() && len(o.Results) > 0:
		return fmt.Errorf("%s has results but did not return", o.Method)
	}
	for i := range o.Inner {
		in := &o.Inner[i]
		if err := in.validate(depth + 1); err != nil {
			return fmt.Errorf("inner operation %d: %w", i, err)
		}
		if in.Call < o.Call || in.Return > o.Return || in.Thread != o.Thread {
			return fmt.Errorf("inner operation %d, %s, is not within %s", i, in.Method, o.Method)
		}
	}
	return nil
}

// indices checks that a list names operations, each once.
func (p *Picture) indices(list string, at []int) error {
	seen := make([]bool, len(p.Operations))
	for _, i := range at {
		if i < 0 || i >= len(p.Operations) {
			return fmt.Errorf("%s: there is no operation %d", list, i)
		}
		if seen[i] {
			return fmt.Errorf("%s: operation %d is there twice", list, i)
		}
		seen[i] = true
	}
	return nil
}

// keepsTime checks that no operation of the linearization returned before
// one was called that stands earlier in it.
func (p *Picture) keepsTime() error {
	latest := -1
	for _, i := range p.Linearization {
		if latest < 0 || p.Operations[i].Call > p.Operations[latest].Call {
			latest = i
		}
		if int64(p.Operations[i].Return) < p.Operations[latest].Call {
			return fmt.Errorf("linearization: operation %d comes after operation %d, but returned before that was called", i, latest)
		}
	}
	return nil
}

// lanes are the threads in order, the unlisted ones included.
func (p *Picture) lanes() []string {
	lanes := slices.Clone(p.Threads)
	known := map[string]bool{}
	for _, t := range lanes {
		known[t] = true
	}
	for i := range p.Operations {
		if t := p.Operations[i].Thread; !known[t] {
			known[t] = true
			lanes = append(lanes, t)
		}
	}
	return lanes
}

// Cut is the picture with at most limit operations: the core if there is
// one, else the operations that were called first. Threads that have no
// operation left are left out. The picture itself is not changed.
func (p *Picture) Cut(limit int) *Picture {
	if len(p.Operations) <= limit {
		return p
	}
	keep := p.earliest(p.Core, limit)
	c := *p
	c.Operations, c.Threads, c.Linearization, c.Core = nil, nil, nil, nil
	c.Omitted += len(p.Operations) - len(keep)
	renumbered := make(map[int]int, len(keep))
	used := map[string]bool{}
	for _, i := range keep {
		renumbered[i] = len(c.Operations)
		c.Operations = append(c.Operations, p.Operations[i])
		used[p.Operations[i].Thread] = true
	}
	for _, t := range p.lanes() {
		if used[t] {
			c.Threads = append(c.Threads, t)
		}
	}
	c.Linearization = renumber(p.Linearization, renumbered)
	c.Core = renumber(p.Core, renumbered)
	return &c
}

// earliest are the first limit operations of a list, or of all if the list
// is empty, by call, given back in the order of the picture.
func (p *Picture) earliest(among []int, limit int) []int {
	at := slices.Clone(among)
	if len(at) == 0 {
		for i := range p.Operations {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(x, y int) int {
		return compare(p.Operations[x].Call, p.Operations[y].Call)
	})
	at = at[:min(limit, len(at))]
	slices.Sort(at)
	return at
}

func compare(x, y int64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func renumber(at []int, to map[int]int) []int {
	var out []int
	for _, i := range at {
		if n, ok := to[i]; ok {
			out = append(out, n)
		}
	}
	return out
}
