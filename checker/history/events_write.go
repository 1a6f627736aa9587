package history

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// A mark is the call or the return of an operation.
type mark struct {
	op     int32
	isCall bool
}

// marks gives calls and returns in the order in which a format that has only
// an order may write them: by time, and calls before returns where they share
// an instant, since operations that do are concurrent. It fails if a thread
// itself returns and calls at one instant: with another thread that does so
// too, no order says it.
func (h *History) marks() ([]mark, error) {
	if err := h.Check(); err != nil {
		return nil, err
	}
	all := make([]mark, 0, 2*len(h.Operations))
	for i := range h.Operations {
		all = append(all, mark{int32(i), true})
		if !h.Operations[i].Pending() {
			all = append(all, mark{int32(i), false})
		}
	}
	// The sort is stable and the marks are made in the order of operations:
	// the same history gives the same file.
	slices.SortStableFunc(all, func(a, b mark) int {
		if c := cmp.Compare(h.time(a), h.time(b)); c != 0 || a.isCall == b.isCall {
			return c
		} else if a.isCall {
			return -1
		}
		return 1
	})
	// Zero-length operations of one thread at one instant are caught here
	// too: calls before returns would have them overlap.
	open := make([]int32, len(h.Threads))
	for _, m := range all {
		o := &h.Operations[m.op]
		if !m.isCall {
			open[o.Thread] = 0
			continue
		}
		if before := open[o.Thread]; before > 0 {
			return nil, fmt.Errorf("thread %q returns from %s and calls %s at one instant, %d: "+
				"a format of events has an order and no instants", h.Threads[o.Thread],
				h.Operations[before-1].Method, o.Method, o.Call)
		}
		open[o.Thread] = m.op + 1
	}
	return all, nil
}

// time gives the position of a mark.
func (h *History) time(m mark) int64 {
	if m.isCall {
		return h.Operations[m.op].Call
	}
	return h.Operations[m.op].Return
}

// WriteEvents writes our own format. An operation's id is its place among the
// calls, from 1.
func WriteEvents(w io.Writer, h *History) error {
	marks, err := h.marks()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	line := h.appendHeader(nil)
	ids := make([]int, len(h.Operations))
	next := 1
	for _, m := range marks {
		if m.isCall {
			ids[m.op] = next
			next++
		}
		line = h.appendEvent(line, m, ids[m.op])
		if _, err := out.Write(line); err != nil {
			return err
		}
		line = line[:0]
	}
	if h.Stuck {
		line = append(line, `{"type":"stuck"}`+"\n"...)
	}
	if _, err := out.Write(line); err != nil {
		return err
	}
	return out.Flush()
}

// appendHeader appends the first line. Names that say nothing are left out, so
// that the smallest header is what the documentation shows.
func (h *History) appendHeader(line []byte) []byte {
	line = append(line, `{"format":"`+eventsFormat+`","version":`...)
	line = strconv.AppendInt(line, eventsVersion, 10)
	if h.Kind != Unknown {
		line = append(line, `,"kind":"`+h.Kind.String()+`"`...)
	}
	if h.MinFirst {
		line = append(line, `,"order":"min"`...)
	}
	if h.Initial != "" {
		line = append(line, `,"initial":`+h.Initial...)
	}
	return append(line, "}\n"...)
}

// appendEvent appends the line of a call or a return. Empty lists are left out
// for the same reason.
func (h *History) appendEvent(line []byte, m mark, id int) []byte {
	o := &h.Operations[m.op]
	if !m.isCall {
		line = append(line, `{"type":"return","id":`...)
		line = strconv.AppendInt(line, int64(id), 10)
		if len(o.Results) > 0 {
			line = appendValues(append(line, `,"results":`...), o.Results)
		}
		return append(line, "}\n"...)
	}
	line = append(line, `{"type":"call","id":`...)
	line = strconv.AppendInt(line, int64(id), 10)
	line = appendString(append(line, `,"thread":`...), h.Threads[o.Thread])
	if o.Object != "" {
		line = appendString(append(line, `,"object":`...), o.Object)
	}
	line = appendString(append(line, `,"method":`...), o.Method)
	if len(o.Args) > 0 {
		line = appendValues(append(line, `,"args":`...), o.Args)
	}
	return append(line, "}\n"...)
}

// appendValues appends a JSON array.
func appendValues(line []byte, values []Value) []byte {
	line = append(line, '[')
	for i, v := range values {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, v...)
	}
	return append(line, ']')
}
