package sim

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// past is what others have done before the call, and what they were answered. Some contents, and some places where calls
// rest that are under way, are many steps away from the start, and each of these steps matters: pasts are kept by what they have
// led to, roughly, and others go on from there. What is hardly ever come to is gone on from as often as all else.
type past struct {
	steps   []step
	answers map[string]any
}

// maxAlike is how many pasts are kept that have led to the same, roughly.
const maxAlike = 8

// goOn has others go on from one of the pasts.
func (s *search) goOn(x *execution, p *plan) {
	if n := len(s.led); n > 0 {
		alike := s.pasts[s.led[s.tape.choose(n)]]
		from := alike[s.tape.choose(len(alike))]
		maps.Copy(p.world.answers, from.answers)
		for _, st := range from.steps {
			p.initial = append(p.initial, st)
			x.start(st)
		}
	}
	for range 1 + s.tape.choose(2) {
		calls := s.calls(x)
		if len(x.underway()) > 0 { // one is enough, and several are too many ways
			calls = slices.DeleteFunc(calls, func(st step) bool { return st.op == "visit" })
		}
		st := calls[s.tape.choose(len(calls))]
		if st.fn != nil {
			st.args = s.args(x, st.fn)
		}
		p.initial = append(p.initial, st)
		x.start(st)
		s.keep(x, p)
	}
}

// keep notes a past.
func (s *search) keep(x *execution, p *plan) {
	if x.broken {
		return
	}
	to := x.roughly()
	alike := s.pasts[to]
	here := past{p.initial[:len(p.initial):len(p.initial)], maps.Clone(p.world.answers)}
	switch {
	case s.pasts == nil:
		s.pasts = map[string][]past{}
		fallthrough
	case len(alike) == 0:
		s.led = append(s.led, to)
		fallthrough
	case len(alike) < maxAlike:
		s.pasts[to] = append(alike, here)
	default:
		alike[s.tape.choose(len(alike))] = here
	}
}

// roughly is what is in the cells and where calls rest that are under way: of values which they are like.
func (x *execution) roughly() string {
	var b strings.Builder
	for _, c := range x.cells {
		switch c := c.(type) {
		case MapCell:
			for _, k := range c.SimKeys() {
				v, _ := c.SimGet(k)
				fmt.Fprintf(&b, "%v:%s ", k, like(v))
			}
		case AtomicCell:
			b.WriteString(like(c.SimLoad()))
		}
		b.WriteString("; ")
	}
	for _, v := range x.visits {
		if !v.over {
			fmt.Fprint(&b, v.goes, " ")
		}
	}
	return b.String()
}

// like is the type of a value, and of a number whether it is less than nothing, or nothing.
func like(v any) string {
	text := fmt.Sprintf("%T", v)
	switch n := reflect.ValueOf(v); {
	case n.IsValid() && n.CanInt() && n.Int() < 0:
		return text + "-"
	case n.IsValid() && n.IsZero():
		return text + "0"
	}
	return text
}
