package trial_test

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
	"github.com/mapatom/mapatom/checker/sched/sync"
	"github.com/mapatom/mapatom/internal/checker/confirm/trial"
)

// sites are the lines of the calling file that end in a comment with the mark.
func sites(t *testing.T, mark string) []trial.Site {
	_, file, _, _ := runtime.Caller(1)
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	var all []trial.Site
	for i, line := range strings.Split(string(source), "\n") {
		if strings.HasSuffix(line, "// "+mark) {
			all = append(all, trial.Site{File: file, Line: i + 1, Stands: i + 1})
		}
	}
	require.NotEmpty(t, all, mark)
	return all
}

// made is a New that takes nothing.
func made(object func() any) trial.Call {
	return trial.Call{Name: "new", Do: func(any, []int) []any { return []any{object()} }}
}

func words(n int) [][]string {
	return [][]string{strings.Split("a b c d", " ")[:n]}
}

type store struct {
	mu sync.Mutex
	m  sync.Map
	n  atomic.Int64
	// seen is guarded by mu.
	seen int
}

// increment loses updates.
func (s *store) increment() { // on the cell "k"
	v, _ := s.m.Load("k") // increment
	n, _ := v.(int)
	s.m.Store("k", n+1) // increment
}

func (s *store) locked() {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, _ := s.m.Load("k") // locked
	n, _ := v.(int)
	s.m.Store("k", n+1) // locked
}

// sweep looks at entries and leaves them: what it meets depends on what is
// there.
func (s *store) sweep() {
	s.m.Range(func(k, v any) bool { // sweep
		if v == 5 {
			s.m.Delete(k) // sweep
		}
		return true
	})
}

// first returns what was there in the beginning, and goes on for long.
func (s *store) first() any {
	v, _ := s.m.Load("k") // first
	for i := range 10 {
		s.n.Store(int64(i)) // first
	}
	return v
}

// handed waits, in the middle, for the lock that slow holds all the time.
func (s *store) handed() any {
	v, _ := s.m.Load("k")
	s.mu.Lock()
	defer s.mu.Unlock()
	w, _ := s.m.Load("k")
	return v == w
}

func (s *store) slow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n.Add(1)        // slow
	s.m.Store("k", 1) // slow
	s.n.Add(1)        // slow
}

// writesLocked loses updates of n.
func (s *store) writesLocked() {
	v := s.n.Load()  // writes locked
	s.mu.Lock()      // writes locked
	s.n.Store(v + 1) // writes locked
	s.mu.Unlock()
}

func newStore() any { return new(store) }

// method is a call that takes nothing.
func method(name string, f func(*store) []any) trial.Call {
	return trial.Call{Name: name, Do: func(w any, _ []int) []any { return f(w.(*store)) }}
}

func try(t *testing.T, c *trial.Case) *trial.Report {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return trial.Run(ctx, t, c)
}

// TestSectionIsToldOnce: the lock of a section that is told by the operation in it, and that
// operation, are one line.
func TestSectionIsToldOnce(t *testing.T) {
	all := sites(t, "writes locked")
	all[1].Stands = all[2].Stands
	r := try(t, &trial.Case{
		Sites: all, New: made(newStore),
		Call: method("writesLocked", func(s *store) []any { s.writesLocked(); return nil }),
		Ends: []trial.Call{method("n", func(s *store) []any { return []any{s.n.Load()} })},
	})
	require.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
	var lines []int
	for _, step := range r.History.Calls[0].Steps {
		lines = append(lines, step.Line)
	}
	assert.Equal(t, []int{all[0].Line, all[2].Line}, lines)
}

func TestLostUpdate(t *testing.T) {
	r := try(t, &trial.Case{
		Sites: sites(t, "increment"), New: made(newStore),
		Call: method("increment", func(s *store) []any { s.increment(); return nil }),
	})
	require.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
	require.Len(t, r.History.Calls, 2)
	mine, other := r.History.Calls[0], r.History.Calls[1]
	assert.Len(t, mine.Steps, 2)
	assert.Less(t, mine.Steps[0].At, other.Begin)
	assert.Less(t, other.End, mine.Steps[1].At)
	assert.Equal(t, []string{"[1]"}, r.History.Final)
	for _, s := range r.Serial {
		assert.Equal(t, []string{"[2]"}, s.Final)
	}
	_, err := sched.Parse(r.Schedule)
	assert.NoError(t, err)
}

// TestNotConfirmed are extensions that are atomic, and what could be taken for
// a proof that they are not.
func TestNotConfirmed(t *testing.T) {
	put := trial.Call{Name: "put", Args: words(2), Do: func(w any, args []int) []any {
		w.(*store).m.Store("k", args[0])
		return nil
	}}
	for name, c := range map[string]trial.Case{
		"locked": {Call: method("locked", func(s *store) []any { s.locked(); return nil })},
		// The cell is met only where there is an entry.
		"sweep": {Call: method("sweep", func(s *store) []any { s.sweep(); return nil }), Others: []trial.Call{
			put, method("drop", func(s *store) []any { s.m.Delete("k"); return nil }),
		}},
		// Steps of the other thread before and after all of many operations.
		"first": {Call: method("first", func(s *store) []any { return []any{s.first()} }), Others: []trial.Call{put}},
		// The other call is not atomic, which is not the fault of this one.
		"slow": {Call: method("slow", func(s *store) []any { s.slow(); return nil }), Others: []trial.Call{
			method("handed", func(s *store) []any { return []any{s.handed()} }),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c.Sites, c.New = sites(t, name), made(newStore)
			r := try(t, &c)
			assert.Equal(t, trial.NotConfirmed, r.Verdict, "%+v", r.History)
			reason := "every execution of "
			if name == "locked" || name == "slow" {
				reason = "no call gets between the base operations"
			}
			assert.Contains(t, r.Reason, reason)
		})
	}
}

// TestRandomCode: results that differ from run to run prove nothing, and that
// is said.
func TestRandomCode(t *testing.T) {
	runs := 0
	r := try(t, &trial.Case{
		Sites: sites(t, "increment"), New: made(newStore),
		Call: method("increment", func(s *store) []any { s.increment(); runs++; return []any{runs} }),
	})
	assert.Equal(t, trial.CannotRun, r.Verdict)
	assert.Contains(t, r.Reason, "nondeterministic")
}

func TestCannotRun(t *testing.T) {
	increment := method("increment", func(s *store) []any { s.increment(); return nil })
	fails := trial.Call{Name: "newStore", Args: words(2), Do: func(any, []int) []any { panic("no room") }}
	for reason, c := range map[string]trial.Case{
		"the object cannot be made: newStore panics: no room": {New: fails, Call: increment},
		"f does not reach the extension":                      {New: made(newStore), Call: method("f", func(*store) []any { return nil })},
		"fewer than two base operations": {New: made(newStore), Call: method("f", func(s *store) []any {
			s.m.Load("k") // increment
			return nil
		})},
	} {
		c.Sites = sites(t, "increment")
		r := try(t, &c)
		assert.Equal(t, trial.CannotRun, r.Verdict)
		assert.Contains(t, r.Reason, reason)
	}
}

// TestConstructorRefuses: arguments that the constructor refuses are not the
// end.
func TestConstructorRefuses(t *testing.T) {
	r := try(t, &trial.Case{
		Sites: sites(t, "increment"),
		New: trial.Call{Name: "newStore", Args: words(2), Do: func(_ any, args []int) []any {
			if args[0] == 0 {
				panic("no room")
			}
			return []any{newStore()}
		}},
		Call: method("increment", func(s *store) []any { s.increment(); return nil }),
	})
	assert.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
}

// TestPanicIsResult: the second of two closers panics, which no serial
// execution does.
func TestPanicIsResult(t *testing.T) {
	type door struct {
		closed atomic.Bool
		done   chan struct{}
	}
	r := try(t, &trial.Case{
		Sites: sites(t, "close"), New: made(func() any { return &door{done: make(chan struct{})} }),
		Call: trial.Call{Name: "Close", Do: func(w any, _ []int) []any {
			d := w.(*door)
			if d.closed.Load() { // close
				return []any{false}
			}
			d.closed.Store(true) // close
			close(d.done)
			return []any{true}
		}},
	})
	require.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
	assert.Contains(t, r.History.Calls[0].Result, "panic: close of closed channel")
}

func TestTimeLimit(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	poll := method("poll", func(s *store) []any {
		for s.n.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		return nil
	})
	r := trial.Run(ctx, t, &trial.Case{
		Sites: sites(t, "locked"), New: made(newStore),
		Call:   method("locked", func(s *store) []any { s.locked(); return nil }),
		Others: []trial.Call{poll, poll, poll, poll},
	})
	assert.Equal(t, trial.NotConfirmed, r.Verdict)
	assert.Contains(t, r.Reason, "the time limit was reached")
	assert.True(t, r.Short)
}

// TestOpen: if the cell is open, others store what calls have stored, and
// delete it.
func TestOpen(t *testing.T) {
	again := method("again", func(s *store) []any {
		v, loaded := s.m.LoadOrStore("k", 1) // again
		if !loaded {
			return []any{v}
		}
		w, _ := s.m.Load("k") // again
		return []any{w.(int)}
	})
	c := trial.Case{Sites: sites(t, "again"), New: made(newStore), Call: again}
	assert.Equal(t, trial.NotConfirmed, try(t, &c).Verdict)
	c.Open = true
	r := try(t, &c)
	require.Equal(t, trial.Confirmed, r.Verdict, r.Reason)
	assert.Contains(t, r.History.Calls[0].Result, "panic")
}

func TestKeep(t *testing.T) {
	type inner struct {
		list []int
		set  map[string]int
	}
	v, n := inner{[]int{1}, map[string]int{"a": 1}}, 7
	restore := trial.Keep(&v, &n)
	for range 2 {
		v.list[0], v.set["b"], n = 9, 2, 8
		v.list = append(v.list, 3)
		restore()
		assert.Equal(t, inner{[]int{1}, map[string]int{"a": 1}}, v)
		assert.Equal(t, 7, n)
	}
}
