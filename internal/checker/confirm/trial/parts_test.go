package trial_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/internal/checker/confirm/trial"
)

// on is a call on a shared world.
func on(name string, f func(*shared) []any) trial.Call {
	return trial.Call{Name: name, Do: func(world any, _ []int) []any { return f(world.(*shared)) }}
}

func newShared() any { return new(shared) }

// work does what it was given unless others do.
func (s *shared) work() []any {
	if s.n.Load() >= 1 { // work
		return []any{false}
	}
	s.n.Add(1) // work
	defer s.n.Add(-1)
	trial.Ran(s)
	return []any{true}
}

// workAlone does too, and looks and counts in one step.
func (s *shared) workAlone() []any {
	if !s.n.CompareAndSwap(0, 1) { // alone
		return []any{false}
	}
	defer s.n.Store(0)
	v := s.n.Load() // alone
	trial.Ran(s)
	return []any{v == 1}
}

// TestParts: what shows only while another call is at work is found where that is
// interrupted as well.
func TestParts(t *testing.T) {
	c := trial.Case{Sites: sites(t, "work"), New: made(newShared), Call: on("work", (*shared).work)}
	assert.Equal(t, trial.NotConfirmed, try(t, &c).Verdict)
	c.Parts = true
	r := try(t, &c)
	require.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
	assert.Equal(t, "[2]", r.History.After[0].Result)
	mine, other := r.History.Calls[0], r.History.Calls[1]
	assert.Less(t, other.Begin, mine.End)
	assert.Less(t, mine.Steps[1].At, other.End)

	c = trial.Case{Sites: sites(t, "alone"), New: made(newShared), Call: on("workAlone", (*shared).workAlone), Parts: true}
	r = try(t, &c)
	assert.Equal(t, trial.NotConfirmed, r.Verdict, r.Reason)
	assert.True(t, r.Thorough, r.Reason)
}

// halve takes a lock that the other call needs before its own part of the matter.
func (s *shared) halve() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.n.Load()  // halve
	s.n.Store(n / 2) // halve
	return nil
}

func (s *shared) addTwo() []any {
	s.mu.Lock()
	s.seen++ // as where something is looked up
	s.mu.Unlock()
	s.n.Add(2)
	return nil
}

// TestPartsAroundLock: a call that has passed its lock comes in between.
func TestPartsAroundLock(t *testing.T) {
	c := trial.Case{
		Sites: sites(t, "halve"), New: made(newShared), Call: on("halve", (*shared).halve),
		Others: []trial.Call{on("addTwo", (*shared).addTwo)}, Parts: true,
	}
	r := try(t, &c)
	require.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
	assert.Equal(t, []string{"[0]"}, r.History.Final)
}

// begin starts something that is done again and again, once.
func (s *shared) begin() []any {
	if !s.n.CompareAndSwap(0, 1) { // begun
		return nil
	}
	s.m.Store("k", true) // begun
	s.again()
	return nil
}

func (s *shared) beginTwice() []any {
	if s.n.Load() == 0 { // twice
		s.n.Store(1) // twice
		s.again()
	}
	return nil
}

func (s *shared) again() {
	sched.Go(func() {
		for range 3 {
			sched.Sleeper(time.Sleep)(time.Second)
			trial.Ran(s)
		}
	})
}

// TestGoesOnCalling: that something is done again and again by two shows when time
// passes.
func TestGoesOnCalling(t *testing.T) {
	c := trial.Case{Sites: sites(t, "twice"), New: made(newShared), Call: on("beginTwice", (*shared).beginTwice), Runs: true, Goes: true}
	r := try(t, &c)
	require.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
	require.Len(t, r.History.After, 2)
	assert.Equal(t, "[2]", r.History.After[1].Result)

	c.Sites, c.Call = sites(t, "begun"), on("begin", (*shared).begin)
	r = try(t, &c)
	assert.Equal(t, trial.NotConfirmed, r.Verdict, r.Reason)
}

// TestLeft: what another call has registered is gone although nothing of that call's own
// has taken it away.
func TestLeft(t *testing.T) {
	c := trial.Case{
		Sites: sites(t, "left"), New: made(newStore),
		Call: method("forgets", func(s *store) []any {
			s.m.Store("k", new(int)) // left
			sched.Go(func() {
				s.m.Delete("k") // left
			})
			return nil
		}),
	}
	r := try(t, &c)
	require.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
	assert.Equal(t, []string{""}, emptied(r.History.Final))

	c.Sites = sites(t, "taken")
	c.Call = method("takes", func(s *store) []any {
		mine := new(int)
		s.m.Store("k", mine) // taken
		sched.Go(func() {
			s.m.CompareAndDelete("k", mine) // taken
		})
		return nil
	})
	r = try(t, &c)
	assert.Equal(t, trial.NotConfirmed, r.Verdict, r.Reason)
	assert.True(t, r.Thorough, r.Reason)
}

// actor has others do what it is sent.
type actor struct {
	store
	tasks chan func()
}

// TestHandedOver: what somebody does who was there before, and whom a call has woken, is
// done by that call.
func TestHandedOver(t *testing.T) {
	actors := func(do func(func())) func() any {
		return func() any {
			a := &actor{tasks: make(chan func())}
			sched.Go(func() {
				for task := range sched.Received(a.tasks) {
					do(task)
				}
			})
			return a
		}
	}
	count := trial.Call{Name: "count", Do: func(world any, _ []int) []any {
		a := world.(*actor)
		sched.Sender(a.tasks)(func() {
			v, _ := a.m.Load("k") // handed
			n, _ := v.(int)
			a.m.Store("k", n+1) // handed
		})
		return nil
	}}
	c := trial.Case{Sites: sites(t, "handed"), New: made(actors(sched.Go)), Call: count}
	r := try(t, &c)
	require.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
	assert.Equal(t, []string{"[1]"}, r.History.Final)

	c.New = made(actors(func(task func()) { task() }))
	r = try(t, &c)
	assert.Equal(t, trial.NotConfirmed, r.Verdict, r.Reason)
}
