package lineup

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Test is a finite test (section 3.1): what each thread calls, in order.
// The calls of Initial are made before the threads start, those of Final when
// all have ended.
type Test struct {
	Initial []Call   `json:"initial,omitempty"`
	Threads [][]Call `json:"threads"`
	Final   []Call   `json:"final,omitempty"`
}

// Calls is how many there are.
func (m Test) Calls() int {
	n := len(m.Initial) + len(m.Final)
	for _, calls := range m.Threads {
		n += len(calls)
	}
	return n
}

// Dimension is the size of the matrix as the paper gives it: threads, and
// calls of the longest.
func (m Test) Dimension() (threads, calls int) {
	for _, t := range m.Threads {
		calls = max(calls, len(t))
	}
	return len(m.Threads), calls
}

// String is the test in one line, as [ParseTest] reads it:
//
//	Add(200) Add(400) | Take() TryTake()
//
// Calls before and after stand in front of and behind arrows:
//
//	Add(1) -> Take() | Take() -> Count()
func (m Test) String() string {
	threads := make([]string, len(m.Threads))
	for i, calls := range m.Threads {
		threads[i] = joinCalls(calls)
	}
	s := strings.Join(threads, " | ")
	if len(m.Initial) > 0 {
		s = joinCalls(m.Initial) + " -> " + s
	} else if len(m.Final) > 0 {
		s = "-> " + s
	}
	if len(m.Final) > 0 {
		s += " -> " + joinCalls(m.Final)
	}
	return strings.TrimSpace(s)
}

func joinCalls(calls []Call) string {
	words := make([]string, len(calls))
	for i, c := range calls {
		words[i] = c.String()
	}
	return strings.Join(words, " ")
}

// Matrix draws the test as the paper does, a column for each thread.
func (m Test) Matrix() string {
	rows := [][]string{{}}
	widths := make([]int, len(m.Threads))
	_, height := m.Dimension()
	for t := range m.Threads {
		rows[0] = append(rows[0], "Thread "+threadName(t))
	}
	for i := range height {
		row := make([]string, len(m.Threads))
		for t, calls := range m.Threads {
			if i < len(calls) {
				row[t] = calls[i].String()
			}
		}
		rows = append(rows, row)
	}
	for _, row := range rows {
		for t, cell := range row {
			widths[t] = max(widths[t], utf8.RuneCountInString(cell))
		}
	}
	var out strings.Builder
	if len(m.Initial) > 0 {
		fmt.Fprintf(&out, "before: %s\n", joinCalls(m.Initial))
	}
	for _, row := range rows {
		var line strings.Builder
		for t, cell := range row {
			fmt.Fprintf(&line, "%-*s", widths[t]+4, cell)
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	if len(m.Final) > 0 {
		fmt.Fprintf(&out, "after: %s\n", joinCalls(m.Final))
	}
	return out.String()
}

// ParseTest reads a test in one line. Threads are separated by |, calls by
// spaces, commas or semicolons; arguments are Go expressions, in which
// brackets and quotes are balanced. The part before -> is called before the
// threads start, the part after a second -> when they have ended; a single
// arrow separates the first two.
func ParseTest(text string) (Test, error) {
	p := &parser{text: text}
	m, err := p.test()
	if err != nil {
		return Test{}, fmt.Errorf("test %q, column %d: %w", text, p.column(), err)
	}
	if len(m.Threads) == 0 {
		return Test{}, fmt.Errorf("test %q: found no call, want one such as Add(200)", text)
	}
	return m, nil
}

// ParseCalls reads calls alone, such as an initial sequence.
func ParseCalls(text string) ([]Call, error) {
	p := &parser{text: text}
	calls, err := p.calls()
	if err == nil && p.at < len(p.text) {
		err = fmt.Errorf("found %q, want a call such as Add(200)", p.rest())
	}
	if err != nil {
		return nil, fmt.Errorf("calls %q, column %d: %w", text, p.column(), err)
	}
	return calls, nil
}

// parser reads a test from left to right.
type parser struct {
	text string
	at   int
}

func (p *parser) column() int { return utf8.RuneCountInString(p.text[:p.at]) + 1 }

// rest is the next few characters, for messages.
func (p *parser) rest() string {
	runes := []rune(p.text[p.at:])
	return string(runes[:min(len(runes), 12)])
}

// skip passes over what separates calls.
func (p *parser) skip() {
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) && r != ',' && r != ';' {
			return
		}
		p.at += size
	}
}

// accept passes over a mark if it is next.
func (p *parser) accept(mark string) bool {
	p.skip()
	if !strings.HasPrefix(p.text[p.at:], mark) {
		return false
	}
	p.at += len(mark)
	return true
}

// test reads the parts between arrows. A part that is not the threads may not
// have bars.
func (p *parser) test() (Test, error) {
	var parts [][][]Call
	for {
		part, err := p.threads()
		if err != nil {
			return Test{}, err
		}
		parts = append(parts, part)
		if !p.accept("->") {
			break
		}
	}
	if p.at < len(p.text) {
		return Test{}, fmt.Errorf("found %q, want a call such as Add(200), | or ->", p.rest())
	}
	return arrange(parts)
}

// arrange says which part is what.
func arrange(parts [][][]Call) (Test, error) {
	var m Test
	switch len(parts) {
	case 1:
		m.Threads = parts[0]
	case 2, 3:
		m.Threads = parts[1]
		if len(parts[0]) > 1 || len(parts) == 3 && len(parts[2]) > 1 {
			return Test{}, fmt.Errorf("found | outside the threads, want one sequence of calls before the first -> and after the second; a test that has none before begins with ->")
		}
		m.Initial = slices.Concat(parts[0]...)
		if len(parts) == 3 {
			m.Final = slices.Concat(parts[2]...)
		}
	default:
		return Test{}, fmt.Errorf("found %d arrows, want at most two", len(parts)-1)
	}
	// A thread that calls nothing is none.
	m.Threads = slices.DeleteFunc(m.Threads, func(calls []Call) bool { return len(calls) == 0 })
	return m, nil
}

func (p *parser) threads() ([][]Call, error) {
	var all [][]Call
	for {
		calls, err := p.calls()
		if err != nil {
			return nil, err
		}
		all = append(all, calls)
		if !p.accept("|") {
			return all, nil
		}
	}
}

func (p *parser) calls() ([]Call, error) {
	var calls []Call
	for {
		p.skip()
		name := p.name()
		if name == "" {
			return calls, nil
		}
		if p.at == len(p.text) || p.text[p.at] != '(' {
			return nil, fmt.Errorf("found %q after %s, want ( and its arguments", p.rest(), name)
		}
		p.at++
		args, err := p.arguments()
		if err != nil {
			return nil, err
		}
		calls = append(calls, Call{Method: name, Args: args})
	}
}

// name reads a Go identifier.
func (p *parser) name() string {
	start := p.at
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		letter := r == '_' || unicode.IsLetter(r)
		if !letter && (p.at == start || !unicode.IsDigit(r)) {
			break
		}
		p.at += size
	}
	return p.text[start:p.at]
}

// closing are the brackets that an argument may have, by the opening one.
var closing = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// arguments reads up to the bracket that closes the call.
func (p *parser) arguments() ([]string, error) {
	var args []string
	open := []byte{')'} // what has to be closed, the innermost last
	start := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case c == '"' || c == '\'' || c == '`':
			if err := p.quoted(c); err != nil {
				return nil, err
			}
			continue
		case closing[c] != 0:
			open = append(open, closing[c])
		case c == ')' || c == ']' || c == '}':
			if c != open[len(open)-1] {
				return nil, fmt.Errorf("found %c, want %c", c, open[len(open)-1])
			}
			open = open[:len(open)-1]
		case c == ',' && len(open) == 1:
			arg, err := argument(p.text[start:p.at])
			if err != nil {
				return nil, err
			}
			args = append(args, arg)
			start = p.at + 1
		}
		p.at++
		if len(open) > 0 {
			continue
		}
		last := p.text[start : p.at-1]
		if len(args) == 0 && strings.TrimSpace(last) == "" {
			return nil, nil
		}
		arg, err := argument(last)
		return append(args, arg), err
	}
	return nil, fmt.Errorf("the text ends, want %c", open[len(open)-1])
}

// argument is an expression without the spaces around it.
func argument(text string) (string, error) {
	if text = strings.TrimSpace(text); text == "" {
		return "", fmt.Errorf("found no argument, want a Go expression")
	}
	if !utf8.ValidString(text) {
		return "", fmt.Errorf("the argument %q is not UTF-8", text)
	}
	return text, nil
}

// quoted passes over a string or a character.
func (p *parser) quoted(quote byte) error {
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '\\' && quote != '`':
			p.at++
		case c == quote:
			p.at++
			return nil
		}
	}
	p.at = len(p.text)
	return fmt.Errorf("the text ends, want %c", quote)
}

// Has reports whether the test makes a call.
func (m Test) Has(c Call) bool {
	return slices.ContainsFunc(m.All(), func(other Call) bool { return other.String() == c.String() })
}

// All are the calls of the test: the initial ones, those of each thread, the
// final ones.
func (m Test) All() []Call { return slices.Concat(m.Initial, slices.Concat(m.Threads...), m.Final) }
