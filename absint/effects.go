package absint

import (
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Effect is something that a run did besides its operations.
type Effect struct {
	register.Action
	// Memory is what it changes, if it is a store.
	Memory register.Memory
	// Tail says that it comes after the last operation, and counts whatever it is done to.
	Tail bool
	// Loop says that it is done in a loop, perhaps often: Args are only what it is done to then, in no
	// order.
	Loop bool
	Args []register.Value
}

// newEffect is what an event of a run is.
func newEffect(ev *register.EffectEvent) Effect {
	name, tail := strings.CutPrefix(ev.Name, register.Then)
	in := register.Instr{Op: register.Effect, Name: name, Called: ev.Called}
	return Effect{Action: in.Effect(), Memory: in.Memory(), Tail: tail, Loop: ev.Beside > 0, Args: ev.Concerns()}
}

// String is the effect as a call of what it is named after.
func (e Effect) String() string {
	args := make([]string, len(e.Args))
	for i, v := range e.Args {
		args[i] = string(v)
	}
	text := register.EffectText(e.Name) + "(" + strings.Join(args, ", ") + ")"
	if e.Tail {
		text = register.Then + text
	}
	return text
}

// MarshalText is String, for JSON.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// Equal reports whether two effects are the same.
func (e Effect) Equal(o Effect) bool {
	return e.Kind == o.Kind && e.Name == o.Name && e.Tail == o.Tail && e.Loop == o.Loop && slices.Equal(e.Args, o.Args)
}

// SameEffects reports whether two runs did the same.
func SameEffects(a, b []Effect) bool { return slices.EqualFunc(a, b, Effect.Equal) }
