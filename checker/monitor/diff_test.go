package monitor

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/certificate"
)

var (
	diffHistories = flag.Int("diff.histories", 10_000, "random histories that monitors and brute force are compared on, per structure")
	diffSeed      = flag.Uint64("diff.seed", 1, "seed of the random histories")
	diffKind      = flag.String("diff.kind", "", "the only structure to compare on")
)

// TestAgreesWithBruteForce compares the monitors with a search through all
// orders, which shares no code with them, and with the general search, on
// random small histories: all operations, pending ones, equal times, and
// values that are not unique.
func TestAgreesWithBruteForce(t *testing.T) {
	for _, mix := range mixes {
		if *diffKind != "" && *diffKind != mix.name {
			continue
		}
		t.Run(mix.name, func(t *testing.T) {
			t.Parallel()
			d := differ{t: t, mix: mix}
			histories := *diffHistories
			if testing.Short() {
				histories /= 10
			}
			for n := range histories {
				d.compare(uint64(n))
			}
			t.Logf("seed %d: %d linearizable, %d not; %d of them by search", *diffSeed, d.yes, d.no, d.searched)
			require.Greater(t, 5*min(d.yes, d.no), histories, "both answers must be well represented")
			require.Less(t, d.searched*mix.searchedShare, histories, "too much is left to the search")
		})
	}
}

type differ struct {
	t                 *testing.T
	mix               mix
	yes, no, searched int
}

func (d *differ) compare(n uint64) {
	r := rand.New(rand.NewPCG(*diffSeed, n))
	l := d.mix.log(r)
	where := func() string {
		return fmt.Sprintf("-diff.seed=%d, history %d of %s\n%s", *diffSeed, n, d.mix.name, describe(l))
	}
	want := tryAll(l)
	res, err := Check(context.Background(), l, Options{Order: n%3 > 0, Earliest: n%4 == 0, Workers: 1})
	if err != nil || res.Verdict != verdict(want) {
		require.NoError(d.t, err, where())
		require.Equal(d.t, verdict(want), res.Verdict, "by %s\n%s", res.Method, where())
	}
	if res.Method == BySearch {
		d.searched++
	}
	if want {
		d.yes++
		if err := certificate.Validate(l, res.Order); err != nil && n%3 > 0 {
			require.NoError(d.t, err, "%v\n%s", res.Order, where())
		}
		return
	}
	d.no++
	if len(res.Core) == 0 || !res.Confirmed || tryAll(l.Select(res.Core)) {
		require.Fail(d.t, "no core", "%v, confirmed: %t\n%s", res.Core, res.Confirmed, where())
	}
	if n%4 == 0 {
		if want := tryPrefixes(l); res.Earliest != want {
			require.Equal(d.t, want, res.Earliest, where())
		}
	}
	if n%16 == 0 {
		found, err := search.Log(context.Background(), l, search.Options{Workers: 1})
		require.NoError(d.t, err, where())
		require.Equal(d.t, search.Violation, found.Verdict, where())
	}
}

func verdict(linearizable bool) search.HistoryVerdict {
	if linearizable {
		return search.Linearizable
	}
	return search.Violation
}

func describe(l *history.Log) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, initial %s\n", l.Kind, l.NameOf(l.Initial))
	for i, m := range l.Method {
		fmt.Fprintf(&b, "%2d %-13s", i, m)
		if l.Key != nil {
			fmt.Fprintf(&b, " key %d", l.Key[i])
		}
		fmt.Fprintf(&b, " %s", l.NameOf(l.Value[i]))
		if l.Second != nil {
			fmt.Fprintf(&b, " %s", l.NameOf(l.Second[i]))
		}
		if l.Return[i] == history.Pending {
			fmt.Fprintf(&b, " [%d,\n", l.Call[i])
		} else {
			fmt.Fprintf(&b, " [%d,%d]\n", l.Call[i], l.Return[i])
		}
	}
	return b.String()
}

// tryAll decides a tiny log by trying every order of its operations,
// with every choice of pending ones.
func tryAll(l *history.Log) bool {
	rows := make([]int, l.Len())
	for i := range rows {
		rows[i] = i
	}
	return tryOrders(l, model{kind: l.Kind, minFirst: l.MinFirst, register: l.Initial}, rows)
}

func tryOrders(l *history.Log, s model, left []int) bool {
	first := history.Pending
	for _, i := range left {
		first = min(first, l.Return[i])
	}
	if first == history.Pending {
		return true
	}
	for at, i := range left {
		if l.Call[i] > first {
			continue
		}
		if next, ok := s.step(l, i); ok && tryOrders(l, next, slices.Delete(slices.Clone(left), at, at+1)) {
			return true
		}
	}
	return false
}

// tryPrefixes tries every prefix.
func tryPrefixes(l *history.Log) int32 {
	for _, e := range newEvents(l).at {
		if e < 0 && !tryAll(prefix(l, ^e)) {
			return ^e
		}
	}
	return -1
}

// A model is the state of an object of any kind.
type model struct {
	kind     history.Kind
	minFirst bool
	register int64
	held     []int64         // values of a container in order, elements of a set
	cells    map[int64]int64 // of a map
}

// step does the operation of a row on a copy, and reports whether it can
// have had its result. A pending operation has whatever result fits.
func (s model) step(l *history.Log, i int) (model, bool) {
	pending := l.Return[i] == history.Pending
	m, v := l.Method[i], l.Value[i]
	w := history.Absent
	if l.Second != nil {
		w = l.Second[i]
	}
	switch s.kind {
	case history.Set:
		return s.stepSet(m, v, pending)
	case history.Register:
		now, ok := stepCell(s.register, m, v, w, pending)
		s.register = now
		return s, ok
	case history.Map:
		now, is := s.cells[l.Key[i]]
		if !is {
			now = history.Absent
		}
		now, ok := stepCell(now, m, v, w, pending)
		cells := map[int64]int64{l.Key[i]: now}
		for k, x := range s.cells {
			if k != l.Key[i] {
				cells[k] = x
			}
		}
		s.cells = cells
		return s, ok
	}
	return s.stepContainer(m, v, pending)
}

func (s model) stepContainer(m history.Method, v int64, pending bool) (model, bool) {
	if m == history.Insert {
		s.held = append(slices.Clone(s.held), v)
		return s, true
	}
	at := 0
	switch {
	case len(s.held) == 0:
		return s, pending || m == history.RemoveEmpty || m == history.PeekEmpty
	case s.kind == history.Stack:
		at = len(s.held) - 1
	case s.kind == history.PriorityQueue && s.minFirst:
		at = slices.Index(s.held, slices.Min(s.held))
	case s.kind == history.PriorityQueue:
		at = slices.Index(s.held, slices.Max(s.held))
	}
	ok := pending || (m == history.Remove || m == history.Peek) && s.held[at] == v
	if m.Called() == history.Remove {
		s.held = slices.Delete(slices.Clone(s.held), at, at+1)
	}
	return s, ok
}

func (s model) stepSet(m history.Method, v int64, pending bool) (model, bool) {
	at := slices.Index(s.held, v)
	wants := m == history.Take || m == history.AddFailed || m == history.ContainsTrue
	if !pending && wants != (at >= 0) {
		return s, false
	}
	switch {
	case m.Called() == history.Add && at < 0:
		s.held = append(slices.Clone(s.held), v)
	case m.Called() == history.Take && at >= 0:
		s.held = slices.Delete(slices.Clone(s.held), at, at+1)
	}
	return s, true
}

func stepCell(now int64, m history.Method, v, w int64, pending bool) (int64, bool) {
	switch m {
	case history.Write:
		return v, true
	case history.Read:
		return now, pending || now == v
	case history.CAS, history.CASFailed:
		if now == v {
			return w, pending || m == history.CAS
		}
		return now, pending || m == history.CASFailed
	case history.Swap:
		return v, pending || now == w
	case history.FetchAdd:
		if now == history.Absent {
			return now, pending
		}
		return now + v, pending || now == w
	}
	if now == history.Absent { // GetOrPut
		return v, pending || w == history.Absent
	}
	return now, pending || now == w
}
