package witness

import (
	"crypto/sha256"
	_ "embed" // the style and the script of a page
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
)

// DefaultHTMLLimit is how many operations a picture of a page has at most.
const DefaultHTMLLimit = 400

var (
	// Style is the style sheet that sections of HTML need.
	//go:embed page.css
	Style string
	// Script is what makes their operations speak when they are pointed at,
	// and lets the arrow keys go from one to the next. They can do without.
	//go:embed page.js
	Script string
)

// WriteHTML writes a page with the pictures one below the other. It needs
// nothing else: no network, no other file.
func WriteHTML(w io.Writer, title string, pictures ...*Picture) error {
	var page strings.Builder
	hash := sha256.Sum256([]byte(Script))
	fmt.Fprintf(&page, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>%s</title>
<style>
%s</style>
</head>
<body>
<h1>%s</h1>
<main>
`, base64.StdEncoding.EncodeToString(hash[:]), escape(title), Style, escape(title))
	for i, p := range pictures {
		page.WriteString(p.Section("p"+strconv.Itoa(i+1), 2))
	}
	page.WriteString("</main>\n<script>" + Script + "</script>\n</body>\n</html>\n")
	_, err := io.WriteString(w, page.String())
	return err
}

// escape is a text within an element or an attribute.
func escape(s string) string { return html.EscapeString(Printable(s)) }

// Section is the picture as an HTML section, for a page that has Style. No
// other section of the page may have the same id. Heading is the level of the
// section's own heading, 1 to 6.
func (p *Picture) Section(id string, heading int) string {
	var out strings.Builder
	p = p.Cut(DefaultHTMLLimit)
	fmt.Fprintf(&out, "<section id=\"%s\">\n", escape(id))
	if p.Title != "" {
		fmt.Fprintf(&out, "<h%d>%s</h%d>\n", heading, escape(p.Title), heading)
	}
	if p.Verdict != "" {
		fmt.Fprintf(&out, "<p><span class=\"verdict %s\">%s</span> %s</p>\n", escape(p.Verdict), escape(p.Verdict), escape(p.Reason))
	}
	s := newSVG(p, escape(id))
	if len(p.Operations) > 0 {
		s.names(&out)
		out.WriteString("<div class=\"scroll\">\n" + s.draw() + "</div>\n</div>\n")
		out.WriteString("<output class=\"said\" aria-live=\"polite\">Point at an operation, or go through them with the arrow keys.</output>\n")
	}
	s.notes(&out)
	if len(p.Operations) > 0 {
		s.table(&out)
	}
	out.WriteString("</section>\n")
	if l := p.stepwise(); l != nil {
		out.WriteString("<details class=\"steps\"><summary>Step by step</summary>\n" + l.Section(id+"-lanes") + "</details>\n")
	}
	return out.String()
}

// names writes the lanes' names, which stay where they are when the drawing
// is scrolled.
func (s *svg) names(out *strings.Builder) {
	out.WriteString("<div class=\"picture\">\n<div class=\"names\">")
	for i, name := range s.lanes {
		fmt.Fprintf(out, `<i>%s</i><span style="top:%.0fpx" title="%s">%s</span>`, escape(name), s.top[i], escape(name), escape(name))
	}
	out.WriteString("</div>\n")
}

// notes writes what the picture does not show, and what its marks mean.
func (s *svg) notes(out *strings.Builder) {
	p := s.picture
	var notes []string
	if p.Omitted > 0 {
		notes = append(notes, "Not drawn: "+Count(p.Omitted, "more operation")+".")
	}
	if len(p.Core) > 0 {
		notes = append(notes, "Bars with a thick edge contradict each other.")
	}
	if len(p.Linearization) > 0 {
		notes = append(notes, "The numbers are the order in which operations take effect.")
	}
	for _, n := range append(notes, p.Notes...) {
		fmt.Fprintf(out, "<p class=\"notes\">%s</p>\n", escape(n))
	}
}

// table writes the operations as a table, inner ones below theirs.
func (s *svg) table(out *strings.Builder) {
	out.WriteString("<details><summary>The same as a table</summary>\n<div class=\"table\"><table>\n<thead><tr>")
	for _, h := range []string{"thread", "operation", "result", "call", "return", "order", "line", ""} {
		fmt.Fprintf(out, "<th scope=\"col\">%s</th>", h)
	}
	out.WriteString("</tr></thead>\n<tbody>\n")
	for i := range s.nodes {
		s.tableRow(out, &s.nodes[i])
	}
	out.WriteString("</tbody>\n</table></div></details>\n")
}

func (s *svg) tableRow(out *strings.Builder, n *node) {
	class, order, line, ret := "", "", "", "did not return"
	if n.core {
		class = ` class="core"`
	}
	if n.order > 0 {
		order = strconv.Itoa(n.order)
	}
	if n.op.Line > 0 {
		line = strconv.Itoa(n.op.Line)
	}
	switch {
	case !n.op.Pending():
		ret = strconv.FormatInt(int64(n.op.Return), 10)
	case s.picture.Stuck:
		ret = "blocked"
	}
	fmt.Fprintf(out, `<tr%s><td>%s</td><td>%s<code>%s</code></td><td><code>%s</code></td><td class="n">%d</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td>%s</td></tr>`+"\n",
		class, escape(n.op.Thread), strings.Repeat("↳ ", n.depth), html.EscapeString(n.op.call()), html.EscapeString(n.op.result()),
		n.op.Call, ret, order, line, escape(n.op.Note))
}
