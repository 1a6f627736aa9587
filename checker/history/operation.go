package history

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Value is an argument or a result in canonical text: JSON without spaces,
// keys in order. Two values are the same if their texts are.
type Value string

// An Operation is one call and its return, or a call alone.
type Operation struct {
	Thread  int    // index of History.Threads
	Object  string // "" if the history has only one object
	Method  string // as the program under test spells it
	Args    []Value
	Results []Value // nil for a pending operation
	// Call and Return are positions in the history, in any unit that is the
	// same for all operations. Return is Pending if there was none.
	Call, Return int64
	// Line is the line of the file on which the call stands, 0 if it was
	// read from none. It is for messages, and is no part of the operation.
	Line int32
}

// Pending reports whether the operation did not return.
func (o *Operation) Pending() bool { return o.Return == Pending }

// A History is what was observed of a program's operations. Readers of events
// give them in order of Call, and a Log gives them in the order of its rows.
type History struct {
	// Kind is the kind of every object, Unknown if the format does not say.
	Kind       Kind
	Threads    []string
	Operations []Operation
	// Stuck says that the pending operations are known to be blocked for
	// ever (Line-Up, section 2.3), not only cut off: written '#'.
	Stuck bool
	// Initial is the value of every register before its first write, "" if
	// the history does not say. MinFirst is as in Log.
	Initial  Value
	MinFirst bool
}

// String writes the operation on one line: push(1), deq() = 2, and without
// an equals sign and a result while it is pending.
func (o *Operation) String() string {
	var b strings.Builder
	if o.Object != "" {
		b.WriteString(o.Object)
		b.WriteByte('.')
	}
	b.WriteString(o.Method)
	b.WriteByte('(')
	writeList(&b, o.Args)
	b.WriteByte(')')
	if len(o.Results) > 0 {
		b.WriteString(" = ")
		writeList(&b, o.Results)
	}
	return b.String()
}

// writeList writes values separated by commas.
func writeList(b *strings.Builder, values []Value) {
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(v))
	}
}

// Print writes the history in its canonical form: an operation a line, with
// its thread, its times ("-" if it did not return) and what it did, in the
// history's order; and '#' at the end if it is stuck.
func (h *History) Print(w io.Writer) error {
	out := bufio.NewWriter(w)
	width := 0
	for _, name := range h.Threads {
		width = max(width, len(name))
	}
	for i := range h.Operations {
		o := &h.Operations[i]
		ret := "-"
		if !o.Pending() {
			ret = strconv.FormatInt(o.Return, 10)
		}
		name := ""
		if o.Thread < len(h.Threads) {
			name = h.Threads[o.Thread]
		}
		fmt.Fprintf(out, "%-*s %d..%s %s\n", width, name, o.Call, ret, o)
	}
	if h.Stuck {
		out.WriteString("#\n")
	}
	return out.Flush()
}
