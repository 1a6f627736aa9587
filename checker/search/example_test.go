package search_test

import (
	"context"
	"fmt"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
)

// A counter that gives every caller a number of its own, or should.
func ExampleModel() {
	tickets := search.Model[int, string, int]{
		Init: func() int { return 0 },
		Step: func(last int, _ string, got int) (int, bool) { return last + 1, got == last+1 },
		Effects: func(last int, _ string) []int {
			return []int{last + 1} // a call that did not return has counted
		},
	}
	ops := []search.Operation[string, int]{
		{Input: "next", Output: 1, Call: 0, Return: 4},
		{Input: "next", Call: 1, Return: history.Pending},
		{Input: "next", Output: 3, Call: 2, Return: 3},
	}
	res, err := tickets.Check(context.Background(), ops, search.Options{})
	fmt.Println(res.Verdict, res.Linearization, err)

	ops = append(ops, search.Operation[string, int]{Input: "next", Output: 3, Call: 5, Return: 6})
	res, err = tickets.Check(context.Background(), ops, search.Options{Earliest: true})
	fmt.Println(res.Verdict, "when operation", res.Earliest, "returns", err)
	// Output:
	// linearizable [0 1 2] <nil>
	// violation when operation 3 returns <nil>
}
