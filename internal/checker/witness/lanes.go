package witness

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/absint"
)

// Lanes are what goroutines do one after the other, a column for each and time downwards,
// to be gone through step by step. A story of the static analysis is drawn so, and a
// recorded history.
type Lanes struct {
	Start  string // what holds at first
	Names  []string
	Steps  []LaneStep
	Orders []LaneOrder // none for a history
	Legend string
}

// LaneStep is one thing that one goroutine does.
type LaneStep struct {
	Lane       int
	Text, Note string
	// Code is the line of the source that does it, and Where that is; empty where they are
	// not known.
	Code, Where string
	Breaking    bool // it acts on what is no longer so
}

// LaneOrder is an order in which nobody interrupts anybody, and why it is not what
// happened.
type LaneOrder struct {
	Title string
	Steps []LaneStep
	Why   string
}

// StoryLanes are the lanes of a story. The source is asked for the code and the place of
// a move, of which it may know nothing.
func StoryLanes(function string, s *absint.Story, source func(move int) (code, where string)) *Lanes {
	l := &Lanes{Start: s.Start, Names: []string{yourCall, otherGoroutine}, Legend: s.Legend()}
	var others []LaneStep
	for i := range s.Moves {
		m := &s.Moves[i]
		st := LaneStep{Lane: side(m), Text: m.Op, Note: m.Note, Breaking: m.Breaking}
		if known := m.Pos.Line > 0 || m.Other && m.At.Line > 0; known && source != nil {
			st.Code, st.Where = source(i)
		}
		l.Steps = append(l.Steps, st)
		if m.Other {
			others = append(others, LaneStep{Lane: 1, Text: m.Op})
		}
	}
	call := LaneStep{Text: cmp.Or(function, yourCall) + ", at once"}
	for _, o := range s.Orders {
		after := min(o.After, len(others))
		l.Orders = append(l.Orders, LaneOrder{
			Title: "Your call " + o.Place, Why: "Then " + o.Why + ".", Steps: slices.Concat(others[:after], []LaneStep{call}, others[after:]),
		})
	}
	return l
}

// Larger histories are drawn, and not gone through.
const (
	maxLanes     = 4
	maxLaneSteps = 80
)

// stepwise are the lanes of a history; nil if it is too large. An operation that nothing comes
// between is one step, and else its call is one and its return another.
func (p *Picture) stepwise() *Lanes {
	type moment struct {
		at, nest int64 // calls before what is in them, returns after
		op       *Operation
		back     bool
	}
	var all []moment
	var add func(op *Operation, depth int64)
	add = func(op *Operation, depth int64) {
		all = append(all, moment{op.Call, depth, op, false})
		for i := range op.Inner {
			add(&op.Inner[i], depth+1)
		}
		if !op.Pending() {
			all = append(all, moment{int64(op.Return), -depth, op, true})
		}
	}
	for i := range p.Operations {
		add(&p.Operations[i], 1)
	}
	names := slices.Clone(p.Threads)
	for _, m := range all {
		if !slices.Contains(names, m.op.Thread) {
			names = append(names, m.op.Thread)
		}
	}
	if len(names) < 2 || len(names) > maxLanes || len(all) > maxLaneSteps {
		return nil
	}
	slices.SortStableFunc(all, func(x, y moment) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.nest, y.nest)) })
	core := map[*Operation]bool{}
	for _, i := range p.Core {
		core[&p.Operations[i]] = true
	}
	l := &Lanes{Names: names}
	for i := 0; i < len(all); i++ {
		m := all[i]
		st := LaneStep{Lane: slices.Index(names, m.op.Thread), Breaking: core[m.op]}
		switch whole := i+1 < len(all) && all[i+1].op == m.op; {
		case m.back:
			st.Text, st.Note = m.op.call(), "returns "+cmp.Or(m.op.result(), "nothing")
		case whole:
			st.Text, st.Note = m.op.whole(), m.op.Note
			i++
		case m.op.Pending():
			st.Text, st.Note = m.op.call(), "begins, and does not return"
		default:
			st.Text, st.Note = m.op.call(), "begins"
		}
		if m.op.Line > 0 {
			st.Where = "line " + strconv.Itoa(m.op.Line)
		}
		l.Steps = append(l.Steps, st)
	}
	return l
}

// Section is the lanes as an HTML section, for a page that has Style and Script. No other
// section of the page may have the same id. Without Script all steps are shown at once.
func (l *Lanes) Section(id string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<section class=\"lanes\" id=\"%s\">\n", escape(id))
	if l.Start != "" {
		fmt.Fprintf(&out, "<p>%s</p>\n", escape(l.Start))
	}
	out.WriteString("<div class=\"stepper\" hidden=\"\"><button type=\"button\" class=\"back\" aria-label=\"step back\">↑</button>" +
		"<button type=\"button\" class=\"on\" aria-label=\"next step\">↓</button>" +
		"<output class=\"at\" aria-live=\"polite\">Go through the steps with the arrow keys.</output></div>\n")
	l.track(&out, l.Steps, true)
	if len(l.Orders) > 0 {
		out.WriteString("<p>As one atomic step, your call would come at one of these places, and none of them is what happened:</p>\n<div class=\"orders\">\n")
		for _, o := range l.Orders {
			fmt.Fprintf(&out, "<figure><figcaption>%s</figcaption>\n", escape(o.Title))
			l.track(&out, o.Steps, false)
			fmt.Fprintf(&out, "<p class=\"why\"><span aria-hidden=\"true\">✗</span> %s</p></figure>\n", escape(o.Why))
		}
		out.WriteString("</div>\n")
	}
	if l.Legend != "" {
		fmt.Fprintf(&out, "<p class=\"notes\">%s</p>\n", escape(l.Legend))
	}
	out.WriteString("</section>\n")
	return out.String()
}

// track draws the columns. Each step has a row of its own, and says all that there is to
// it for those who do not see the columns.
func (l *Lanes) track(out *strings.Builder, steps []LaneStep, full bool) {
	fmt.Fprintf(out, "<div class=\"track\" style=\"--lanes:%d\">\n", len(l.Names))
	for i, name := range l.Names {
		fmt.Fprintf(out, "<div class=\"head\" style=\"grid-column:%d\">%s</div>\n", i+1, escape(name))
	}
	out.WriteString("<ol>\n")
	for i := range steps {
		st := &steps[i]
		class := "step"
		if st.Breaking {
			class += " breaking"
		}
		said := []string{l.Names[st.Lane], st.Text, st.Note, st.Where}
		said = slices.DeleteFunc(said, func(s string) bool { return s == "" })
		fmt.Fprintf(out, `<li class="%s" style="grid-column:%d;grid-row:%d" aria-label="%s">`, class, st.Lane+1, i+1, escape(strings.Join(said, ", ")))
		fmt.Fprintf(out, "<span class=\"does\"><b>%s</b> %s</span>", escape(st.Text), escape(st.Note))
		if full && st.Where != "" {
			fmt.Fprintf(out, "<span class=\"from\"><i>%s</i> <code>%s</code></span>", escape(st.Where), escape(strings.ReplaceAll(strings.TrimSpace(st.Code), "\t", " ")))
		}
		out.WriteString("</li>\n")
	}
	out.WriteString("</ol></div>\n")
}
