package explore

import "github.com/mapatom/mapatom/checker/history"

// An Object is the sequential object that a model is to behave like.
type Object struct {
	// Kind is what a recorded history of it is called.
	Kind history.Kind
	// Initial is its state at the start.
	Initial []byte
	// Words is what the bytes of its states are: values, or numbers.
	Words Kind
	// Methods are what it does, by name.
	Methods map[string]Sequential
}

// A Sequential is a method of an object: it returns the next state and the
// result, and leaves the state that it is given as it is.
type Sequential func(state []byte, argument byte) (next []byte, result Words)

// NewStack is a stack with push(v) and pop() = v, or 0 if it is empty. The
// last of the values that it holds at the start is on top.
func NewStack(values ...byte) Object {
	return Object{Kind: history.Stack, Initial: values, Words: Value, Methods: map[string]Sequential{
		"push": pushRight, "pop": popRight,
	}}
}

// NewQueue is a queue with enq(v) and deq() = v, or 0 if it is empty.
func NewQueue(values ...byte) Object {
	return Object{Kind: history.Queue, Initial: values, Words: Value, Methods: map[string]Sequential{
		"enq": pushRight, "deq": popLeft,
	}}
}

// NewBoundedQueue is a queue with enq(v) = 1, or 0 if it holds capacity
// values, and deq() = v, or 0 if it is empty.
func NewBoundedQueue(capacity int, values ...byte) Object {
	return Object{Initial: values, Words: Value, Methods: map[string]Sequential{
		"enq": func(state []byte, v byte) ([]byte, Words) {
			if len(state) >= capacity {
				return state, NewWords(0)
			}
			next, _ := pushRight(state, v)
			return next, NewWords(1)
		},
		"deq": popLeft,
	}}
}

// NewDeque is a deque with pushLeft(v), pushRight(v), popLeft() and
// popRight(), which return 0 if it is empty.
func NewDeque(values ...byte) Object {
	return Object{Initial: values, Words: Value, Methods: map[string]Sequential{
		"pushLeft": pushLeft, "pushRight": pushRight, "popLeft": popLeft, "popRight": popRight,
	}}
}

func pushRight(state []byte, v byte) ([]byte, Words) {
	return append(state[:len(state):len(state)], v), Words{}
}

func pushLeft(state []byte, v byte) ([]byte, Words) {
	return append([]byte{v}, state...), Words{}
}

func popRight(state []byte, _ byte) ([]byte, Words) {
	if len(state) == 0 {
		return state, NewWords(0)
	}
	return state[:len(state)-1], NewWords(state[len(state)-1])
}

func popLeft(state []byte, _ byte) ([]byte, Words) {
	if len(state) == 0 {
		return state, NewWords(0)
	}
	return state[1:], NewWords(state[0])
}

// NewSet is a set of the numbers 1 to 8 with add(k), remove(k) and
// contains(k), which return 1 if they changed the set or found the number.
func NewSet() Object {
	had := func(state []byte, k byte) byte { return state[0] >> (k - 1) & 1 }
	return Object{Kind: history.Set, Initial: []byte{0}, Words: UpTo(255), Methods: map[string]Sequential{
		"add": func(state []byte, k byte) ([]byte, Words) {
			return []byte{state[0] | 1<<(k-1)}, NewWords(1 - had(state, k))
		},
		"remove": func(state []byte, k byte) ([]byte, Words) {
			return []byte{state[0] &^ (1 << (k - 1))}, NewWords(had(state, k))
		},
		"contains": func(state []byte, k byte) ([]byte, Words) { return state, NewWords(had(state, k)) },
	}}
}
