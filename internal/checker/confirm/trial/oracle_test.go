package trial_test

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/checker/sched/sync"
	"github.com/mapatom/mapatom/internal/checker/confirm/trial"
)

var oracleRuns = flag.Int("oracle.n", 150, "random extensions that are compared with a brute force")

// instr is one base operation of a random extension on the cell "k". With
// keep, what it returns is a result of the extension; with unless, the
// extension returns before it if the last operation found something.
type instr struct {
	op           string // load, store, insert (LoadOrStore) or delete
	value        int    // 0 is the argument, plus one
	keep, unless bool
}

// register is what instructions act on: the real map, or a model of it.
type register interface {
	do(op string, v int) (old int, loaded bool)
}

type realMap struct{ sync.Map }

func (m *realMap) do(op string, v int) (int, bool) {
	var old any
	var loaded bool
	switch op {
	case "load":
		old, loaded = m.Load("k") // random
	case "store":
		m.Store("k", v) // random
	case "insert":
		old, loaded = m.LoadOrStore("k", v) // random
	case "delete":
		old, loaded = m.LoadAndDelete("k") // random
	}
	n, _ := old.(int)
	return n, loaded
}

// model is a cell: 0 is nothing.
type model int

func (m *model) do(op string, v int) (int, bool) {
	old := int(*m)
	switch {
	case op == "store", op == "insert" && old == 0:
		*m = model(v)
	case op == "delete":
		*m = 0
	}
	switch {
	case op == "store":
		return 0, false
	case op == "insert" && old == 0:
		return v, false
	}
	return old, old != 0
}

// run runs the extension. Between is called before each base operation with
// how many were done, and in the end.
func runInstrs(code []instr, r register, arg int, between func(done int)) []any {
	results, found, done := []any{}, false, 0
	for _, in := range code {
		if in.unless && found {
			break
		}
		between(done)
		v := in.value
		if v == 0 {
			v = arg + 1
		}
		old, loaded := r.do(in.op, v)
		found = loaded
		done++
		if in.keep {
			results = append(results, old, loaded)
		}
	}
	between(-done - 1)
	return results
}

// outcome is what is observed when calls with the arguments run, the one that
// is interrupted being the last: the first ones before it, the others when it
// has done so many operations as gaps says.
func outcome(code []instr, args []int, before int, gaps []int) (observed string, interrupted bool) {
	var m model
	results := make([][]any, len(args))
	call := func(i int) { results[i] = runInstrs(code, &m, args[i], func(int) {}) }
	for i := range before {
		call(i)
	}
	last, next, total := len(args)-1, before, 0
	var when []int
	results[last] = runInstrs(code, &m, args[last], func(done int) {
		end := done < 0
		if end {
			done = -done - 1
			total = done
		}
		for next < last && (end || gaps[next-before] <= done) {
			when = append(when, done)
			call(next)
			next++
		}
	})
	for _, w := range when {
		interrupted = interrupted || w != 0 && w != total
	}
	return fmt.Sprint(results, m), interrupted
}

// violated is the brute force: some test has an execution that no serial one
// explains.
func violated(code []instr) bool {
	for _, shape := range [][2]int{{0, 1}, {1, 1}, {1, 2}} { // calls before, and during
		n := shape[0] + shape[1] + 1
		for args := range vectors(n, 2) {
			serial, others := map[string]bool{}, []string{}
			for gaps := range vectors(shape[1], len(code)+1) {
				if !slices.IsSorted(gaps) {
					continue
				}
				seen, interrupted := outcome(code, args, shape[0], gaps)
				if interrupted {
					others = append(others, seen)
				} else {
					serial[seen] = true
				}
			}
			if slices.ContainsFunc(others, func(o string) bool { return !serial[o] }) {
				return true
			}
		}
	}
	return false
}

// vectors yields all vectors of n numbers below the bound.
func vectors(n, below int) func(func([]int) bool) {
	return func(yield func([]int) bool) {
		v := make([]int, n)
		for {
			if !yield(v) {
				return
			}
			i := 0
			for ; i < n; i++ {
				if v[i]++; v[i] < below {
					break
				}
				v[i] = 0
			}
			if i == n {
				return
			}
		}
	}
}

// TestOracle compares the verdicts on random extensions with those of a brute
// force on a model of the cell.
func TestOracle(t *testing.T) {
	where := sites(t, "random")
	in := rapid.Custom(func(t *rapid.T) instr {
		return instr{
			op:    rapid.SampledFrom([]string{"load", "store", "insert", "delete"}).Draw(t, "op"),
			value: rapid.IntRange(0, 3).Draw(t, "value"),
			keep:  rapid.Bool().Draw(t, "keep"), unless: rapid.Bool().Draw(t, "unless"),
		}
	})
	gen := rapid.SliceOfN(in, 2, 4)
	counts := map[bool]int{}
	for i := range *oracleRuns {
		code := gen.Example(i)
		want := violated(code)
		counts[want]++
		r := try(t, &trial.Case{
			Sites: where, New: made(func() any { return new(realMap) }),
			Call: trial.Call{Name: "run", Args: words(2), Do: func(w any, args []int) []any {
				return runInstrs(code, w.(*realMap), args[0], func(int) {})
			}},
		})
		require.Equal(t, want, r.Verdict == trial.Confirmed, "%+v: %s, %+v", code, r.Reason, r.History)
	}
	require.Greater(t, min(counts[true], counts[false])*5, *oracleRuns, "both verdicts: %v", counts)
}
