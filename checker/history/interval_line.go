package history

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parseSlow reads a line of any form and makes a row, or says what is wrong
// with it. It reports whether the line is a row, and no comment.
func (c *chunk) parseSlow(line []byte) (bool, *Error) {
	line = trim(line)
	if len(line) == 0 || line[0] == '#' {
		return false, nil
	}
	if err := checkLine(line); err != nil {
		return false, err
	}
	if len(line) > longestLine {
		return false, found("a line of "+strconv.Itoa(len(line))+" bytes", c.section.form())
	}
	fields := words(line)
	if c.section.perProcess {
		if len(fields) < 4 {
			return false, found(quote(line), c.section.form())
		}
		return true, c.slowRow(fields[3], fields[4:], [2][]byte{fields[1], fields[2]}, fields[0], line)
	}
	if c.section.find(fields[0]) == nil {
		return false, c.section.unknownMethod(fields[0], c.section.form())
	}
	if len(fields) < 3 {
		return false, found(quote(line), c.section.form())
	}
	// The times are the last two: what stands before them is counted by the
	// method.
	n := len(fields) - 2
	return true, c.slowRow(fields[0], fields[1:n], [2][]byte{fields[n], fields[n+1]}, nil, line)
}

// longestLine bounds a line of interval text. It has at most eight words,
// and a value that takes more belongs into the events format.
const longestLine = 1 << 20

// trim and words know the separators of interval text, which are not those of
// Unicode: a value may have the others inside.
func trim(line []byte) []byte { return bytes.Trim(line, " \t\r\n") }

// words splits a line. The parts are pieces of it, not copies.
func words(line []byte) [][]byte {
	return bytes.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\n' })
}

// checkLine says if a line is not text.
func checkLine(line []byte) *Error {
	if bytes.IndexByte(line, 0) >= 0 || !utf8.Valid(line) {
		return found("binary data", "a line of text")
	}
	return nil
}

// form says what a line of the section looks like.
func (s *section) form() string {
	value := "VALUE"
	if s.log.Kind == Map {
		value = "KEY VALUE"
	}
	if s.perProcess {
		return "PROCESS START END METHOD " + value
	}
	return "METHOD " + value + " START END"
}

// unknownMethod is about a word where a method should stand.
func (s *section) unknownMethod(text []byte, form string) *Error {
	return found(quote(text), form+" with a method of a "+s.log.Kind.String()+": "+wordsOf(s.log.Kind))
}

// slowRow makes a row of the words of a line.
func (c *chunk) slowRow(method []byte, args [][]byte, times [2][]byte, thread, line []byte) *Error {
	s := c.section.find(method)
	if s == nil {
		return c.section.unknownMethod(method, c.section.form())
	}
	start, err := parseTime(times[0], "start")
	if err != nil {
		return err
	}
	end, pending := Pending, string(times[1]) == "-"
	if !pending {
		if end, err = parseTime(times[1], "end"); err != nil {
			return err
		}
		if end < start {
			return found("end "+string(times[1])+" before start "+string(times[0]), "an end that is not before the start")
		}
	}
	// The method decides how many words belong to it. That is looked at
	// after the times, which are what a cut line lacks first.
	answer, args, ok := c.section.answer(s, args)
	if !ok {
		return found(quote(line), c.section.usage(s))
	}
	values := make([]int64, len(args))
	for i, arg := range args {
		values[i] = c.value(arg)
	}
	if err := c.section.admit(s, values, answer, pending); err != nil {
		return err
	}
	c.store(s, values, answer, start, end)
	if thread != nil {
		if thread[0] == '"' {
			name, err := (&scanner{data: thread}).text()
			if err != nil {
				return err
			}
			thread = []byte(name)
		}
		c.section.log.Thread[c.firstRow+c.rows] = c.threads.number(thread)
	}
	return nil
}

// answer takes the answer off the words after a method, and reports whether
// there are as many words as the method needs.
func (s *section) answer(sp *spelling, args [][]byte) (outcome, [][]byte, bool) {
	least, most := s.width(sp)
	answer := unsaid
	if sp.shape.answers() && len(args) == most+1 {
		switch string(args[most]) {
		case "0":
			answer = no
		case "1":
			answer = yes
		default:
			return unsaid, nil, false
		}
		args = args[:most]
	}
	return answer, args, len(args) >= least && len(args) <= most
}

// admit checks the values of a row, and puts Absent for the -1 of a container
// that was empty.
func (s *section) admit(sp *spelling, values []int64, answer outcome, pending bool) *Error {
	l := &s.log
	own := values
	if l.Kind == Map {
		if own = values[1:]; values[0] == Unknowable || values[0] == Absent {
			return found("no key", "a key")
		}
	}
	for i, v := range own {
		if v == -1 && sp.method == Insert {
			return found(sp.word+" of -1", "another value, since -1 says that there was nothing")
		}
		if v == -1 && sp.shape == shapeOut {
			own[i] = Absent
		}
	}
	return sp.complain(l, own, answer, pending)
}

// usage says how a method is written.
func (s *section) usage(sp *spelling) string {
	var text []string
	if s.log.Kind == Map {
		text = append(text, "KEY")
	}
	switch sp.shape {
	case shapeErase:
		text = append(text, "[OLD]")
	case shapeTake:
		text = append(text, "OLD")
	case shapeCAS:
		text = append(text, "FROM TO [0|1]")
	case shapeCASOut:
		text = append(text, "FROM [0|1]")
	case shapeSwap:
		text = append(text, "VALUE OLD")
	case shapeNewSum:
		text = append(text, "NUMBER SUM")
	case shapePut:
		text = append(text, "VALUE [OLD]")
	case shapeTest:
		text = append(text, "VALUE [0|1]")
	default:
		text = append(text, "VALUE")
	}
	values := strings.Join(text, " ")
	if s.perProcess {
		return "PROCESS START END " + sp.word + " " + values
	}
	return sp.word + " " + values + " START END"
}

// parseTime reads a time.
func parseTime(text []byte, what string) (int64, *Error) {
	// NaN, a sign, a fraction or an exponent are all no time: a clock that
	// shows them is not the clock of a history.
	t, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || t >= uint64(Pending) {
		return 0, found(what+" "+quote(text), "a whole number from 0 to 9223372036854775806")
	}
	return int64(t), nil
}

// value gives the number that stands for a word of a line.
func (c *chunk) value(text []byte) int64 {
	return wordValue(&c.names, c.section.log.Kind, text)
}

// initial is value for a directive.
func (s *section) initial(text string) int64 {
	return wordValue(&s.names, s.log.Kind, []byte(text))
}

// wordValue reads a value: an integer, ? for one that is not known, nil for
// the absent one of registers and maps, and everything else as JSON if it is
// that, and as a string if it is not.
func wordValue(n *names, k Kind, text []byte) int64 {
	// Zeros in front are allowed, as in the other tools that read the format.
	if v, err := strconv.ParseInt(string(text), 10, 64); err == nil && text[0] != '+' && v >= lowestNumber {
		return v
	}
	switch string(text) {
	case "?":
		return Unknowable
	case "nil":
		if k == Register || k == Map {
			return Absent
		}
	case "null":
		if k == Register {
			return Absent
		}
	}
	return n.number(lenient(text))
}
