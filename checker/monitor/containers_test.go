package monitor

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	containerRuns = flag.Int("containers.n", 10_000, "small histories of each container to compare with a brute force")
	containerSize = flag.Int("containers.size", 9, "operations of the largest of them, nearly")
	containerSeed = flag.Uint64("containers.seed", 1, "seed of these histories")
)

// A sequential is what a queue, stack or priority queue holds, in the order
// in which it was put in.
type sequential struct {
	kind     history.Kind
	minFirst bool
	held     []int64
}

// next gives the index of the value that comes out next.
func (s sequential) next() int {
	switch {
	case len(s.held) == 0 || s.kind == history.Queue:
		return 0
	case s.kind == history.Stack:
		return len(s.held) - 1
	case s.minFirst:
		return slices.Index(s.held, slices.Min(s.held))
	}
	return slices.Index(s.held, slices.Max(s.held))
}

// step does one operation on a copy, and reports whether it can have had its
// result. A pending removal takes what it finds.
func (s sequential) step(m history.Method, value int64, pending bool) (sequential, bool) {
	i := s.next()
	found := len(s.held) > 0 && s.held[i] == value
	switch {
	case m == history.Insert:
		s.held = append(slices.Clone(s.held), value)
		return s, true
	case m == history.Remove && (found || pending && len(s.held) > 0):
		s.held = slices.Delete(slices.Clone(s.held), i, i+1)
		return s, true
	case m == history.Remove && pending || m == history.Peek && pending:
		return s, true
	case m == history.Peek:
		return s, found
	case m == history.RemoveEmpty || m == history.PeekEmpty:
		return s, len(s.held) == 0
	}
	return s, false
}

// canBeOrdered tries all orders.
func canBeOrdered(l *history.Log, done uint64, s sequential) bool {
	missing := false
	for i := range l.Method {
		if done&(1<<i) == 0 && l.Return[i] != history.Pending {
			missing = true
		}
	}
	if !missing {
		return true
	}
	for i := range l.Method {
		if done&(1<<i) != 0 || !minimal(l, done, i) {
			continue
		}
		after, ok := s.step(l.Method[i], l.Value[i], l.Return[i] == history.Pending)
		if ok && canBeOrdered(l, done|1<<i, after) {
			return true
		}
	}
	return false
}

// minimal reports whether everything that precedes row i is done.
func minimal(l *history.Log, done uint64, i int) bool {
	for j := range l.Method {
		if done&(1<<j) == 0 && l.Return[j] < l.Call[i] {
			return false
		}
	}
	return true
}

func bruteForce(l *history.Log) bool {
	return canBeOrdered(l, 0, sequential{kind: l.Kind, minFirst: l.MinFirst})
}

// replay checks a linearization.
func replay(l *history.Log, order []int32) error {
	s := sequential{kind: l.Kind, minFirst: l.MinFirst}
	done := uint64(0)
	for _, row := range order {
		if done&(1<<row) != 0 {
			return fmt.Errorf("row %d twice", row)
		}
		if !minimal(l, done, int(row)) {
			return fmt.Errorf("row %d before one that precedes it", row)
		}
		after, ok := s.step(l.Method[row], l.Value[row], l.Return[row] == history.Pending)
		if !ok {
			return fmt.Errorf("row %d on %v", row, s.held)
		}
		s, done = after, done|1<<row
	}
	for i, end := range l.Return {
		if done&(1<<i) == 0 && end != history.Pending {
			return fmt.Errorf("row %d is missing", i)
		}
	}
	return nil
}

func rowsOf(l *history.Log, rows []int32) *history.Log {
	part := &history.Log{Kind: l.Kind, MinFirst: l.MinFirst}
	for _, row := range rows {
		appendRow(part, l.Method[row], l.Value[row], l.Call[row], l.Return[row])
	}
	return part
}

func appendRow(l *history.Log, m history.Method, value, call, ret int64) {
	l.Method = append(l.Method, m)
	l.Value = append(l.Value, value)
	l.Call = append(l.Call, call)
	l.Return = append(l.Return, ret)
}

func show(l *history.Log) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, smallest first %v\n", l.Kind, l.MinFirst)
	for i, m := range l.Method {
		fmt.Fprintf(&b, "%2d %-12s %3s [%d", i, m, l.NameOf(l.Value[i]), l.Call[i])
		if l.Return[i] == history.Pending {
			b.WriteString(" ...\n")
		} else {
			fmt.Fprintf(&b, " %d]\n", l.Return[i])
		}
	}
	return b.String()
}

// A chance makes small histories: executions of a correct object by threads
// that are interrupted anywhere, or heaps of operations at any times; many of
// them with something changed afterwards.
type chance struct{ *rand.Rand }

func (r chance) one(percent int) bool { return r.IntN(100) < percent }

func (r chance) log(kind history.Kind) *history.Log {
	l := &history.Log{Kind: kind, MinFirst: kind == history.PriorityQueue && r.one(50)}
	size := 3 + r.IntN(*containerSize-2)
	if r.one(75) {
		r.heap(l, size)
	} else {
		r.execution(l, size)
		for r.one(45) {
			r.spoil(l)
		}
	}
	if r.one(30) {
		for i, m := range l.Method {
			if m != history.Insert && r.one(30) {
				r.forget(l, i)
			}
		}
	}
	r.shuffle(l)
	return l
}

// execution runs threads on an object.
func (r chance) execution(l *history.Log, size int) {
	s := sequential{kind: l.Kind, minFirst: l.MinFirst}
	open := make([]int, 2+r.IntN(3)) // row+1 of each thread's operation
	applied := map[int]bool{}
	now, fresh, peeks, removes := int64(1), r.Perm(2*size), 10+r.IntN(30), 30+r.IntN(30)
	for l.Len() < size || r.one(70) {
		now += int64(r.IntN(2))
		t := r.IntN(len(open))
		row := open[t] - 1
		switch {
		case row < 0 && l.Len() < size:
			r.call(l, now, fresh, peeks, removes)
			open[t] = l.Len()
		case row < 0:
		case !applied[row]:
			s, applied[row] = r.apply(s, l, row), true
		default:
			l.Return[row], open[t] = now, 0
		}
	}
	for _, o := range open {
		if row := o - 1; row >= 0 && l.Method[row] != history.Insert {
			r.forget(l, row)
		}
	}
}

// forget makes a row pending, if it is not a pending insertion already.
func (r chance) forget(l *history.Log, row int) {
	l.Return[row], l.Value[row] = history.Pending, history.Unknowable
	switch l.Method[row] {
	case history.RemoveEmpty:
		l.Method[row] = history.Remove
	case history.PeekEmpty:
		l.Method[row] = history.Peek
	}
}

func (r chance) call(l *history.Log, now int64, fresh []int, peeks, removes int) {
	m, value := history.Insert, int64(fresh[l.Len()])
	if p := r.IntN(100); p < peeks {
		m = history.Peek
	} else if p < peeks+removes {
		m = history.Remove
	}
	appendRow(l, m, value, now, history.Pending)
}

// apply lets a row take effect.
func (r chance) apply(s sequential, l *history.Log, row int) sequential {
	m := l.Method[row]
	if m != history.Insert {
		if len(s.held) == 0 {
			l.Value[row] = history.Absent
			l.Method[row]++ // from Remove to RemoveEmpty, from Peek to PeekEmpty
			return s
		}
		l.Value[row] = s.held[s.next()]
	}
	s, _ = s.step(m, l.Value[row], false)
	return s
}

// heap makes operations at random times, so that none on a value returns
// before the value goes in, and none is called after it has gone out.
func (r chance) heap(l *history.Log, size int) {
	span, length := 3+r.IntN(3*size), 1+r.IntN(size)
	if l.Kind == history.Stack {
		// A stack leaves more freedom; what does not overlap leaves less.
		span, length = 2*size+r.IntN(3*size), 1+r.IntN(size/2)
	}
	for value := int64(0); l.Len() < size; value++ {
		if r.one(10) {
			call := int64(r.IntN(span))
			m := []history.Method{history.RemoveEmpty, history.PeekEmpty}[r.IntN(2)]
			appendRow(l, m, history.Absent, call, call+int64(r.IntN(length)))
			continue
		}
		call := int64(r.IntN(span))
		appendRow(l, history.Insert, value, call, call+int64(r.IntN(length)))
		last := int64(span + length)
		if r.one(80) {
			out := call + int64(r.IntN(span-int(call)+1))
			last = out + int64(r.IntN(length))
			appendRow(l, history.Remove, value, out, last)
		}
		for r.one(25) {
			seen := min(last, call+int64(r.IntN(span)))
			appendRow(l, history.Peek, value, seen, max(call, seen+int64(r.IntN(length))))
		}
	}
	for r.one(20) {
		r.spoil(l)
	}
}

// spoil changes something.
func (r chance) spoil(l *history.Log) {
	i, j := r.IntN(l.Len()), r.IntN(l.Len())
	pending := l.Return[i] == history.Pending || l.Return[j] == history.Pending
	values := l.Method[i] != history.Insert && l.Method[j] != history.Insert
	switch r.IntN(5) {
	case 0:
		if values && !pending {
			l.Method[i], l.Method[j] = l.Method[j], l.Method[i]
			l.Value[i], l.Value[j] = l.Value[j], l.Value[i]
		}
	case 1:
		if !pending && values {
			l.Value[i], l.Method[i] = history.Absent, history.RemoveEmpty
		}
	case 2:
		l.Call[i] = max(0, l.Call[i]-int64(r.IntN(4)))
	case 3:
		if l.Return[i] != history.Pending {
			l.Call[i] += int64(r.IntN(4))
			l.Return[i] = max(l.Call[i], l.Return[i]+int64(r.IntN(5))-2)
		}
	case 4:
		if l.Method[i] != history.Insert && r.one(50) {
			r.forget(l, i)
		} else if l.Method[i] == history.Insert && r.one(50) {
			l.Return[i] = history.Pending
		}
	}
}

// shuffle puts the rows in another order, mostly that of their calls.
func (r chance) shuffle(l *history.Log) {
	rows := make([]int32, l.Len())
	for i, row := range r.Perm(l.Len()) {
		rows[i] = int32(row)
	}
	if r.one(70) {
		slices.SortFunc(rows, func(a, b int32) int { return compare(l.Call[a], l.Call[b]) })
	}
	*l = *rowsOf(l, rows)
}

// monitored asks the monitor of a container.
func monitored(l *history.Log, order bool) answer {
	return (&check{options: Options{Order: order}}).answer(l)
}

// TestContainersAgreeWithBruteForce compares answers, replays linearizations
// and tries all orders of the rows of cores.
func TestContainersAgreeWithBruteForce(t *testing.T) {
	for _, kind := range []history.Kind{history.Queue, history.Stack, history.PriorityQueue} {
		t.Run(kind.String(), func(t *testing.T) {
			r := chance{rand.New(rand.NewPCG(*containerSeed, uint64(kind)))}
			var yes, no, undecided, rows int
			for range *containerRuns {
				l := r.log(kind)
				require.Equal(t, monitored(l, true).ok, monitored(l, false).ok, show(l))
				want, got := bruteForce(l), monitored(l, true)
				switch {
				case got.reason != "":
					undecided++
					continue
				case want:
					yes++
					require.True(t, got.ok, "%score %v", show(l), got.core)
					require.NoError(t, replay(l, got.order), "%sorder %v", show(l), got.order)
					continue
				}
				no++
				require.False(t, got.ok, "%sorder %v", show(l), got.order)
				require.False(t, bruteForce(rowsOf(l, got.core)), "%score %v", show(l), got.core)
				rows += len(got.core)
			}
			t.Logf("%d linearizable, %d not, %d undecided, %.1f rows a core", yes, no, undecided, float64(rows)/float64(no))
			assert.Greater(t, yes, *containerRuns/5)
			assert.Greater(t, no, *containerRuns/5)
			assert.Less(t, undecided, *containerRuns/50+1)
		})
	}
}
