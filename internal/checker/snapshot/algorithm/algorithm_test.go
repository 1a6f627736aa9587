package algorithm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// run has a process do an operation from its invocation to its return, and gives
// what it returned.
func run(t *testing.T, m *Machine, state []byte, p int, op Operation) View {
	var x Thread
	v, returned := m.Begin(&x, state, p, op)
	m.Normalize(state)
	for steps := 0; !returned; steps++ {
		require.Less(t, steps, 1000, "it comes to no end")
		require.Equal(t, op, m.Open(state, p))
		v, returned = m.Step(&x, state, p)
		m.Normalize(state)
	}
	require.True(t, m.Idle(state, p))
	return v
}

// Alone, every operation does what it should, and so does the variant with the
// bug: the bugs are of concurrency.
func TestOneAfterTheOther(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, info := range All() {
		for round := range 100 {
			o := Options{Processes: 2 + r.IntN(9), Buggy: round%2 == 0, Full: round%3 == 0}
			if !o.Full && round%5 == 0 {
				o.Segments = []int{0, 1}
			}
			m, err := New(info.Name, o)
			require.NoError(t, err)
			state := make([]byte, m.StateSize())
			m.Init(state)
			m.Normalize(state)
			var array View
			for range 60 {
				p, op := r.IntN(o.Processes), Operation(r.IntN(3))
				if o.Segments != nil && p > 1 && op == Update1 || m.Vacuous(p, op) {
					continue
				}
				got := run(t, m, state, p, op)
				if op == Scan {
					require.Equal(t, array, got, "%s %+v", info.Name, o)
				} else {
					array = array.With(p, byte(op))
				}
			}
		}
	}
}

// Sort puts blocks in order and says where each process went; registers that
// name processes follow.
func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, info := range All() {
		m, err := New(info.Name, Options{Processes: 5, Segments: []int{0, 1}})
		require.NoError(t, err)
		if !m.Interchangeable() {
			continue
		}
		for range 200 {
			state := someState(m, r)
			sorted, to := slices.Clone(state), make([]uint8, 5)
			m.Sort(sorted, []int{2, 3, 4}, to)
			require.ElementsMatch(t, []uint8{0, 1, 2, 3, 4}, to)
			for p, q := range to {
				require.Equal(t, m.Idle(state, p), m.Idle(sorted, int(q)))
				require.Equal(t, m.Open(state, p), m.Open(sorted, int(q)))
			}
			again := slices.Clone(sorted)
			m.Sort(again, []int{2, 3, 4}, make([]uint8, 5))
			require.Equal(t, sorted, again, "%s: what is sorted stays as it is", info.Name)
		}
	}
}

// someState is a state after random steps.
func someState(m *Machine, r *rand.Rand) []byte {
	state := make([]byte, m.StateSize())
	m.Init(state)
	m.Normalize(state)
	var x Thread
	for range r.IntN(60) {
		p := r.IntN(5)
		if !m.Idle(state, p) {
			m.Step(&x, state, p)
		} else if op := Operation(r.IntN(3)); !m.Vacuous(p, op) && (op != Update1 || p < 2) {
			m.Begin(&x, state, p, op)
		}
		m.Normalize(state)
	}
	return state
}

func TestNew(t *testing.T) {
	_, err := New("x", Options{Processes: 3})
	require.EqualError(t, err, `unknown algorithm "x"`)
	_, err = New("bowman", Options{Processes: 17})
	require.EqualError(t, err, "17 processes, want 2 to 16")
}
