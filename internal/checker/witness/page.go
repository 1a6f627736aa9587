package witness

import (
	"strings"

	"github.com/rivo/uniseg"
)

// The ANSI escapes of a coloured picture.
const (
	ansiBold  = "\x1b[1m"
	ansiRed   = "\x1b[31m"
	ansiReset = "\x1b[0m"
)

// page is what is written of a text: lines of at most so many columns.
type page struct {
	out   strings.Builder
	width int
	color bool
}

func newPage(o TextOptions) page {
	if o.Width == 0 {
		o.Width = 80
	}
	return page{width: o.Width, color: o.Color}
}

// line writes one line in a style.
func (p *page) line(style, s string) {
	s = strings.TrimRight(s, " ")
	if style != "" && p.color {
		s = style + s + ansiReset
	}
	p.out.WriteString(s + "\n")
}

// blank writes an empty line.
func (p *page) blank() { p.out.WriteByte('\n') }

// paragraph writes text after a prefix, wrapped and indented to it.
func (p *page) paragraph(prefix, text string) {
	for _, s := range wrap(text, p.width-width(prefix)) {
		p.line("", prefix+s)
		prefix = strings.Repeat(" ", width(prefix))
	}
}

// heads writes the titles of columns, and rules below them.
func (p *page) heads(gutter int, titles []string, widths []int) {
	names, rules := make([]string, len(titles)), make([]string, len(titles))
	for i, t := range titles {
		names[i], rules[i] = clip(Printable(t), widths[i]), strings.Repeat("-", widths[i])
	}
	p.cells(ansiBold, pad("", gutter), names, widths)
	p.cells("", pad("", gutter), rules, widths)
}

// columnGap is between two columns.
const columnGap = 3

// cells writes one line of columns after a prefix.
func (p *page) cells(style, prefix string, cells []string, widths []int) {
	var line strings.Builder
	line.WriteString(prefix)
	for i, c := range cells {
		line.WriteString(pad(c, widths[i]+columnGap))
	}
	p.line(style, line.String())
}

// width is how many columns a printable text takes on a terminal.
func width(s string) int { return uniseg.StringWidth(s) }

// pad fills a text up to a width.
func pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-width(s))) }

// clip leaves out the middle of a text that is wider than n columns.
func clip(s string, n int) string {
	if width(s) <= n {
		return s
	}
	var parts []string // what a reader takes for one letter each
	for g := uniseg.NewGraphemes(s); g.Next(); {
		parts = append(parts, g.Str())
	}
	from, to := 0, len(parts)
	for used := 3; from < to; {
		// From both ends in turn, as long as there is room.
		front := from <= len(parts)-to
		part := parts[to-1]
		if front {
			part = parts[from]
		}
		if used += width(part); used > n {
			break
		}
		if front {
			from++
		} else {
			to--
		}
	}
	return strings.Join(parts[:from], "") + "..." + strings.Join(parts[to:], "")
}

// wrap breaks text into lines at spaces, a word that is too long also after
// a parenthesis; what is still too long loses its middle.
func wrap(text string, columns int) []string {
	columns = max(columns, 8)
	var lines []string
	line := ""
	for _, w := range words(text, columns) {
		part := clip(w.text, columns)
		switch {
		case line == "":
			line = part
		case width(line)+len(w.glue)+width(part) <= columns:
			line += w.glue + part
		default:
			lines = append(lines, line)
			line = part
		}
	}
	return append(lines, line)
}

// word is a part of a text that stays on one line, and what joins it to the
// one before.
type word struct{ glue, text string }

// words splits at spaces and, where that leaves too much, after the last
// parenthesis that opens.
func words(text string, columns int) []word {
	var out []word
	for _, s := range strings.Fields(text) {
		i := strings.LastIndexByte(s, '(') + 1
		if width(s) <= columns || i <= 1 {
			out = append(out, word{" ", s})
			continue
		}
		out = append(out, word{" ", s[:i]}, word{"", s[i:]})
	}
	return out
}
