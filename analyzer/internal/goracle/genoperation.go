package goracle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// call is a call of an operation, as text, with its results.
type call struct {
	text    string
	results []variable // names are prefixes
}

// operation makes a call and names its results; a look is one that reads.
func (g *generator) operation(look bool) {
	g.ops--
	f := &g.fields[g.r.IntN(len(g.fields))]
	if f.guarded() {
		g.section(f, look)
		return
	}
	if f.isMap() && g.may(Whole, 20) {
		g.whole(f)
		return
	}
	if look {
		g.load(f)
		return
	}
	if len(g.helpers) > 0 && !g.held && g.chance(30) {
		if h := pick(g, g.helpers...); !g.inGoroutine || !h.panics {
			g.callHelper(h)
			return
		}
	}
	c := g.callOn(f)
	if len(c.results) == 1 && c.results[0].typ == "bool" && f.elem != "bool" && g.depth < 4 && g.chance(50) {
		g.line("if %s%s {", pick(g, "", "!"), c.text)
		g.branch()
		g.line("}")
		return
	}
	g.bind(c, f)
}

// bind declares variables for a call's results; one that comes out as any
// also gets its own type.
func (g *generator) bind(c call, f *field) (first, second string) {
	var names []string
	for _, r := range c.results {
		g.names++
		names = append(names, fmt.Sprintf("%s%d", r.name, g.names))
	}
	if len(names) == 0 {
		g.line("%s", c.text)
		return "", ""
	}
	g.line("%s := %s", strings.Join(names, ", "), c.text)
	for i, r := range c.results {
		g.scope = append(g.scope, variable{names[i], r.typ})
	}
	first = names[0]
	if c.results[0].typ == "any" && f != nil && f.elem != "any" {
		x := g.fresh("x", f.elem)
		if len(names) > 1 && !g.inGoroutine && g.ofItsType(f) && g.chance(15) {
			// A panic if there is nothing.
			g.line("%s := %s.(%s)", x, first, f.elem)
		} else {
			g.line("%s, _ := %s.(%s)", x, first, f.elem)
		}
	}
	if len(names) > 1 {
		second = names[1]
	}
	return first, second
}

func (g *generator) key() string {
	if slices.Contains(g.scope, variable{"k2", "string"}) && g.chance(40) {
		return "k2"
	}
	return "k"
}

func (g *generator) outType(f *field) string {
	if f.boxed() {
		return "any"
	}
	return f.elem
}

// load reads a cell.
func (g *generator) load(f *field) (first, second string) {
	if f.guarded() {
		return g.bind(call{fmt.Sprintf("s.%s[%s]", f.name, g.key()), []variable{{"v", f.elem}, {"ok", "bool"}}}, f)
	}
	if f.isMap() {
		return g.bind(call{fmt.Sprintf("s.%s.Load(%s)", f.name, g.key()), []variable{{"v", g.outType(f)}, {"ok", "bool"}}}, f)
	}
	return g.bind(call{fmt.Sprintf("s.%s.Load()", f.name), []variable{{"v", g.outType(f)}}}, f)
}

// call is a call on any of the cells.
func (g *generator) call() call {
	return g.callOn(&g.fields[g.r.IntN(len(g.fields))])
}

// callOn is a call that may write.
func (g *generator) callOn(f *field) call {
	if f.isMap() {
		return g.callOnMap(f)
	}
	out := g.outType(f)
	method := pick(g, "Store", "Swap", "CompareAndSwap", "Store", "CompareAndSwap")
	if isInteger(f.elem) && f.kind != "atomic.Value" && g.chance(40) {
		method = pick(g, "Add", "Add", "And", "Or")
	}
	on := "s." + f.name + "." + method
	switch method {
	case "Store":
		return call{text: fmt.Sprintf("%s(%s)", on, g.stored(f))}
	case "CompareAndSwap":
		return call{fmt.Sprintf("%s(%s, %s)", on, g.expected(f), g.stored(f)), []variable{{"ok", "bool"}}}
	}
	return call{fmt.Sprintf("%s(%s)", on, g.stored(f)), []variable{{"v", out}}}
}

func (g *generator) callOnMap(f *field) call {
	key, out := g.key(), g.outType(f)
	pair := []variable{{"v", out}, {"ok", "bool"}}
	one := []variable{{"ok", "bool"}}
	methods := []string{"Store", "Store", "Delete", "LoadOrStore", "LoadOrStore", "LoadAndDelete", "CompareAndSwap", "CompareAndDelete"}
	if f.kind == "sync.Map" {
		methods = append(methods, "Swap")
	}
	method := pick(g, methods...)
	on := "s." + f.name + "." + method
	switch method {
	case "Store":
		return call{text: fmt.Sprintf("%s(%s, %s)", on, key, g.stored(f))}
	case "Delete":
		return call{text: fmt.Sprintf("%s(%s)", on, key)}
	case "LoadAndDelete":
		return call{fmt.Sprintf("%s(%s)", on, key), pair}
	case "CompareAndSwap":
		return call{fmt.Sprintf("%s(%s, %s, %s)", on, key, g.expected(f), g.stored(f)), one}
	case "CompareAndDelete":
		return call{fmt.Sprintf("%s(%s, %s)", on, key, g.expected(f)), one}
	}
	return call{fmt.Sprintf("%s(%s, %s)", on, key, g.stored(f)), pair}
}

var number = regexp.MustCompile(`^-?\d+$`)

// stored is a value for a cell: of the cell's type, also where any is taken,
// unless the cell is for values of several types anyway.
func (g *generator) stored(f *field) string {
	e := g.expression(f.elem)
	if f.boxed() && number.MatchString(e) && (f.kind == "atomic.Value" || !g.has(Mixed)) && isInteger(f.elem) {
		return fmt.Sprintf("%s(%s)", f.elem, e)
	}
	return e
}

// ofItsType reports whether all that is stored in a cell is of its type: a number is an int
// else. What is stored of another type than the code takes for granted is a mistake that
// nothing is said of.
func (g *generator) ofItsType(f *field) bool {
	return !g.has(Mixed) || f.kind == "atomic.Value" || !isInteger(f.elem) || f.elem == "int"
}

// expected is what a compare-and-swap expects: mostly something that was read.
func (g *generator) expected(f *field) string {
	if g.chance(75) {
		if v, ok := g.variableOf(g.outType(f)); ok {
			return v
		}
	}
	return g.stored(f)
}

// callHelper calls a method of the unit.
func (g *generator) callHelper(h helper) {
	key := ""
	if g.fields[0].isMap() {
		key = g.key()
	}
	var rs []variable
	for _, t := range h.results {
		rs = append(rs, variable{"h", t})
	}
	g.bind(call{fmt.Sprintf("s.%s(%s)", h.name, key), rs}, nil)
}

// whole makes an operation on all of a map.
func (g *generator) whole(f *field) {
	if f.kind != "sync.Map" {
		g.load(f)
		return
	}
	switch g.r.IntN(5) {
	case 0:
		g.line("s.%s.Clear()", f.name)
	case 1, 2:
		n := g.fresh("n", "int")
		g.line("%s := 0", n)
		g.line("s.%s.Range(func(_, _ any) bool {", f.name)
		g.line("\t%s++", n)
		g.line("\treturn true")
		g.line("})")
		g.line("if %s %s {", n, pick(g, "> 0", "== 0", "< 2"))
		g.branch()
		g.line("}")
	case 3:
		found := g.fresh("b", "bool")
		g.line("%s := false", found)
		g.line("s.%s.Range(func(key, _ any) bool {", f.name)
		g.line("\t%s = %s || key == k", found, found)
		g.line("\treturn !%s", found)
		g.line("})")
	default:
		g.line("s.%s.Range(func(key, v any) bool {", f.name)
		g.line("\tif v == any(%s) {", g.stored(f))
		g.line("\t\ts.%s.Delete(key)", f.name)
		g.line("\t}")
		g.line("\treturn true")
		g.line("})")
	}
}
