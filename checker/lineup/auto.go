package lineup

import (
	"context"
	"iter"
	"slices"
)

// Auto checks all tests in the order of the paper's Figure 6: for n = 1, 2,
// ..., limit, those of n threads that make n calls each, of the first n
// invocations. It ends at the first that fails, which it gives; if none does,
// it gives the last one. Without a limit it would not end on a type that is
// right. Checked is how many tests there were.
func (c *Checker) Auto(ctx context.Context, limit int) (last *Result, checked int, err error) {
	for m := range AutoTests(c.Subject, Shape{}, limit) {
		if last, err = c.Check(ctx, m); err != nil {
			return last, checked, err
		}
		checked++
		if last.Verdict == Failed || ctx.Err() != nil {
			break
		}
	}
	return last, checked, nil
}

// AutoTests are the tests that Auto goes through, of the sequences of a shape
// if it has any, and between its initial and final calls. Of those that differ
// only in which thread is which, there is one.
func AutoTests(s Subject, shape Shape, limit int) iter.Seq[Test] {
	entries := shape.entries(s)
	return func(yield func(Test) bool) {
		for n := 1; n <= limit; n++ {
			columns := sequences(entries[:min(n, len(entries))], n)
			at := make([]int, n) // the column of each thread, ascending
			for {
				m := Test{Initial: shape.Initial, Final: shape.Final}
				for _, c := range at {
					m.Threads = append(m.Threads, columns[c])
				}
				if !yield(m) {
					return
				}
				if !ascend(at, len(columns)) {
					break
				}
			}
		}
	}
}

// sequences are all sequences of n of the entries, in lexicographic order.
func sequences(entries [][]Call, n int) [][]Call {
	all := [][]Call{nil}
	for range n {
		var longer [][]Call
		for _, s := range all {
			for _, e := range entries {
				longer = append(longer, append(slices.Clip(s), e...))
			}
		}
		all = longer
	}
	return all
}

// ascend goes on to the next ascending sequence of numbers below n, and
// reports whether there is one.
func ascend(at []int, n int) bool {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i]+1 < n {
			at[i]++
			for j := i + 1; j < len(at); j++ {
				at[j] = at[i]
			}
			return true
		}
	}
	return false
}
