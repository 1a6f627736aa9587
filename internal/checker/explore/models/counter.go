package models

import "github.com/mapatom/mapatom/internal/checker/explore"

// counter is the counterexample of Doolan et al. to their external checking.
// Its second operation is to do nothing, but makes the counter 1 if it is 0.
// The state after it is one that a right history leads to as well, namely the
// first operation.
func counter(b explore.Bounds) *explore.Model {
	m := explore.NewModel("counter", b, explore.Object{Initial: []byte{0}, Words: explore.UpTo(maxCount), Methods: map[string]explore.Sequential{
		"operation1": func(state []byte, _ byte) ([]byte, explore.Words) {
			return []byte{state[0] + 1}, explore.NewWords(state[0] + 1)
		},
		"operation2": func(state []byte, _ byte) ([]byte, explore.Words) { return state, explore.NewWords(1) },
	}})
	n := m.Shared(explore.UpTo(maxCount))

	m.Method("operation1", explore.NoArgument, explore.UpTo(maxCount))
	m.Atomic("x++, return x", func(x *explore.Thread) {
		x.Set(n, x.Get(n)+1)
		x.Return(x.Get(n))
	})

	m.Method("operation2", explore.NoArgument, explore.UpTo(1))
	m.Atomic("if x = 0, x := 1", func(x *explore.Thread) {
		x.CAS(n, 0, 1)
		x.Return(1)
	})
	return m
}

// maxCount is enough for the calls of any bounds.
const maxCount = 255
