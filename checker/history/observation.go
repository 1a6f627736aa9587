package history

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An ObservationFile is a set of serial histories, as Line-Up keeps what it
// saw of an object under a sequential scheduler. Histories whose threads have
// the same operations, results included, share a section: a witness for a
// concurrent history is always in the one section that has its operations.
type ObservationFile struct {
	Sections []*Section
	byKey    map[string]int // index+1 of the section, made when it is asked for
}

// A Section is the histories in which each thread has the same operations.
// An operation is called by its number, from 1, through all threads.
type Section struct {
	Threads    []string
	Operations [][]Operation // of each thread in order; Results is nil if it blocks
	Orders     []Order
}

// An Order is one history of a section: how the calls and returns of its
// operations follow each other. i is the call of operation i, -i its return.
type Order struct {
	Marks []int32
	Stuck bool // Line-Up writes '#'
}

// Add files a history, full or stuck, under its section. A history that is
// filed already is not filed again. The history need not be serial.
func (f *ObservationFile) Add(h *History) error {
	s, order, err := h.section()
	if err != nil {
		return err
	}
	f.index()
	key := s.key()
	if at := f.byKey[key]; at > 0 {
		into := f.Sections[at-1]
		order.renumber(s, into)
		s = into
	} else {
		f.Sections = append(f.Sections, s)
		f.byKey[key] = len(f.Sections)
	}
	if !slices.ContainsFunc(s.Orders, order.equal) {
		s.Orders = append(s.Orders, order)
	}
	return nil
}

// renumber replaces the numbers of one section by those of another with the
// same operations, which may have its threads in another order.
func (o Order) renumber(from, to *Section) {
	firsts := to.firsts()
	var number []int32
	for t, name := range from.Threads {
		for i := range from.Operations[t] {
			number = append(number, firsts[name]+int32(i))
		}
	}
	for i, m := range o.Marks {
		if m > 0 {
			o.Marks[i] = number[m-1]
		} else {
			o.Marks[i] = -number[-m-1]
		}
	}
}

// firsts gives the number of each thread's first operation.
func (s *Section) firsts() map[string]int32 {
	all := make(map[string]int32, len(s.Threads))
	next := int32(1)
	for t, name := range s.Threads {
		all[name] = next
		next += int32(len(s.Operations[t]))
	}
	return all
}

// equal reports whether two orders of one section are the same history.
func (o Order) equal(p Order) bool { return o.Stuck == p.Stuck && slices.Equal(o.Marks, p.Marks) }

// index prepares finding sections.
func (f *ObservationFile) index() {
	if f.byKey != nil && len(f.byKey) == len(f.Sections) {
		return
	}
	f.byKey = make(map[string]int, len(f.Sections))
	for i, s := range f.Sections {
		if key := s.key(); f.byKey[key] == 0 {
			f.byKey[key] = i + 1
		}
	}
}

// key is the same text for two sections if their operations are the same.
// Threads without any do not count, and threads count in the order of their
// names.
func (s *Section) key() string {
	threads := make([]string, 0, len(s.Threads))
	for t, name := range s.Threads {
		if len(s.Operations[t]) == 0 {
			continue
		}
		b := appendString(nil, name)
		for i := range s.Operations[t] {
			o := &s.Operations[t][i]
			b = appendString(append(b, ' '), o.Object)
			b = appendString(append(b, '.'), o.Method)
			b = appendValues(b, o.Args)
			if o.Results != nil {
				b = appendValues(b, o.Results)
			}
		}
		threads = append(threads, string(b))
	}
	slices.Sort(threads)
	return strings.Join(threads, "\n")
}

// Histories gives all histories of the file, section by section.
func (f *ObservationFile) Histories() []*History {
	var all []*History
	for _, s := range f.Sections {
		all = append(all, s.Histories()...)
	}
	return all
}

// Histories gives the histories of the section. The times of their operations
// are positions in the order.
func (s *Section) Histories() []*History {
	all := make([]*History, len(s.Orders))
	for i, order := range s.Orders {
		all[i] = s.History(order)
	}
	return all
}

// History gives one history of the section, with its operations in order of
// call.
func (s *Section) History(order Order) *History {
	var ops []Operation
	for t := range s.Operations {
		for _, o := range s.Operations[t] {
			o.Thread, o.Return = t, Pending
			ops = append(ops, o)
		}
	}
	h := &History{Threads: s.Threads, Stuck: order.Stuck}
	// place has the index among the history's operations of each number.
	place := make([]int, len(ops)+1)
	for at, m := range order.Marks {
		if m > 0 {
			o := ops[m-1]
			o.Call = int64(at)
			h.Operations = append(h.Operations, o)
			place[m] = len(h.Operations) - 1
		} else {
			h.Operations[place[-m]].Return = int64(at)
		}
	}
	return h
}

// section gives a section that has one history, this one, which must be full
// or stuck.
func (h *History) section() (*Section, Order, error) {
	marks, err := h.marks()
	if err != nil {
		return nil, Order{}, err
	}
	for i := range h.Operations {
		if h.Operations[i].Pending() && !h.Stuck {
			return nil, Order{}, errors.New("a history that is neither complete nor stuck: it is no observation")
		}
	}
	s, order := h.sectionOf(marks)
	return s, order, nil
}

// sectionOf gives the operations of each thread, and their order by number.
func (h *History) sectionOf(marks []mark) (*Section, Order) {
	s := &Section{Threads: h.Threads, Operations: make([][]Operation, len(h.Threads))}
	order := Order{Stuck: h.Stuck}
	number := h.numbers(marks)
	for _, m := range marks {
		n := number[m.op]
		if !m.isCall {
			order.Marks = append(order.Marks, -n)
			continue
		}
		order.Marks = append(order.Marks, n)
		o := h.Operations[m.op]
		t := o.Thread
		o.Thread, o.Call, o.Return, o.Line = 0, 0, 0, 0
		s.Operations[t] = append(s.Operations[t], o)
	}
	return s, order
}

// numbers gives each operation its number, from 1, thread by thread.
func (h *History) numbers(marks []mark) []int32 {
	byThread := make([][]int32, len(h.Threads))
	for _, m := range marks {
		if m.isCall {
			t := h.Operations[m.op].Thread
			byThread[t] = append(byThread[t], m.op)
		}
	}
	number := make([]int32, len(h.Operations))
	next := int32(1)
	for _, ops := range byThread {
		for _, op := range ops {
			number[op] = next
			next++
		}
	}
	return number
}

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
