package trial_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
	"github.com/mapatom/mapatom/internal/checker/confirm/trial"
)

// forgets registers a value, and forgets the key when what it started is over.
func (s *store) forgets(start func(func())) []any {
	mine := new(int)
	s.m.Store("k", mine) // forgets
	start(func() {
		s.m.Delete("k") // forgets
	})
	return nil
}

// forgetsOwn forgets only what it has registered.
func (s *store) forgetsOwn(start func(func())) []any {
	mine := new(int)
	s.m.Store("k", mine) // own
	start(func() {
		s.m.CompareAndDelete("k", mine) // own
	})
	return nil
}

func byTimer(f func()) { sched.Later(time.AfterFunc)(time.Minute, f) }

func put(s *store) []any {
	s.m.Store("k", 7)
	return nil
}

func has(s *store) []any {
	_, ok := s.m.Load("k")
	return []any{ok}
}

// TestGoesOn: an extension whose second part a goroutine does, or a timer, takes back
// what another call changed after the first had returned. That somebody sees what
// is there until then proves nothing.
func TestGoesOn(t *testing.T) {
	for name, start := range map[string]func(func()){"goroutine": sched.Go, "timer": byTimer} {
		t.Run(name, func(t *testing.T) {
			c := trial.Case{
				Sites: sites(t, "forgets"), New: made(newStore), Later: name == "timer",
				Call:   method("forgets", func(s *store) []any { return s.forgets(start) }),
				Others: []trial.Call{method("put", put)},
			}
			r := try(t, &c)
			require.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
			assert.Equal(t, []string{""}, emptied(r.History.Final))
			assert.Less(t, r.History.Calls[0].End, r.History.Calls[1].Begin)
			assert.Less(t, r.History.Calls[1].End, r.History.Calls[0].Steps[1].At)

			c.Sites = sites(t, "own")
			c.Call = method("forgetsOwn", func(s *store) []any { return s.forgetsOwn(start) })
			c.Others = append(c.Others, method("has", has))
			r = try(t, &c)
			assert.Equal(t, trial.NotConfirmed, r.Verdict, r.Reason)
			assert.True(t, r.Thorough, r.Reason)
		})
	}
}

// emptied has no value for a cell that holds nothing.
func emptied(final []string) (all []string) {
	for _, text := range final {
		if text == "[]" {
			text = ""
		}
		all = append(all, text)
	}
	return all
}

// TestWaitsForItsGoroutine: a call of B's that waits for a goroutine of its own is
// done when that is, before A goes on.
func TestWaitsForItsGoroutine(t *testing.T) {
	add := method("add", func(s *store) []any {
		done := make(chan struct{})
		sched.Go(func() {
			v, _ := s.m.Load("k") // waited
			n, _ := v.(int)
			s.m.Store("k", n+1) // waited
			sched.Close(done)
		})
		sched.Receive(done)
		return nil
	})
	r := try(t, &trial.Case{Sites: sites(t, "waited"), New: made(newStore), Call: add})
	require.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
	assert.Equal(t, []string{"[1]"}, r.History.Final)
}

// TestStoredAnew: what others store in an open cell is no object that another
// execution has changed.
func TestStoredAnew(t *testing.T) {
	count := method("count", func(s *store) []any {
		v, ok := s.m.Load("k") // counts
		if !ok {
			v, _ = s.m.LoadOrStore("k", new(atomic.Int64)) // counts
		}
		return []any{v.(*atomic.Int64).Add(1)}
	})
	r := try(t, &trial.Case{Sites: sites(t, "counts"), New: made(newStore), Call: count, Open: true})
	assert.Equal(t, trial.NotConfirmed, r.Verdict, r.Reason)
}

// shared is a world that counts what it was given.
type shared struct {
	trial.Same
	store
}

// TestRuns: two callers both have their function run, of which one is to.
func TestRuns(t *testing.T) {
	once := trial.Call{Name: "once", Do: func(world any, _ []int) []any {
		w := world.(*shared)
		if _, ok := w.m.Load("k"); !ok { // once
			w.m.Store("k", true) // once
			trial.Ran(world)
		}
		return nil
	}}
	c := trial.Case{Sites: sites(t, "once"), New: made(func() any { return new(shared) }), Call: once, Deep: true}
	assert.Equal(t, trial.NotConfirmed, try(t, &c).Verdict)
	c.Runs = true
	r := try(t, &c)
	require.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
	require.Len(t, r.History.After, 1)
	assert.Equal(t, "[2]", r.History.After[0].Result)
}

// TestRunsWith: a count that nobody was told is lost, which shows in what the function
// was given; what has an identity does not count.
func TestRunsWith(t *testing.T) {
	for told, want := range map[string]trial.CaseVerdict{"the count": trial.Confirmed, "a pointer": trial.NotConfirmed} {
		flush := trial.Call{Name: "flush", Do: func(world any, _ []int) []any {
			w := world.(*shared)
			v, _ := w.m.Load("k") // flush
			n, _ := v.(int)
			w.m.Store("k", 0) // flush
			if told == "the count" {
				trial.Ran(world, n)
			} else {
				trial.Ran(world, &n)
			}
			return nil
		}}
		add := trial.Call{Name: "add", Do: func(world any, _ []int) []any {
			w := world.(*shared)
			w.m.Store("k", 1)
			return nil
		}}
		c := trial.Case{Sites: sites(t, "flush"), New: made(func() any { return new(shared) }), Call: flush, Others: []trial.Call{add}, Runs: true}
		assert.Equal(t, want, try(t, &c).Verdict, told)
	}
}
