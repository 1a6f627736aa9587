package history

import "fmt"

// Check reports whether every order of the section calls and returns its
// operations as its threads have them.
func (s *Section) Check() error {
	thread := []int{0} // of each number
	for t := range s.Operations {
		for range s.Operations[t] {
			thread = append(thread, t)
		}
	}
	for i, order := range s.Orders {
		if err := s.checkOrder(order, thread); err != nil {
			return fmt.Errorf("history %d: %w", i+1, err)
		}
	}
	return nil
}

// checkOrder replays an order: how far each operation is, and which one of
// each thread is open.
func (s *Section) checkOrder(order Order, thread []int) error {
	called, returned := make([]bool, len(thread)), make([]bool, len(thread))
	open := make([]int32, len(s.Threads))
	for _, m := range order.Marks {
		n := max(m, -m)
		if n < 1 || int(n) >= len(thread) {
			return fmt.Errorf("operation %d of %d", n, len(thread)-1)
		}
		t := thread[n]
		switch {
		case m > 0 && called[n]:
			return fmt.Errorf("operation %d is called twice", n)
		case m > 0 && open[t] != 0:
			return fmt.Errorf("operation %d is called while %d of the same thread is open", n, open[t])
		case m > 0 && thread[n-1] == t && n > 1 && !called[n-1]:
			return fmt.Errorf("operation %d is called before %d, which its thread has first", n, n-1)
		case m < 0 && open[t] != n:
			return fmt.Errorf("operation %d returns and is not open", n)
		}
		if called[n] = true; m > 0 {
			open[t] = n
		} else {
			open[t], returned[n] = 0, true
		}
	}
	// Every operation that can return must: a history of a section is full,
	// or it is stuck with exactly those open that the section says block.
	stuck := false
	for n := 1; n < len(thread); n++ {
		blocks := s.operation(n).Results == nil
		if stuck = stuck || blocks; !called[n] || returned[n] == blocks {
			return fmt.Errorf("operation %d, %s, %s", n, s.operation(n).Method, missing(called[n], blocks))
		}
	}
	if stuck != order.Stuck {
		return fmt.Errorf("# is missing where an operation blocks, or stands where none does")
	}
	return nil
}

// operation gives the operation of a number.
func (s *Section) operation(n int) *Operation {
	for t := range s.Operations {
		if n <= len(s.Operations[t]) {
			return &s.Operations[t][n-1]
		}
		n -= len(s.Operations[t])
	}
	return nil
}

// missing says what an operation should do in an order and does not.
func missing(called, blocks bool) string {
	switch {
	case !called:
		return "is not called"
	case blocks:
		return "returns and is said to block"
	}
	return "does not return and is not said to block"
}
