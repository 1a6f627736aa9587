package witness

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// call is an operation's invocation: "q.enq(1)".
func (o *Operation) call() string {
	name := o.Method
	if o.Step {
		return Printable(name)
	}
	if o.Object != "" {
		name = o.Object + "." + name
	}
	return Printable(name + "(" + strings.Join(o.Args, ", ") + ")")
}

// result is what came back: "2", "(2, true)", or "" for nothing.
func (o *Operation) result() string {
	switch len(o.Results) {
	case 0:
		return ""
	case 1:
		return Printable(o.Results[0])
	}
	return Printable("(" + strings.Join(o.Results, ", ") + ")")
}

// whole is the operation in one text: "q.deq() = 1".
func (o *Operation) whole() string {
	if r := o.result(); r != "" {
		return o.call() + " = " + r
	}
	return o.call()
}

// String is the operation in one text, such as "q.deq() = 1".
func (o *Operation) String() string { return o.whole() }

// describe says everything about a node in a sentence, for a tooltip and for
// those who hear the picture.
func (l *layout) describe(n *node) string {
	o := n.op
	var s strings.Builder
	fmt.Fprintf(&s, "%s: %s", Printable(o.Thread), o.whole())
	switch {
	case !o.Pending():
		fmt.Fprintf(&s, "; from %d to %d", o.Call, o.Return)
	case l.picture.Stuck:
		fmt.Fprintf(&s, "; from %d, blocked for ever", o.Call)
	default:
		fmt.Fprintf(&s, "; from %d, did not return", o.Call)
	}
	if o.Line > 0 {
		fmt.Fprintf(&s, "; line %d", o.Line)
	}
	if n.order > 0 {
		s.WriteString("; takes effect as number " + strconv.Itoa(n.order))
	}
	if n.core {
		s.WriteString("; part of the contradiction")
	}
	if o.Note != "" {
		s.WriteString("; " + Printable(o.Note))
	}
	return s.String()
}

// Printable writes what a terminal or a document would not show as itself,
// such as escapes and marks that turn the direction of text, as Go does. Names
// and values come from files and may hold anything.
func Printable(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, s[i])
		case hidden(r):
			q := strconv.QuoteRuneToASCII(r)
			out.WriteString(q[1 : len(q)-1])
		default:
			out.WriteString(s[i : i+size])
		}
		i += size
	}
	return out.String()
}

// hidden reports whether a rune is not to be written as it is.
func hidden(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }

// Count is a number with its noun: "1 operation", "1,000 operations".
func Count(n int, noun string) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if n == 1 {
		return s + " " + noun
	}
	return s + " " + noun + "s"
}
