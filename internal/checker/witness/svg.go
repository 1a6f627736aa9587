package witness

import (
	"fmt"
	"html"
	"strings"
)

// Sizes in the drawing, in pixels.
const (
	barHeight   = 26
	laneGap     = 20
	innerHeight = 20 // of each level of inner operations
	charWidth   = 7.3
	stepWidth   = 14 // between two steps, at least
	barPadding  = 8
	margin      = 12
	labelLimit  = 34 // columns of a text in a bar
)

// svg is one drawing under construction: lanes are rows, time goes right.
type svg struct {
	*layout
	id  string // no other drawing of the page has it
	x   []float64
	top []float64 // of each lane
	out strings.Builder
	// The size of the whole.
	width, height float64
}

func newSVG(p *Picture, id string) *svg {
	s := &svg{layout: newLayout(p), id: id}
	s.placeLanes()
	s.placeSteps()
	return s
}

// placeLanes gives a lane the room that its deepest operation needs.
func (s *svg) placeLanes() {
	depth := make([]int, len(s.lanes))
	for _, n := range s.nodes {
		depth[n.lane] = max(depth[n.lane], n.depth)
	}
	y := float64(margin + 8) // room for the numbers of the points
	for _, d := range depth {
		s.top = append(s.top, y)
		y += barHeight + innerHeight*float64(d) + laneGap
	}
	s.height = y
}

// placeSteps puts the steps as close together as the texts in the bars allow.
func (s *svg) placeSteps() {
	x := float64(margin)
	for _, st := range s.steps {
		n := &s.nodes[st.node]
		if st.kind == stepReturn {
			x = max(x, s.x[n.call]+s.textWidth(n))
		}
		s.x = append(s.x, x)
		x += stepWidth
	}
	s.width = x + margin
}

func (s *svg) textWidth(n *node) float64 {
	return charWidth*float64(width(label(n))) + 2*barPadding
}

// label is the text in a bar.
func label(n *node) string { return clip(n.op.whole(), labelLimit) }

// draw draws everything but the names of the lanes.
func (s *svg) draw() string {
	s.printf(`<svg class="history" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="group" aria-label="%s" xmlns="http://www.w3.org/2000/svg">`+"\n",
		s.width, s.height, s.width, s.height, html.EscapeString(s.summary()))
	for i := range s.lanes {
		y := s.top[i] + barHeight/2
		s.printf(`<line class="lane" x1="0" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", y, s.width, y)
	}
	for i := range s.nodes {
		if s.nodes[i].depth == 0 {
			s.operation(i)
		}
	}
	s.order()
	s.printf("</svg>\n")
	return s.out.String()
}

// summary is what the drawing shows, for those who do not see it.
func (s *svg) summary() string {
	text := Count(len(s.picture.Operations), "operation") + " in " + Count(len(s.lanes), "lane")
	if s.picture.Verdict != "" {
		text += ", " + Printable(s.picture.Verdict)
	}
	return text
}

// operation draws a bar and the inner ones below it. The whole is one element
// that can be focused and says everything about the operation.
func (s *svg) operation(i int) {
	n := &s.nodes[i]
	class := "op"
	if n.core {
		class += " core"
	}
	said := html.EscapeString(s.describe(n))
	s.printf(`<g class="%s" id="%s-%d" tabindex="0" role="img" aria-label="%s"><title>%s</title>`, class, s.id, n.top, said, said)
	s.bar(n)
	for j := i + 1; j < len(s.nodes) && s.nodes[j].depth > 0; j++ {
		in := &s.nodes[j]
		said := html.EscapeString(s.describe(in))
		s.printf(`<g class="inner"><title>%s</title>`, said)
		s.bar(in)
		s.printf(`</g>`)
	}
	s.printf("</g>\n")
}

// bar draws a rounded box from call to return with its text. The bar of an
// operation that did not return is open to the right.
func (s *svg) bar(n *node) {
	x, y, h := s.x[n.call], s.y(n), float64(barHeight)
	if n.depth > 0 {
		h = innerHeight - 3
	}
	w := s.x[n.ret] - x
	switch {
	case !n.op.Pending():
		s.printf(`<rect class="bar" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="4"/>`, x, y, w, h)
	default:
		s.printf(`<path class="bar pending" d="M%.1f %.1fH%.1fV%.1fH%.1f"/>`, x+w, y, x, y+h, x+w)
		end := "…"
		if s.picture.Stuck {
			end = "#"
		}
		s.printf(`<text class="end" x="%.1f" y="%.1f">%s</text>`, x+w+2, y+h/2+4, end)
	}
	s.printf(`<text x="%.1f" y="%.1f">%s</text>`, x+barPadding, y+h/2+4, html.EscapeString(label(n)))
}

func (s *svg) y(n *node) float64 {
	y := s.top[n.lane]
	if n.depth > 0 {
		y += barHeight + 3 + innerHeight*float64(n.depth-1)
	}
	return y
}

// order draws where operations take effect, and joins these points in order.
func (s *svg) order() {
	if len(s.picture.Linearization) == 0 {
		return
	}
	var path []string
	for _, i := range s.picture.Linearization {
		n := &s.nodes[s.tops[i]]
		path = append(path, fmt.Sprintf("%.1f,%.1f", s.x[n.point], s.y(n)))
	}
	s.printf(`<polyline class="order" points="%s"/>`+"\n", strings.Join(path, " "))
	for _, i := range s.picture.Linearization {
		n := &s.nodes[s.tops[i]]
		x, y := s.x[n.point], s.y(n)
		s.printf(`<path class="point" d="M%.1f %.1fl5 5l-5 5l-5 -5z"/><text class="number" x="%.1f" y="%.1f">%d</text>`+"\n",
			x, y-5, x, y-7, n.order)
	}
}

func (s *svg) printf(format string, args ...any) { fmt.Fprintf(&s.out, format, args...) }
