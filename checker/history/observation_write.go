package history

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Write writes the file as Line-Up does: sections with their threads,
// operations and histories. An operation of one object among several has the
// attribute object, which Line-Up does not know.
func (f *ObservationFile) Write(w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	out.WriteString("<observationset>\n")
	for i, s := range f.Sections {
		if err := s.Check(); err != nil {
			return fmt.Errorf("section %d: %w", i+1, err)
		}
		if name, ok := s.plainNames(); !ok {
			return fmt.Errorf("section %d: the name %q has characters that XML does not have", i+1, name)
		}
		out.WriteString("<observation>\n")
		s.writeOperations(out)
		for _, order := range s.Orders {
			order.write(out)
		}
		out.WriteString("</observation>\n")
	}
	out.WriteString("</observationset>\n")
	return out.Flush()
}

// plainNames reports whether XML can hold all names, and gives one that it
// cannot.
func (s *Section) plainNames() (string, bool) {
	for t, name := range s.Threads {
		names := []string{name}
		for i := range s.Operations[t] {
			names = append(names, s.Operations[t][i].Method, s.Operations[t][i].Object)
		}
		for _, n := range names {
			if !isXMLName(n) {
				return n, false
			}
		}
	}
	return "", true
}

// writeOperations writes the <thread> and the <op> elements.
func (s *Section) writeOperations(out *bufio.Writer) {
	n := 0
	for t, name := range s.Threads {
		fmt.Fprintf(out, "<thread id=\"%s\">", escapeXML(name))
		for i := range s.Operations[t] {
			if i > 0 {
				out.WriteByte(' ')
			}
			n++
			fmt.Fprint(out, n)
			if s.Operations[t][i].Results == nil {
				out.WriteByte('B')
			}
		}
		out.WriteString("</thread>\n")
	}
	n = 0
	for t := range s.Threads {
		for i := range s.Operations[t] {
			n++
			s.Operations[t][i].writeOp(out, n)
		}
	}
}

// writeOp writes one <op> element.
func (o *Operation) writeOp(out *bufio.Writer, n int) {
	fmt.Fprintf(out, "<op id=\"%d\"", n)
	if o.Object != "" {
		fmt.Fprintf(out, " object=\"%s\"", escapeXML(o.Object))
	}
	fmt.Fprintf(out, " name=\"%s\"", escapeXML(o.Method))
	var parts []string
	for _, v := range o.Args {
		parts = append(parts, "value="+quoteAttribute(v))
	}
	for _, v := range o.Results {
		parts = append(parts, "result="+quoteAttribute(v))
	}
	if len(parts) == 0 {
		out.WriteString(" />\n")
		return
	}
	fmt.Fprintf(out, ">%s</op>\n", escapeText(strings.Join(parts, " ")))
}

// quoteAttribute writes a value as the text of an <op> has it: a string
// stands without the quotes of JSON where it is not taken for something else.
func quoteAttribute(v Value) string {
	text := bare(v, isXMLText)
	if !isXMLText(text) {
		text = asciiJSON(text)
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// isXMLText reports whether XML can hold the text and gives it back as it is:
// it has no control characters, which XML does not know, and no line ends,
// which it changes.
func isXMLText(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' || r == 0xFFFE || r == 0xFFFF || r == utf8.RuneError
	})
}

// isXMLName reports whether an attribute can hold the text, where line ends
// are escaped and so stay what they are.
func isXMLName(text string) bool {
	text = strings.NewReplacer("\t", "", "\n", "", "\r", "", "\uFFFD", "").Replace(text)
	return isXMLText(text)
}

// asciiJSON escapes in JSON text the characters that XML does not have and
// JSON does.
func asciiJSON(text string) string {
	return strings.NewReplacer("\uFFFE", `\ufffe`, "\uFFFF", `\uffff`, "\uFFFD", `\ufffd`).Replace(text)
}

// escapeText escapes what XML has to in text, and leaves quotes as they are:
// the text of an <op> is full of them.
func escapeText(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// escapeXML escapes the text of an attribute.
func escapeXML(text string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}

// write writes one <history> element.
func (o Order) write(out *bufio.Writer) {
	out.WriteString("<history>")
	o.writeMarks(out)
	out.WriteString("</history>\n")
}

// writeMarks writes calls as "3[" and returns as "]3".
func (o Order) writeMarks(out *bufio.Writer) {
	for i, m := range o.Marks {
		if i > 0 {
			out.WriteByte(' ')
		}
		if m > 0 {
			fmt.Fprintf(out, "%d[", m)
		} else {
			fmt.Fprintf(out, "]%d", -m)
		}
	}
	if o.Stuck {
		out.WriteString(" #")
	}
}
