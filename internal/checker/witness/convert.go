package witness

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/checker/history"
)

// A Selection says what is known of the rows of a log, and how many of them
// a picture may have.
type Selection struct {
	Linearization []int32 // rows in the order in which they take effect
	Core          []int32 // rows that contradict each other
	// Limit is how many operations the picture has at most; 0 is
	// DefaultHTMLLimit. If the log has more, those of the core are taken, or
	// else those that were called first.
	Limit int
}

// FromLog is a picture of a log. Its time and memory do not depend on the
// length of the log, but for a look at each call where there is no core.
func FromLog(l *history.Log, sel Selection) *Picture {
	sel.Limit = cmp.Or(sel.Limit, DefaultHTMLLimit)
	rows := chosen(l, &sel)
	p := &Picture{Kind: l.Kind.String(), Omitted: l.Len() - len(rows)}
	threads := threadNames(l, rows)
	at := make(map[int32]int, len(rows))
	for i, row := range rows {
		op := l.Operation(int(row))
		at[row] = i
		p.Operations = append(p.Operations, fromOperation(&op, threads[i]))
	}
	p.Threads = inOrder(l, rows, threads)
	p.Linearization = indices(sel.Linearization, at)
	p.Core = indices(sel.Core, at)
	slices.Sort(p.Core)
	if l.Thread == nil && len(rows) > 1 {
		p.Notes = append(p.Notes, "The history does not name threads; operations that do not overlap share one.")
	}
	return p
}

// FromHistory is a picture of a whole history. Cut makes it smaller.
func FromHistory(h *history.History) *Picture {
	p := &Picture{Kind: h.Kind.String(), Threads: slices.Clone(h.Threads), Stuck: h.Stuck}
	for i := range h.Operations {
		op := &h.Operations[i]
		p.Operations = append(p.Operations, fromOperation(op, h.Threads[op.Thread]))
	}
	return p
}

func fromOperation(op *history.Operation, thread string) Operation {
	o := Operation{
		Thread: thread, Object: op.Object, Method: op.Method,
		Args: texts(op.Args), Results: texts(op.Results),
		Call: op.Call, Return: Instant(op.Return), Line: int(op.Line),
	}
	if op.Pending() {
		o.Results = nil
	}
	return o
}

func texts(values []history.Value) []string {
	var out []string
	for _, v := range values {
		out = append(out, string(v))
	}
	return out
}

// chosen are the rows to draw, in order of call.
func chosen(l *history.Log, sel *Selection) []int32 {
	byCall := func(x, y int32) int {
		return cmp.Or(cmp.Compare(l.Call[x], l.Call[y]), cmp.Compare(x, y))
	}
	if l.Len() > sel.Limit && len(sel.Core) > 0 {
		rows := slices.Clone(sel.Core)
		slices.SortFunc(rows, byCall)
		return rows[:min(len(rows), sel.Limit)]
	}
	var rows []int32
	bound := history.Pending // what is called at or after it is not among the first
	for row := range int32(l.Len()) {
		if l.Call[row] >= bound {
			continue
		}
		if rows = append(rows, row); len(rows) == 2*sel.Limit {
			slices.SortFunc(rows, byCall)
			rows = rows[:sel.Limit]
			bound = l.Call[rows[sel.Limit-1]]
		}
	}
	slices.SortFunc(rows, byCall)
	return rows[:min(len(rows), sel.Limit)]
}

// threadNames are the threads of rows in order of call. Where the log has none,
// each operation gets the first number that no operation that overlaps it has.
func threadNames(l *history.Log, rows []int32) []string {
	names := make([]string, len(rows))
	var free []int64 // when each number was used last
	for i, row := range rows {
		if l.Thread != nil {
			names[i] = l.Threads[l.Thread[row]]
			continue
		}
		n := slices.IndexFunc(free, func(last int64) bool { return last < l.Call[row] })
		if n < 0 {
			n = len(free)
			free = append(free, 0)
		}
		free[n] = l.Return[row]
		names[i] = strconv.Itoa(n + 1)
	}
	return names
}

// inOrder are the threads that the rows have, in the order of the log, or of
// the numbers that threadNames gave.
func inOrder(l *history.Log, rows []int32, threads []string) []string {
	rank := map[string]int{}
	var order []string
	for i, t := range threads {
		if _, ok := rank[t]; ok {
			continue
		}
		rank[t] = len(order) // numbers are given in order
		if l.Thread != nil {
			rank[t] = int(l.Thread[rows[i]])
		}
		order = append(order, t)
	}
	slices.SortFunc(order, func(x, y string) int { return cmp.Compare(rank[x], rank[y]) })
	return order
}

// indices turns rows into indices of operations, without those that are not
// in the picture.
func indices(rows []int32, at map[int32]int) []int {
	var out []int
	for _, row := range rows {
		if i, ok := at[row]; ok {
			out = append(out, i)
		}
	}
	return out
}
