package history

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// WriteIntervals writes interval text, one section a log. A log that has
// threads is written line by line with its process. It fails where a log
// says something that the format cannot: that -1 was put in, which stands for
// nothing there.
func WriteIntervals(w io.Writer, logs ...*Log) error {
	out := bufio.NewWriterSize(w, 64<<10)
	for _, l := range logs {
		if err := l.Check(); err != nil {
			return err
		}
		if err := l.writeHeader(out, len(logs) > 1); err != nil {
			return err
		}
		var line []byte
		view := rowView{Log: l}
		for i := range l.Method {
			var err error
			if line, err = view.appendRow(line[:0], i); err != nil {
				return fmt.Errorf("operation %d: %w", i+1, err)
			}
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// writeHeader writes the header and what goes with it. The kind is alone on the
// first line, where other tools look for it.
func (l *Log) writeHeader(out *bufio.Writer, several bool) error {
	fmt.Fprintf(out, "# %s\n", l.Kind)
	if l.Object != "" || several {
		if strings.ContainsFunc(l.Object, unicode.IsSpace) || l.Object == "" {
			return fmt.Errorf("object %q: interval text needs a name of one word", l.Object)
		}
		fmt.Fprintf(out, "# object %s\n", l.Object)
	}
	if l.Kind == PriorityQueue && l.MinFirst {
		out.WriteString("# order min\n")
	}
	if l.Kind == Register && l.Initial != Absent {
		fmt.Fprintf(out, "# initial %s\n", l.appendWord(nil, l.Initial))
	}
	return nil
}

// appendRow appends one line.
func (l rowView) appendRow(line []byte, i int) ([]byte, error) {
	if l.Thread != nil {
		line = append(l.appendThread(line, i), ' ')
		line = append(l.appendTimes(line, i), ' ')
	}
	s := l.spellingIn(i)
	line = append(line, s.word...)
	if l.Key != nil {
		line = l.appendWord(append(line, ' '), l.Key[i])
	}
	switch s.shape {
	case shapeErase:
	case shapeTake:
		line = l.appendWord(append(line, ' '), l.Second[i])
	case shapeOut:
		if l.Value[i] == -1 {
			return nil, fmt.Errorf("%s of -1, which says in interval text that there was nothing", s.word)
		}
		if l.Value[i] == Absent {
			line = append(line, " -1"...)
			break
		}
		line = l.appendWord(append(line, ' '), l.Value[i])
	default:
		if l.Value[i] == -1 && l.Method[i] == Insert {
			return nil, fmt.Errorf("%s of -1, which says in interval text that there was nothing", s.word)
		}
		line = l.appendWord(append(line, ' '), l.Value[i])
	}
	if s.shape == shapeCAS || s.shape == shapeSwap {
		line = l.appendWord(append(line, ' '), l.Second[i])
	}
	if s.shape.answers() && l.Method[i].ended() {
		line = append(line, " 0"...)
	}
	if l.Thread == nil {
		line = l.appendTimes(append(line, ' '), i)
	}
	return append(line, '\n'), nil
}

// spellingIn is spelling with the words of interval text, in which contains
// carries its answer in its name.
func (v rowView) spellingIn(i int) spelling {
	switch {
	case v.Method[i] == ContainsFalse:
		return spelling{"contains_false", ContainsFalse, ContainsFalse, shapeFalse}
	case v.Method[i] == ContainsTrue && v.Return[i] != Pending:
		return spelling{"contains_true", ContainsTrue, ContainsTrue, shapeTrue}
	}
	return v.spelling(i)
}

// appendTimes appends both times.
func (l *Log) appendTimes(line []byte, i int) []byte {
	line = append(strconv.AppendInt(line, l.Call[i], 10), ' ')
	if l.Return[i] == Pending {
		return append(line, '-')
	}
	return strconv.AppendInt(line, l.Return[i], 10)
}

// appendThread appends a thread as one word: in quotes where it would be
// taken for something else.
func (l *Log) appendThread(line []byte, i int) []byte {
	name := l.Threads[l.Thread[i]]
	if isPlain(name) && dictionary[l.Kind][plainWord(name)] == nil {
		return append(line, name...)
	}
	return appendOneWord(line, string(String(name)))
}

// appendWord appends a value as one word.
func (l *Log) appendWord(line []byte, v int64) []byte {
	switch {
	case v == Absent:
		return append(line, "nil"...)
	case v == Unknowable:
		return append(line, '?')
	case l.isName(v):
		return appendOneWord(line, bare(l.NameOf(v), isPlainWord))
	}
	return strconv.AppendInt(line, v, 10)
}

// appendOneWord appends JSON or a plain word. Spaces, which only strings
// have, are escaped.
func appendOneWord(line []byte, text string) []byte {
	for i := 0; i < len(text); i++ {
		if text[i] == ' ' {
			line = append(line, `\u0020`...)
		} else {
			line = append(line, text[i])
		}
	}
	return line
}

// isPlainWord reports whether a string may stand in interval text without
// quotes: it is one word, and none that means something else.
func isPlainWord(word string) bool {
	switch word {
	case "?", "nil", "null", "-":
		return false
	}
	if _, err := strconv.ParseInt(word, 10, 64); err == nil {
		return false
	}
	return isPlain(word)
}

// isPlain reports whether a name is one word that can be seen.
func isPlain(name string) bool {
	if name == "" || name[0] == '"' || name[0] == '#' {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == utf8.RuneError
	})
}
