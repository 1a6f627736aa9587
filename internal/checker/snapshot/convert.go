package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/checker/history"
)

// An Error says which operation of a history cannot be one of a snapshot object.
type Error struct {
	Line  int // of the file; 0 if the history was read from none
	Found string
	Want  string
}

func (e *Error) Error() string {
	text := e.Found + ", want " + e.Want
	if e.Line > 0 {
		text = strconv.Itoa(e.Line) + ": " + text
	}
	return text
}

// In is the error with the name of the file.
func (e *Error) In(file string) error {
	if e.Line > 0 {
		return fmt.Errorf("%s:%w", file, e)
	}
	return fmt.Errorf("%s: %w", file, e)
}

// Convert makes a history of a snapshot object out of recorded operations:
//
//	update(SEGMENT, VALUE)               store, set, put, write
//	scan() = VALUES                      segments 0, 1, ...
//	scan(SEGMENTS...) = VALUES           load_all, multi_load
//	range() = [SEGMENT, VALUE], ...      those that are not mentioned are absent;
//	                                     or all in one list or JSON object
//	load(SEGMENT) = VALUE                get, read; or VALUE, PRESENT
//	delete(SEGMENT)                      remove
//	swap(SEGMENT, VALUE) = OLD
//	load_and_delete(SEGMENT) = OLD       or OLD, PRESENT
//	load_or_store(SEGMENT, VALUE) = FOUND, LOADED
//	cas(SEGMENT, OLD, NEW) = true        compare_and_swap, compare_and_delete
//
// Names are taken in any case, with or without _ and - between their parts. null
// is the value of a segment that has none, and what all have at first unless the
// history says otherwise. A failed cas is an error: what it found instead is not
// known.
func Convert(in *history.History) (*History, error) {
	c := &converter{
		History:  &History{Threads: in.Threads, Values: []history.Value{"null"}},
		segments: map[history.Value]int32{}, values: map[history.Value]int32{"null": Absent},
	}
	var ranges []int
	for i := range in.Operations {
		op := &in.Operations[i]
		if err := c.add(op); err != nil {
			err.Line = int(op.Line)
			return nil, err
		}
		if canonical(op.Method) == "range" && !op.Pending() {
			ranges = append(ranges, i)
		}
	}
	for _, i := range ranges {
		c.fill(&c.Operations[i])
	}
	first := Absent
	if in.Initial != "" {
		first = c.value(in.Initial)
	}
	c.Initial = slices.Repeat([]int32{first}, len(c.Segments))
	return c.History, nil
}

// A converter numbers segments and values in order of first use.
type converter struct {
	*History
	segments map[history.Value]int32
	values   map[history.Value]int32
}

func (c *converter) segment(v history.Value) int32 {
	n, ok := c.segments[v]
	if !ok {
		n = int32(len(c.Segments))
		c.segments[v] = n
		c.Segments = append(c.Segments, string(v))
	}
	return n
}

func (c *converter) value(v history.Value) int32 {
	n, ok := c.values[v]
	if !ok {
		n = int32(len(c.Values))
		c.values[v] = n
		c.Values = append(c.Values, v)
	}
	return n
}

// plain leaves out case and what separates the parts of a word.
func plain(word string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(word))
}

// synonyms are other words for the methods of Convert.
var synonyms = map[string]string{
	"store": "update", "set": "update", "put": "update", "write": "update",
	"snapshot": "scan", "loadall": "scan", "multiload": "scan", "getall": "scan",
	"get": "load", "read": "load", "remove": "delete",
	"compareandswap": "cas", "compareanddelete": "cad", "pop": "loadanddelete", "setifabsent": "loadorstore",
}

// shapes has the number of arguments of each method, and how its operation is
// made of the cells of the arguments. Any number is -1.
var shapes = map[string]struct {
	arguments int
	make      func(c *converter, op *Operation, in *history.Operation) *Error
}{
	"update":        {2, (*converter).update},
	"scan":          {-1, (*converter).scan},
	"range":         {0, (*converter).ranged},
	"load":          {1, (*converter).load},
	"delete":        {1, (*converter).remove},
	"swap":          {2, (*converter).swap},
	"loadanddelete": {1, (*converter).swap},
	"loadorstore":   {2, (*converter).loadOrStore},
	"cas":           {3, (*converter).cas},
	"cad":           {2, (*converter).cas},
}

// methods are the most usual ones, for what is to be read.
const methods = "update, scan, load, store, delete, range, swap, load_and_delete, load_or_store or cas"

// canonical is the word of shapes for a method.
func canonical(method string) string {
	word := plain(method)
	if s, ok := synonyms[word]; ok {
		return s
	}
	return word
}

// add appends an operation.
func (c *converter) add(in *history.Operation) *Error {
	shape, ok := shapes[canonical(in.Method)]
	if !ok {
		return &Error{Found: fmt.Sprintf("method %q", in.Method), Want: methods + ", or one that is said to be one of these"}
	}
	if shape.arguments >= 0 && len(in.Args) != shape.arguments {
		return &Error{Found: fmt.Sprintf("%s with %d arguments", in.Method, len(in.Args)), Want: strconv.Itoa(shape.arguments)}
	}
	op := Operation{Thread: int32(in.Thread), Call: in.Call, Return: in.Return}
	if err := shape.make(c, &op, in); err != nil {
		return err
	}
	for _, cells := range [][]Cell{op.Reads, op.Writes} {
		slices.SortFunc(cells, func(a, b Cell) int { return cmp.Compare(a.Segment, b.Segment) })
	}
	c.Operations = append(c.Operations, op)
	return nil
}

func (c *converter) update(op *Operation, in *history.Operation) *Error {
	op.Writes = []Cell{{c.segment(in.Args[0]), c.value(in.Args[1])}}
	return nil
}

func (c *converter) remove(op *Operation, in *history.Operation) *Error {
	op.Writes = []Cell{{c.segment(in.Args[0]), Absent}}
	return nil
}

// scan names its segments, or reads the first ones.
func (c *converter) scan(op *Operation, in *history.Operation) *Error {
	if in.Pending() {
		return nil
	}
	segments := in.Args
	if len(segments) == 0 {
		for s := range in.Results {
			segments = append(segments, history.Value(strconv.Itoa(s)))
		}
	}
	if len(segments) != len(in.Results) {
		return &Error{Found: fmt.Sprintf("%s of %d segments with %d results", in.Method, len(segments), len(in.Results)), Want: "a value for each segment"}
	}
	seen := map[int32]bool{}
	for k, s := range segments {
		cell := Cell{c.segment(s), c.value(in.Results[k])}
		if seen[cell.Segment] {
			return &Error{Found: fmt.Sprintf("%s of segment %s twice", in.Method, s), Want: "each segment once"}
		}
		seen[cell.Segment] = true
		op.Reads = append(op.Reads, cell)
	}
	return nil
}

// got gives the value that was found: alone, or with a second result that says
// whether there was one.
func (c *converter) got(in *history.Operation) (int32, *Error) {
	switch {
	case len(in.Results) == 1:
		return c.value(in.Results[0]), nil
	case len(in.Results) == 2 && in.Results[1] == "true":
		return c.value(in.Results[0]), nil
	case len(in.Results) == 2 && in.Results[1] == "false":
		return Absent, nil
	}
	return 0, &Error{Found: fmt.Sprintf("%s with %d results", in.Method, len(in.Results)), Want: "a value, or a value and whether it was there"}
}

func (c *converter) load(op *Operation, in *history.Operation) *Error {
	if in.Pending() {
		return nil
	}
	v, err := c.got(in)
	op.Reads = []Cell{{c.segment(in.Args[0]), v}}
	return err
}

// swap is also load_and_delete, which puts nothing in. Of a pending one it is
// not known what it found.
func (c *converter) swap(op *Operation, in *history.Operation) *Error {
	s, v := c.segment(in.Args[0]), Absent
	if len(in.Args) == 2 {
		v = c.value(in.Args[1])
	}
	op.Writes = []Cell{{s, v}}
	if in.Pending() {
		return nil
	}
	old, err := c.got(in)
	op.Reads = []Cell{{s, old}}
	return err
}

// loadOrStore reads, or finds nothing and writes. A pending one matters only if
// it did the latter.
func (c *converter) loadOrStore(op *Operation, in *history.Operation) *Error {
	s, v := c.segment(in.Args[0]), c.value(in.Args[1])
	stored := Operation{Reads: []Cell{{s, Absent}}, Writes: []Cell{{s, v}}}
	switch {
	case in.Pending(), len(in.Results) == 2 && in.Results[1] == "false", len(in.Results) == 1 && in.Results[0] == "null":
		op.Reads, op.Writes = stored.Reads, stored.Writes
		return nil
	case len(in.Results) == 2 && in.Results[1] == "true", len(in.Results) == 1:
		op.Reads = []Cell{{s, c.value(in.Results[0])}}
		return nil
	}
	return &Error{Found: fmt.Sprintf("%s with %d results", in.Method, len(in.Results)), Want: "a value and whether it was loaded"}
}

// cas is also compare_and_delete. A pending one matters only if it succeeded.
func (c *converter) cas(op *Operation, in *history.Operation) *Error {
	if !in.Pending() && (len(in.Results) != 1 || in.Results[0] != "true") {
		return &Error{Found: in.Method + " that did not succeed", Want: "one that did: what it found instead is not known"}
	}
	s, v := c.segment(in.Args[0]), Absent
	if len(in.Args) == 3 {
		v = c.value(in.Args[2])
	}
	op.Reads, op.Writes = []Cell{{s, c.value(in.Args[1])}}, []Cell{{s, v}}
	return nil
}

// Record gives a simple history as recorded operations: update(SEGMENT, VALUE)
// and scan() = VALUES.
func (h *Simple) Record() *history.History {
	out := &history.History{Initial: "0"}
	for p := range h.Processes {
		out.Threads = append(out.Threads, "p"+strconv.Itoa(p))
	}
	open := make([]int, h.Processes)
	for at, a := range h.Actions {
		op := history.Operation{Thread: int(a.Process), Method: "scan", Call: int64(at), Return: history.Pending}
		switch a.Event {
		case InvokeUpdate:
			op.Method, op.Args = "update", []history.Value{digit(int(a.Process)), digit(int(a.Values))}
			fallthrough
		case InvokeScan:
			open[a.Process] = len(out.Operations)
			out.Operations = append(out.Operations, op)
		default:
			was := &out.Operations[open[a.Process]]
			was.Return, was.Results = int64(at), []history.Value{}
			if a.Event == ReturnScan {
				was.Results = slices.Repeat([]history.Value{"0"}, h.Processes)
				was.Results[h.I], was.Results[h.J] = digit(int(a.Values&1)), digit(int(a.Values>>1))
			}
		}
	}
	return out
}

func digit(n int) history.Value { return history.Value(strconv.Itoa(n)) }
