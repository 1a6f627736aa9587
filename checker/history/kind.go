package history

import "fmt"

// A Kind is the abstract type of the object that a history is about.
type Kind uint8

// The kinds that have a monitor. Unknown is every other object: its history
// is decided by the general search and a model of the user's.
const (
	Unknown Kind = iota
	Stack
	Queue
	PriorityQueue
	Set
	Register
	Map
)

var kindNames = [...]string{
	Unknown:       "unknown",
	Stack:         "stack",
	Queue:         "queue",
	PriorityQueue: "priorityqueue",
	Set:           "set",
	Register:      "register",
	Map:           "map",
}

// String gives the kind as a history's header spells it.
func (k Kind) String() string { return kindNames[k] }

// ParseKind is the inverse of String. It fails for "unknown" and for every
// word that names no kind, and says which words do.
func ParseKind(s string) (Kind, error) {
	for k := Stack; k <= Map; k++ {
		if kindNames[k] == s {
			return k, nil
		}
	}
	return Unknown, fmt.Errorf("unknown kind of object %q: want stack, queue, priorityqueue, set, register or map", s)
}
