package explore

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/checker/explore/reach"
)

// newOrder is a model that is wrong about the order of A and B. B always says
// that it came first, which is right only if A and B overlap. If A is done
// already it takes a step more, so that this run is found later.
func newOrder() *Model {
	const none, aFirst, bFirst = 0, 1, 2
	became := func(first byte) Sequential {
		return func(state []byte, _ byte) ([]byte, Words) {
			if state[0] != none {
				return state, Words{}
			}
			return []byte{first}, Words{}
		}
	}
	m := NewModel("order", Bounds{Threads: 2, Operations: 2}, Object{Initial: []byte{none}, Words: UpTo(2), Methods: map[string]Sequential{
		"A": became(aFirst), "B": became(bFirst),
		"first": func(state []byte, _ byte) ([]byte, Words) { return state, NewWords(state[0]) },
	}})
	a, b := m.Shared(UpTo(2)), m.Shared(UpTo(1))
	callA := m.Method("A", NoArgument, UpTo(0))
	m.Atomic("a := started", func(x *Thread) { x.Set(a, 1) })
	m.Atomic("a := done", func(x *Thread) {
		x.Set(a, 2)
		x.Return()
	})
	callB := m.Method("B", NoArgument, UpTo(0))
	m.Atomic("wait until a is started", func(x *Thread) {
		switch x.Get(a) {
		case 0:
			x.Block()
		case 1:
			x.Set(b, 1)
			x.Return()
		}
	})
	m.Atomic("b := done", func(x *Thread) {
		x.Set(b, 1)
		x.Return()
	})
	callFirst := m.Method("first", NoArgument, UpTo(2))
	m.Atomic("return B", func(x *Thread) {
		if x.Get(a) < 2 {
			x.Block()
		}
		x.Return(bFirst)
	})
	m.Clients(func(thread, called int) []Call {
		plan := [][]MethodID{{callA}, {callB, callFirst}}[thread]
		if called == len(plan) {
			return nil
		}
		return []Call{{Method: plan[called]}}
	})
	return m
}

// TestCommonLinearization explores the model with the condition of section
// 5.1, that a stored history and the one found have a linearization in common.
func TestCommonLinearization(t *testing.T) {
	r, err := newRun(newOrder(), Options{})
	require.NoError(t, err)
	sets := r.observer.(*candidates)
	inclusion := r.system.Covers
	gaveUp := false
	r.system.Covers = func(stored, found int32) bool {
		x, y := sets.table.get(stored), sets.table.get(found)
		for _, p := range x.all {
			for _, q := range y.all {
				if p == q {
					gaveUp = gaveUp || !inclusion(stored, found)
					return true
				}
			}
		}
		return false
	}
	found, err := reach.Explore(context.Background(), &r.system, r.options())
	require.NoError(t, err)
	assert.Empty(t, found.Reason)
	assert.Nil(t, found.Path, "it misses the violation")
	assert.True(t, gaveUp)

	sound, err := Explore(context.Background(), newOrder(), Options{})
	require.NoError(t, err)
	assert.Equal(t, reach.Violation, sound.Verdict)
	assert.Equal(t, "1:A 1 2:B 2 2:first", sound.Trace.Schedule())
}
