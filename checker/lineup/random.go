package lineup

import (
	"context"
	"math/rand/v2"
)

// Shape is what random tests look like.
type Shape struct {
	// Threads and Calls are the dimension of the matrix; 0 is 3.
	Threads, Calls int
	// Initial and Final are called before and after each test.
	Initial, Final []Call
	// Sequences are calls that are made one after the other. If there are
	// any, a matrix is made of them instead of single invocations.
	Sequences [][]Call
}

// DefaultSamples is how many random tests there are if nothing else is said,
// and defaultSide the threads and calls of each: those of the paper.
const (
	DefaultSamples = 100
	defaultSide    = 3
)

// RandomTest gives a test from the uniform distribution over all matrices of
// the shape. It is a function of the seed and the number of the test, so that
// tests can be shared out among processes.
func RandomTest(s Subject, shape Shape, seed uint64, number int) Test {
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	entries := shape.entries(s)
	m := Test{Initial: shape.Initial, Final: shape.Final}
	for range side(shape.Threads) {
		var calls []Call
		for range side(shape.Calls) {
			calls = append(calls, entries[random.IntN(len(entries))]...)
		}
		m.Threads = append(m.Threads, calls)
	}
	return m
}

// entries are what a matrix is made of.
func (shape *Shape) entries(s Subject) [][]Call {
	if len(shape.Sequences) > 0 {
		return shape.Sequences
	}
	all := make([][]Call, len(s.Invocations))
	for i, inv := range s.Invocations {
		all[i] = []Call{inv.Call}
	}
	return all
}

func side(n int) int {
	if n == 0 {
		return defaultSide
	}
	return n
}

// Random checks random tests, those with numbers below samples, and ends at
// the first that fails (Figure 8 of the paper). It gives the result of each
// test that it checked, the failing one last.
func (c *Checker) Random(ctx context.Context, shape Shape, seed uint64, samples int) ([]*Result, error) {
	var all []*Result
	for number := range samples {
		r, err := c.Check(ctx, RandomTest(c.Subject, shape, seed, number))
		if err != nil {
			return all, err
		}
		all = append(all, r)
		if r.Verdict == Failed || ctx.Err() != nil {
			break
		}
	}
	return all, nil
}
