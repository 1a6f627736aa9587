package snapshot

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// An interval is an operation for the oracle, as plain as it can be: when it
// was open, and what it does to an array. It tries all orders and knows
// nothing of simple histories, automata or graphs.
type interval struct {
	call, ret int // ret is math.MaxInt if it did not return
	take      func(array []int64) bool
}

// bruteForce decides whether some order of the operations that keeps the one
// in time and has all that returned explains every result.
func bruteForce(ops []interval, array []int64) bool {
	done := make([]bool, len(ops))
	var place func() bool
	place = func() bool {
		deadline, all := math.MaxInt, true
		for i, op := range ops {
			if !done[i] && op.ret != math.MaxInt {
				deadline, all = min(deadline, op.ret), false
			}
		}
		if all {
			return true
		}
		for i, op := range ops {
			if done[i] || op.call > deadline {
				continue
			}
			before := append([]int64(nil), array...)
			if op.take(array) {
				done[i] = true
				if place() {
					return true
				}
				done[i] = false
			}
			copy(array, before)
		}
		return false
	}
	return place()
}

// intervals are the operations of a simple history for the oracle.
func (h *Simple) intervals() []interval {
	open := make([]int, h.Processes)
	var ops []interval
	for at, a := range h.Actions {
		switch a.Event {
		case InvokeUpdate:
			open[a.Process] = len(ops)
			ops = append(ops, interval{call: at, ret: math.MaxInt, take: func(array []int64) bool {
				array[a.Process] = int64(a.Values)
				return true
			}})
		case InvokeScan:
			open[a.Process] = len(ops)
			ops = append(ops, interval{call: at, ret: math.MaxInt, take: func([]int64) bool { return true }})
		case ReturnUpdate:
			ops[open[a.Process]].ret = at
		case ReturnScan:
			op := &ops[open[a.Process]]
			op.ret = at
			op.take = func(array []int64) bool {
				for p, v := range array {
					want := int64(0)
					switch {
					case p == h.I && a.Values&1 != 0, p == h.J && a.Values&2 != 0:
						want = 1
					}
					if v != want {
						return false
					}
				}
				return true
			}
		}
	}
	return ops
}

func (h *Simple) linearizable() bool { return bruteForce(h.intervals(), make([]int64, h.Processes)) }

// randomSimple is any simple history: the scans return anything.
func randomSimple(r *rand.Rand) *Simple {
	h := Generator{Processes: 2 + r.IntN(3), Length: 1 + r.IntN(18), Seed: r.Uint64()}.Simple()
	if r.IntN(4) == 0 {
		return h
	}
	for changes := 2 + r.IntN(5); changes > 0; changes-- {
		if at := r.IntN(len(h.Actions)); h.Actions[at].Event == ReturnScan {
			h.Actions[at].Values = Values(r.IntN(4))
		}
	}
	return h
}

// rounds is the number of random histories: the environment variable
// SNAPSHOT_ROUNDS says how many in a longer run.
func rounds(t *testing.T, usual int) int {
	text := os.Getenv("SNAPSHOT_ROUNDS")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// sub is the history of some operations alone, given by their invocations.
func (h *Simple) sub(core []int, end int) *Simple {
	some := *h
	some.Actions = nil
	inside := make([]bool, h.Processes)
	for at, a := range h.Actions[:end+1] {
		if a.Event == InvokeUpdate || a.Event == InvokeScan {
			inside[a.Process] = len(core) > 0 && core[0] == at
			if inside[a.Process] {
				core = core[1:]
			}
		}
		if inside[a.Process] {
			some.Actions = append(some.Actions, a)
		}
	}
	return &some
}

// The automata agree with brute force, on where a history goes wrong and on
// the few operations that are to blame.
func TestAutomataAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 10))
	var wrong int
	seen := map[Property]int{}
	for round := range rounds(t, 200_000) {
		h := randomSimple(r)
		require.NoError(t, h.Validate())
		v := h.Test()
		require.Equal(t, h.linearizable(), v == nil, "round %d: %+v", round, h)
		if v == nil {
			continue
		}
		wrong++
		seen[v.Property]++
		prefix := *h
		prefix.Actions = h.Actions[:v.At]
		require.True(t, prefix.linearizable(), "round %d: wrong before %d: %+v", round, v.At, h)
		prefix.Actions = h.Actions[:v.At+1]
		require.False(t, prefix.linearizable())
		require.False(t, h.sub(v.Core, v.At).linearizable(), "round %d: core %v of %+v", round, v.Core, h)
	}
	t.Logf("%d histories are not linearizable: %v", wrong, seen)
	require.Len(t, seen, 3)
}
