package witness

import (
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// element is an element of a page that was parsed.
type element struct {
	name  string
	attrs map[string]string
	text  string
	path  string // names of the elements that it is in
}

// parse reads a page as XML, which it is as well as HTML, so that anything
// that is not escaped is an error or an element that should not be there.
func parse(t require.TestingT, page string) []element {
	var all []element
	var open []int
	dec := xml.NewDecoder(strings.NewReader(page))
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		switch tok := tok.(type) {
		case xml.StartElement:
			e := element{name: tok.Name.Local, attrs: map[string]string{}}
			for _, i := range open {
				e.path += "/" + all[i].name
			}
			for _, a := range tok.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			open = append(open, len(all))
			all = append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				all[open[len(open)-1]].text += string(tok)
			}
		}
	}
}

func named(es []element, name, class string) []element {
	var out []element
	for _, e := range es {
		if e.name == name && (class == "" || slices.Contains(strings.Fields(e.attrs["class"]), class)) {
			out = append(out, e)
		}
	}
	return out
}

// TestHTML writes a page of each picture and of all of them, and looks at
// what a browser would find in it.
func TestHTML(t *testing.T) {
	for name, p := range drawn() {
		t.Run(name, func(t *testing.T) {
			var page strings.Builder
			require.NoError(t, WriteHTML(&page, p.Title, p))
			es := parse(t, page.String())
			assert.Len(t, named(es, "g", "op"), len(p.Operations))
			assert.Len(t, named(es, "g", "core"), len(p.Core))
			assert.Len(t, named(es, "path", "point"), len(p.Linearization))
			assert.Len(t, named(es, "script", ""), 1)
			for _, g := range named(es, "g", "op") {
				assert.Equal(t, "0", g.attrs["tabindex"], "it can be reached by the keyboard")
				assert.NotEmpty(t, g.attrs["aria-label"])
			}
			for _, e := range es {
				for attr, value := range e.attrs {
					assert.NotRegexp(t, `^on|^(src|href)$`, attr)
					if attr != "xmlns" {
						assert.NotRegexp(t, `https?:`, value)
					}
				}
			}
			assert.NotContains(t, page.String(), "\x1b")
			assert.NotContains(t, page.String(), "\u202e")
		})
	}
}

// TestHTMLGolden keeps one page as it is, for a person to look at.
func TestHTMLGolden(t *testing.T) {
	d := drawn()
	var page strings.Builder
	require.NoError(t, WriteHTML(&page, "Pictures", d["queue"], d["order"], d["nested"], d["stuck"]))
	golden(t, "page.html", page.String())
	ids := map[string]bool{}
	for _, e := range parse(t, page.String()) {
		if id := e.attrs["id"]; id != "" {
			assert.False(t, ids[id], id)
			ids[id] = true
		}
	}
	assert.Len(t, ids, 2*4+5+5+2+3, "sections, lanes and operations")
	assert.NotRegexp(t, regexp.MustCompile(`[^-]src=|href=|url\(|@import`), page.String(), "nothing is loaded")
}

// TestSVGInTime checks the drawings of all pictures.
func TestSVGInTime(t *testing.T) {
	for _, p := range drawn() {
		checkTimes(t, p)
	}
}

// checkTimes checks what a drawing is for: a bar is to the right of another
// one exactly if it is later, bars of a lane do not overlap, inner bars are
// within outer ones, and points are within their bars and in order.
func checkTimes(t require.TestingT, p *Picture) {
	s := newSVG(p, "x")
	for i := range s.nodes {
		n := &s.nodes[i]
		require.Less(t, s.x[n.call], s.x[n.ret])
		require.LessOrEqual(t, s.x[n.ret], s.width)
		for j := range s.nodes {
			m := &s.nodes[j]
			before := int64(n.op.Return) < m.op.Call
			require.Equal(t, before, s.x[n.ret] < s.x[m.call], "%v, %v", n.op, m.op)
			if i != j && n.lane == m.lane && n.depth == 0 && m.depth == 0 {
				require.True(t, s.x[n.ret] < s.x[m.call] || s.x[m.ret] < s.x[n.call])
			}
			if m.top == n.top && m.depth > n.depth && n.depth == 0 {
				require.True(t, s.x[n.call] < s.x[m.call] && s.x[m.ret] < s.x[n.ret])
			}
		}
	}
	last := 0.0
	for _, i := range p.Linearization {
		n := &s.nodes[s.tops[i]]
		require.Less(t, max(last, s.x[n.call]), s.x[n.point])
		require.Less(t, s.x[n.point], s.x[n.ret])
		last = s.x[n.point]
	}
}
