package history

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

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
