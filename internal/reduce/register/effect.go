package register

import (
	"slices"
	"strings"
)

// EffectKind is what an effect is.
type EffectKind int

const (
	// NoEffect is that of any other instruction.
	NoEffect EffectKind = iota
	// Called is a call of a function.
	Called
	// Started is a goroutine that begins.
	Started
	// Sent and Closed are what is done to a channel.
	Sent
	Closed
	// Cleared and Copied are done by the built-in functions.
	Cleared
	Copied
	// Stored is a store to memory, see Instr.Memory.
	Stored
	// Operated is an operation on another cell, which is not followed.
	Operated
)

// Action is what an effect does.
type Action struct {
	Kind EffectKind
	// Name is the effect's, in a tail or not: it tells the same from another.
	Name string
	// Callee is the function that is Called or Started, as a person writes it; "" if it
	// is a literal, or a value of which nothing is known.
	Callee string
}

// The names of effects that are no calls. No function can have one: there is a space
// in it.
const (
	SendEffect  = "chan send"
	CloseEffect = "chan close"
	ClearEffect = "memory clear"
	CopyEffect  = "memory copy"
	// StartEffect begins the name of a goroutine, and is followed by its function, or
	// by Literal.
	StartEffect = "go "
	cellEffect  = "cell "
	// StoreCaptured stores to a variable that belongs to a function around this one.
	StoreCaptured = "store captured variable"
)

// What has no name of its own: a function literal, and a function value of which
// nothing is known.
const (
	Literal = "func"
	Unnamed = "func value"
)

// OperationEffect is the name of the effect that an operation on another cell is.
func OperationEffect(op Op) string { return cellEffect + OpWords[op] }

var namedActions = map[string]EffectKind{
	SendEffect: Sent, CloseEffect: Closed, ClearEffect: Cleared, CopyEffect: Copied, StoreCaptured: Stored, Unnamed: Called,
}

// Effect is what an instruction does if it is an effect, in a tail or not. The names
// that Lower gives to effects are read here and in Memory, and nowhere else.
func (in *Instr) Effect() Action {
	if in.Op != Effect {
		return Action{}
	}
	name := strings.TrimPrefix(in.Name, Then)
	if in.Called {
		return Action{Called, name, name}
	}
	started, isStart := strings.CutPrefix(name, StartEffect)
	kind, isNamed := namedActions[name]
	switch {
	case isNamed:
		return Action{kind, name, ""}
	case isStart && started == Literal:
		return Action{Started, name, ""}
	case isStart:
		return Action{Started, name, started}
	case strings.HasPrefix(name, cellEffect):
		return Action{Operated, name, ""}
	case strings.HasPrefix(name, "store "), stored(name).Kind != NoMemory:
		return Action{Stored, name, ""}
	}
	return Action{Called, name, name}
}

// EffectText is the name of an effect as readers know it: without what says that it is
// no call.
func EffectText(name string) string {
	if rest, ok := strings.CutPrefix(name, Then); ok {
		return Then + EffectText(rest)
	}
	for _, first := range []string{cellEffect, "chan ", "memory "} {
		if rest, ok := strings.CutPrefix(name, first); ok {
			return rest
		}
	}
	return name
}

// Site is what an Unknown or a Fresh is of, without the number that tells it from
// others: the function that was called, or a type.
func (in *Instr) Site() string {
	name, _, _ := strings.Cut(in.Name, "#")
	return name
}

// IsLater reports whether an Unknown at a site, with or without its number, goes by a clock.
func IsLater(site string) bool {
	name, _, _ := strings.Cut(site, "#")
	return strings.HasSuffix(name, Later)
}

// What is received from a channel is of unknown calls with these names, by itself or where one of several
// channels is waited for.
const (
	Receive = "receive"
	Select  = "select"
)

// IsReceived reports whether an instruction gives what was received from a channel.
func (in *Instr) IsReceived() bool {
	return in.Op == Unknown && (in.Site() == Receive || in.Site() == Select)
}

// Changes reports whether an effect certainly changes something, as opposed to a call
// of which nothing is known.
func (a Action) Changes() bool {
	return slices.Contains([]EffectKind{Sent, Closed, Cleared, Copied, Stored}, a.Kind)
}
