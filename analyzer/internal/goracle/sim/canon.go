package sim

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// namer writes values down such that two runs that differ in nothing but the
// identities of the objects that they made give the same text. An object of
// the environment is named by its number, one of the call by the order in
// which it is seen.
type namer struct {
	names map[Node]string
	seen  []Node // each once
	made  int    // how many of them the program made
}

func (n *namer) name(o Node) string {
	s, ok := n.names[o]
	if !ok {
		n.made++
		s = "#" + strconv.Itoa(n.made)
		n.give(o, s)
	}
	return s
}

func (n *namer) give(o Node, name string) {
	n.names[o] = name
	n.seen = append(n.seen, o)
}

// value is a value as text, with its type.
func (n *namer) value(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case string:
		return strconv.Quote(v)
	case Node:
		if v.SimNil() {
			return fmt.Sprintf("(%T)(nil)", v)
		}
		return n.name(v)
	case error:
		return fmt.Sprintf("%T(%q)", v, v.Error())
	}
	return fmt.Sprintf("%T(%v)", v, v)
}

func (n *namer) values(vs []any) string {
	var out []string
	for _, v := range vs {
		out = append(out, n.value(v))
	}
	return strings.Join(out, ", ")
}

// effects are those of a call. Of what they are given objects count, and all else if
// strict: which numbers a function was called with is an outcome where they were in a cell,
// and after the last operation everything is that somebody was told. So are questions.
func (n *namer) effects(es []effect, strict bool) string {
	return n.effectsOf(es, strict, func(e effect) bool { return !e.asked || strict && !e.past })
}

// tells are those of a step of the environment: what it asks about is not in a cell by chance.
func (n *namer) tells(es []effect) string {
	return n.effectsOf(es, true, func(e effect) bool { return !e.past || !e.written })
}

func (n *namer) effectsOf(es []effect, strict bool, counts func(effect) bool) string {
	var out []string
	for _, e := range es {
		if !counts(e) {
			continue
		}
		given := slices.DeleteFunc(slices.Clone(e.args), func(a any) bool {
			o, object := a.(Node)
			return !strict && (!object || o.SimNil()) // a nil that is told tells nobody apart
		})
		out = append(out, fmt.Sprintf("%s(%s)", e.name, n.values(given)))
	}
	return strings.Join(out, ", ")
}

// contents are the fields of all objects that were seen, and of those that
// are found in them.
func (n *namer) contents() string {
	var out []string
	for i := 0; i < len(n.seen); i++ { // more may be seen on the way
		o := n.seen[i]
		out = append(out, fmt.Sprintf("%s{%s}", n.names[o], n.values(o.SimFields())))
	}
	slices.Sort(out) // the order in which they were made is no outcome
	return strings.Join(out, " ")
}

// panicClass is what of a panic is an outcome: of a runtime error its kind.
func (n *namer) panicClass(v any) string {
	if err, ok := v.(runtime.Error); ok {
		text := err.Error()
		var assertion *runtime.TypeAssertionError
		if errors.As(err, &assertion) {
			text = "interface conversion"
		}
		return "panic: " + text
	}
	return "panic: " + n.value(v)
}
