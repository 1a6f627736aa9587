package absint

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Witness is a concrete interleaving that no atomic order explains. It is
// complete: Replay runs it again and compares.
type Witness struct {
	// Params names the region's arguments, with the values they have.
	Params []Binding `json:"params,omitempty"`
	// Initial is what the cells hold at the start.
	Initial []Binding `json:"initial"`
	// Events are the steps of both sides in the order in which they happen.
	Events []Event `json:"events"`
	// Breaking is the index of the call's operation that acts on what is no
	// longer so: where a report points to.
	Breaking int `json:"breaking"`
	// Result is how the call ended.
	Result Ending `json:"result"`
	// Final is what the cells hold in the end.
	Final []Binding `json:"final"`
	// Atomic lists, for each place in the other goroutine's steps, what the
	// call gives if it runs there undisturbed, and why it is not the same.
	Atomic []Order `json:"atomic"`
}

// Binding is a name and a value.
type Binding struct {
	Name  string         `json:"name"`
	Value register.Value `json:"value"`
}

// Event is one step of one side.
type Event struct {
	// Other says that the environment does it, in one atomic step.
	Other bool `json:"other,omitempty"`
	// Op is what is done: "read", "write", "cas", "look", "swap", "delete",
	// or "run" with the name of a function of the package.
	Op string `json:"op"`
	// Cell is the index of the cell, or -1 for a run.
	Cell    int              `json:"cell"`
	Name    string           `json:"name,omitempty"`
	Args    []register.Value `json:"args,omitempty"`
	Results []register.Value `json:"results,omitempty"`
	// Pos is where the operation is; of a run, its first one.
	Pos register.Pos `json:"pos,omitzero"`
	// Point is the scheduling point of the call at which the environment
	// acts.
	Point int `json:"point,omitempty"`
}

// Ending is how a run ended.
type Ending struct {
	Panic   bool             `json:"panic,omitempty"`
	Label   string           `json:"label,omitempty"`
	Vals    []register.Value `json:"vals,omitempty"`
	Effects []string         `json:"effects,omitempty"`
}

// Order is the call run atomically at one place.
type Order struct {
	// After is how many of the environment's steps come before the call.
	After  int    `json:"after"`
	Result Ending `json:"result"`
	// Differs says what is not as it was: "result", "final", "other" (what
	// the environment was shown), or "endless" for a run that never ends.
	Differs string `json:"differs"`
	// Step is the environment's step, counted from 0, that would be shown
	// something else if Differs is "other", and Shown what it would be.
	Step  int              `json:"step,omitempty"`
	Shown []register.Value `json:"shown,omitempty"`
	// Final is what the cells would hold in the end.
	Final []Binding `json:"final,omitempty"`

	// panics says that the call can panic there, whatever unknown calls give it.
	panics bool
}

// breaking is the call's first operation after the environment's last
// change: it acts on what is no longer so. Where nothing follows a change,
// it is the call's last operation.
func breaking(events []Event) int {
	at, last, changed := -1, -1, false
	for i, ev := range events {
		switch {
		case ev.Other:
			changed = changed || ev.Op != "look"
		default:
			if changed {
				at, changed = i, false
			}
			last = i
		}
	}
	if at < 0 {
		return last
	}
	return at
}

// shape classes the witness by what its breaking operation does.
func (w *Witness) shape() Category {
	if w.Result.Panic && !slices.ContainsFunc(w.Atomic, func(o Order) bool { return o.panics }) {
		return Crash
	}
	if w.Breaking < 0 {
		return NonAtomic
	}
	ev := &w.Events[w.Breaking]
	removes := (ev.Op == "write" || ev.Op == "cas") && ev.Args[len(ev.Args)-1] == register.LitAbsent
	switch {
	case w.composite(w.Breaking):
		return NonAtomic
	case removes:
		return StaleDelete
	case ev.Op == "write" || ev.Op == "cas":
		return LostUpdate
	}
	return InconsistentRead
}

// composite reports whether the call's operation is one of several that the
// source makes in one atomic call, such as Add: that call loses nothing.
func (w *Witness) composite(i int) bool {
	pos := w.Events[i].Pos
	if pos.IsZero() {
		return false
	}
	for k, ev := range w.Events {
		if k != i && !ev.Other && ev.Pos == pos && (k == i+1 || k == i-1) && ev.Op != w.Events[i].Op {
			return true
		}
	}
	return false
}
