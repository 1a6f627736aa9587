package absint

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mapatom/mapatom/reduce"
)

// The ANSI escapes of a coloured picture.
const (
	ansiBold  = "\x1b[1m"
	ansiRed   = "\x1b[31m"
	ansiReset = "\x1b[0m"
)

// line writes one line in a style.
func (d *drawing) line(style, s string) {
	s = strings.TrimRight(s, " ")
	if style != "" && d.opts.Color {
		s = style + s + ansiReset
	}
	d.out.WriteString(s + "\n")
}

// paragraph writes text after a prefix, wrapped and indented to it.
func (d *drawing) paragraph(prefix, text string) {
	for i, s := range wrap(text, d.opts.Width-len(prefix)) {
		if i > 0 {
			prefix = strings.Repeat(" ", len(prefix))
		}
		d.line("", prefix+s)
	}
}

const (
	leftTitle  = "your call"
	rightTitle = "the other goroutine"
	columnGap  = 3
)

// column lays out one side: mark, operation, note.
type column struct {
	width, mark, op int
}

// columns are as wide as the rows need. If that is too much, the one that
// needs more than half gets what the other one leaves.
func columns(rows []row, width int) (left, right column) {
	var sides [2][]row
	for _, r := range rows {
		side := 0
		if r.other {
			side = 1
		}
		sides[side] = append(sides[side], r)
	}
	width -= columnGap
	left, right = newColumn(leftTitle, sides[0], width), newColumn(rightTitle, sides[1], width)
	if left.width+right.width > width {
		if right.width > width/2 {
			right = newColumn(rightTitle, sides[1], max(width/2, width-left.width))
		}
		left = newColumn(leftTitle, sides[0], width-right.width)
	}
	return left, right
}

// newColumn is just as wide as its rows need, up to a limit.
func newColumn(title string, rows []row, limit int) column {
	c := column{width: len(title)}
	for _, r := range rows {
		c.mark = max(c.mark, utf8.RuneCountInString(r.mark))
	}
	for _, r := range rows {
		// An operation that takes up the whole line has its note below, and
		// is no reason to move the others' notes.
		if n := utf8.RuneCountInString(r.op); r.note != "" && n <= limit/2 {
			c.op = max(c.op, n)
		}
	}
	for _, r := range rows {
		for _, s := range c.fit(r, limit) {
			c.width = max(c.width, utf8.RuneCountInString(s))
		}
	}
	c.width = min(c.width, limit)
	return c
}

// lines are a row's lines, at most as wide as the column.
func (c column) lines(r row) []string { return c.fit(r, c.width) }

func (c column) fit(r row, limit int) []string {
	mark := ""
	if c.mark > 0 {
		mark = pad(r.mark, c.mark) + "  "
	}
	op := r.op
	if r.note != "" {
		op = pad(r.op, c.op)
	}
	whole := mark + op
	if r.note != "" {
		whole += "  " + r.note
	}
	if utf8.RuneCountInString(whole) <= limit {
		return []string{whole}
	}
	indent := strings.Repeat(" ", utf8.RuneCountInString(mark))
	var out []string
	for _, part := range []string{r.op, r.note} {
		for _, s := range wrap(part, limit-len(indent)-2) {
			if len(out) > 0 {
				s = "  " + s
			}
			out = append(out, indent+s)
		}
	}
	out[0] = mark + strings.TrimPrefix(out[0], indent)
	return out
}

// fill pads s to the column's width.
func (c column) fill(s string) string { return pad(s, c.width) }

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// wrap breaks text into lines at spaces, a word that is too long also after
// a parenthesis; what is still too long is cut.
func wrap(text string, width int) []string {
	width = max(width, 8)
	var lines []string
	line := ""
	for _, w := range words(text, width) {
		part := clip(w.text, width)
		switch {
		case line == "":
			line = part
		case utf8.RuneCountInString(line)+len(w.glue)+utf8.RuneCountInString(part) <= width:
			line += w.glue + part
		default:
			lines = append(lines, line)
			line = part
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// word is a part of a text that stays on one line, and what joins it to the
// one before.
type word struct{ glue, text string }

// words splits at spaces and, where that leaves too much, after the last
// parenthesis that opens.
func words(text string, width int) []word {
	var out []word
	for _, s := range strings.Fields(text) {
		i := strings.LastIndexByte(s, '(') + 1
		if utf8.RuneCountInString(s) <= width || i <= 1 {
			out = append(out, word{" ", s})
			continue
		}
		out = append(out, word{" ", s[:i]}, word{"", s[i:]})
	}
	return out
}

// clip leaves out the middle of a word that is too long for a line.
func clip(word string, width int) string {
	runes := []rune(word)
	if len(runes) <= width {
		return word
	}
	half := (width - 3) / 2
	return string(runes[:half]) + "..." + string(runes[len(runes)-half:])
}

// lineOf is the line number of a position.
func lineOf(pos reduce.Pos) string {
	parts := strings.Split(filepath.Base(string(pos)), ":")
	if len(parts) < 3 {
		return ""
	}
	return parts[len(parts)-2]
}

// label is how a cell is named where it has no label.
func label(name string) string {
	if name == "" {
		return "the cell"
	}
	return name
}

// holds says what a cell holds.
func holds(cell, value string) string {
	if value == reduce.LitAbsent {
		return cell + " is absent"
	}
	return cell + " holds " + value
}

func (d *drawing) list(vs []reduce.Value) string {
	names := make([]string, len(vs))
	for i, v := range vs {
		names[i] = d.name(v)
	}
	return strings.Join(names, ", ")
}

func (d *drawing) name(v reduce.Value) string {
	if s, ok := d.names[v]; ok {
		return s
	}
	return string(v)
}

// values are all values of the witness in order of appearance.
func (w *Witness) values() []reduce.Value {
	var all []reduce.Value
	bindings := func(bs []Binding) {
		for _, b := range bs {
			all = append(all, b.Value)
		}
	}
	bindings(w.Params)
	bindings(w.Initial)
	for _, ev := range w.Events {
		all = append(all, ev.Args...)
		all = append(all, ev.Results...)
	}
	all = append(all, effectArgs(w.Result.Effects)...)
	all = append(all, w.Result.Vals...)
	bindings(w.Final)
	for _, o := range w.Atomic {
		all = append(all, effectArgs(o.Result.Effects)...)
		all = append(all, o.Result.Vals...)
		all = append(all, o.Shown...)
		bindings(o.Final)
	}
	return all
}

// names are how the picture writes the values. Identities are numbered in the
// order in which they appear, those of each type from 1, and their type is
// without its package where that is clear. Arguments are called like their
// parameters: "user" for "user5".
func (w *Witness) names() map[reduce.Value]string {
	names := map[reduce.Value]string{}
	taken := map[string]bool{}
	counts := map[string]int{}
	owner := map[string]string{} // short type -> type
	give := func(v reduce.Value, name string) {
		names[v], taken[name] = name, true
	}
	for _, p := range w.Params {
		if _, ok := names[p.Value]; !ok && numbered(p) && !taken[p.Name] {
			give(p.Value, p.Name)
		}
	}
	for _, v := range w.values() {
		if _, ok := names[v]; ok {
			continue
		}
		typ, sep := identity(v)
		if typ == "" {
			name := string(v)
			if short := qualifier.ReplaceAllString(name, ""); !v.IsLit() && !taken[short] {
				name = short
			}
			give(v, name)
			continue
		}
		short := qualifier.ReplaceAllString(typ, "")
		if o, ok := owner[short]; ok && o != typ {
			short = typ
		}
		owner[short] = typ
		for ok := true; ok; ok = taken[short+sep+strconv.Itoa(counts[short])] {
			counts[short]++
		}
		give(v, short+sep+strconv.Itoa(counts[short]))
	}
	return names
}

// numbered reports whether an argument is its parameter's name with a number:
// it is nothing but itself.
func numbered(p Binding) bool {
	rest, ok := strings.CutPrefix(string(p.Value), p.Name)
	return ok && strings.Trim(rest, "0123456789") == ""
}

// identity splits the name of a value that was made during the run: what made
// it, and what stands before its number. It is empty for all others.
func identity(v reduce.Value) (typ, sep string) {
	s := string(v)
	if v.IsLit() {
		return "", ""
	}
	for _, prefix := range []string{"spec_", "their_"} {
		if rest, ok := strings.CutPrefix(s, prefix); ok && !strings.Contains(rest, "#") {
			return strings.TrimRight(rest, "0123456789"), ""
		} else if ok {
			s = rest
		}
	}
	typ, _, ok := strings.Cut(s, "#")
	if !ok {
		return "", ""
	}
	return typ, "#"
}

// qualifier is a package in a type.
var qualifier = regexp.MustCompile(`\b[a-z]\w*\.`)
