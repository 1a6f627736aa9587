package goracle

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// Mix says which features the generated functions have.
type Mix uint

const (
	// Atomics: a unit may be about atomic variables.
	Atomics Mix = 1 << iota
	// Narrow: integers of all widths, not only int.
	Narrow
	// Pointers: maps of pointers to objects.
	Pointers
	// Mixed: values of several types in one map.
	Mixed
	// Wrappers: maps behind a typed, generic wrapper.
	Wrappers
	// Retry: loops until a compare-and-swap succeeds.
	Retry
	// Loops: loops of two rounds.
	Loops
	// Helpers: a part of a function is in a method of its own.
	Helpers
	// Closures: function literals that are called.
	Closures
	// Panics: functions that panic.
	Panics
	// Defers: deferred calls, also conditional ones.
	Defers
	// Effects: objects that are changed in place.
	Effects
	// Whole: Range and Clear.
	Whole
	// TwoKeys: functions with two keys.
	TwoKeys
	// TwoCells: units with a map and an atomic.
	TwoCells
	// TypedNils: pointers in a map that are nil.
	TypedNils
	// Goroutines: a part of a function is in a goroutine that is waited for.
	Goroutines
	// Arithmetic: operators other than + and -, also in comparisons.
	Arithmetic
	// Unknowns: functions of which nothing is known, with an answer, an effect, or both.
	Unknowns
	// Guarded: built-in maps that a lock guards, in the unit or in a type of their own.
	Guarded

	// All features there are.
	All Mix = 1<<iota - 1
)

// mixNames are the features' names, in their order.
var mixNames = []string{
	"atomics", "narrow", "pointers", "mixed", "wrappers", "retry", "loops", "helpers", "closures",
	"panics", "defers", "effects", "whole", "twokeys", "twocells", "typednils", "goroutines", "arithmetic", "unknowns", "guarded",
}

// ParseMix reads names that are separated by commas; "all" is all of them,
// and a name after a minus is left out.
func ParseMix(s string) (Mix, error) {
	var m Mix
	for name := range strings.SplitSeq(s, ",") {
		bare, without := strings.CutPrefix(name, "-")
		i := slices.Index(mixNames, bare)
		switch {
		case name == "all":
			m = All
		case i < 0:
			return 0, fmt.Errorf("no feature %q; there are %s", name, strings.Join(mixNames, ", "))
		case without:
			m &^= 1 << i
		default:
			m |= 1 << i
		}
	}
	return m, nil
}

// String lists the names.
func (m Mix) String() string {
	var names []string
	for i, name := range mixNames {
		if m&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// Generate makes the text of a unit, which depends on seed and mix only.
func Generate(seed, n uint64, mix Mix) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, n)), mix: mix}
	return g.unit()
}

// variable is a local one or a parameter.
type variable struct{ name, typ string }

// field is a map or an atomic of the unit.
type field struct {
	name string
	kind string // "sync.Map", "Umap", "Ustore", "map", "atomic.Int32", ...
	elem string // the type of its values; "any" if they are of several
}

func (f *field) isMap() bool {
	return f.kind == "sync.Map" || f.kind == "Umap" || f.kind == "Ustore" || f.guarded()
}

// guarded reports whether it is a built-in map, which is touched with the lock held.
func (f *field) guarded() bool { return f.kind == "map" }

// boxed reports whether values come out as any.
func (f *field) boxed() bool { return f.kind == "sync.Map" || f.kind == "atomic.Value" }

type helper struct {
	name    string
	results []string
	panics  bool // perhaps
}

type generator struct {
	r       *rand.Rand
	mix     Mix
	elem    string
	fields  []field
	twoKeys bool
	helpers []helper
	out     []string // lines of the unit

	// Of the function under construction.
	lines       []string
	scope       []variable
	results     []string
	names       int
	ops         int // that may still be generated
	depth       int
	inLoop      bool
	inGoroutine bool // which must not panic
	plain       bool // inside a function literal, which cannot return for the function
	held        bool // the whole function holds the lock
}

func (g *generator) has(m Mix) bool        { return g.mix&m != 0 }
func (g *generator) chance(p int) bool     { return g.r.IntN(100) < p }
func (g *generator) may(m Mix, p int) bool { return g.has(m) && g.chance(p) }

func pick[T any](g *generator, of ...T) T { return of[g.r.IntN(len(of))] }

var narrowInts = []string{"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "uint"}

// unit makes the whole text.
func (g *generator) unit() string {
	g.elem = g.elemType()
	g.fields = append(g.fields, g.cell("m"))
	if g.may(TwoCells, 30) {
		g.fields = append(g.fields, g.cell("c"))
	}
	g.twoKeys = g.may(TwoKeys, 25)
	g.declare()
	helper := len(g.out)
	if g.may(Helpers, 40) {
		g.helper("h0")
	}
	rest := len(g.out)
	for i := range 1 + g.r.IntN(3) {
		g.function(string(rune('F' + i)))
	}
	if !strings.Contains(strings.Join(g.out[rest:], "\n"), "s.h0(") {
		g.out = slices.Delete(g.out, helper, rest) // nobody calls it, so that it does nothing to the map
	}
	return strings.Join(g.out, "\n") + "\n"
}

func (g *generator) elemType() string {
	types := []string{"int", "int", "string", "bool"}
	if g.has(Narrow) {
		types = append(types, pick(g, narrowInts...), pick(g, narrowInts...))
	}
	if g.has(Pointers) {
		types = append(types, "*Unode", "*Unode", "*Unode")
	}
	if g.has(Mixed) {
		types = append(types, "any")
	}
	return pick(g, types...)
}

// cell makes a map or an atomic that can hold values of the unit's type.
func (g *generator) cell(name string) field {
	if name == "c" || g.may(Atomics, 35) {
		return g.atomic(name)
	}
	if g.may(Guarded, 60) && g.elem != "any" {
		return field{name, pick(g, "map", "map", "Ustore"), g.elem}
	}
	if g.may(Wrappers, 40) && g.elem != "any" {
		return field{name, "Umap", g.elem}
	}
	return field{name, "sync.Map", g.elem}
}

func (g *generator) atomic(name string) field {
	kinds := []string{"Int32", "Int64", "Uint32", "Uint64", "Bool"}
	elems := map[string]string{"Int32": "int32", "Int64": "int64", "Uint32": "uint32", "Uint64": "uint64", "Bool": "bool"}
	if !g.has(Narrow) {
		kinds = []string{"Int64", "Bool"}
	}
	if g.has(Pointers) {
		kinds = append(kinds, "Pointer[Unode]")
		elems["Pointer[Unode]"] = "*Unode"
	}
	if name == "m" && g.elem != "any" {
		kinds = append(kinds, "Value")
		elems["Value"] = g.elem
	}
	kind := pick(g, kinds...)
	if name == "m" {
		g.elem = elems[kind]
	}
	return field{name, "atomic." + kind, elems[kind]}
}

func (g *generator) add(format string, args ...any) {
	g.out = append(g.out, fmt.Sprintf(format, args...))
}

// declare makes the types.
func (g *generator) declare() {
	g.add("type U struct {")
	for _, f := range g.fields {
		switch f.kind {
		case "Umap", "Ustore":
			g.add("\t%s %s[%s]", f.name, f.kind, f.elem)
		case "map":
			g.add("\tmu sync.RWMutex")
			g.add("\t%s map[string]%s", f.name, f.elem)
		default:
			g.add("\t%s %s", f.name, f.kind)
		}
	}
	if g.has(Unknowns) {
		g.add("\task func(int) bool")
		g.add("\thook func(any)")
		g.add("\ttry func(any) error")
	}
	g.add("}\n")
	if g.uses("*Unode") || g.elem == "any" {
		g.add("type Unode struct{ n int }\n")
	}
	for _, f := range g.fields {
		switch f.kind {
		case "Umap":
			g.out = append(g.out, wrapper)
		case "Ustore":
			g.out = append(g.out, guardedStore)
		}
	}
}

func (g *generator) uses(elem string) bool {
	return slices.ContainsFunc(g.fields, func(f field) bool { return f.elem == elem })
}

// wrapper is a typed map.
const wrapper = `type Umap[V any] struct{ m sync.Map }

func (w *Umap[V]) Load(k string) (V, bool) {
	v, ok := w.m.Load(k)
	if !ok {
		var zero V
		return zero, false
	}
	return v.(V), true
}

func (w *Umap[V]) Store(k string, v V) { w.m.Store(k, v) }

func (w *Umap[V]) Delete(k string) { w.m.Delete(k) }

func (w *Umap[V]) LoadOrStore(k string, v V) (V, bool) {
	actual, loaded := w.m.LoadOrStore(k, v)
	return actual.(V), loaded
}

func (w *Umap[V]) LoadAndDelete(k string) (V, bool) {
	v, ok := w.m.LoadAndDelete(k)
	if !ok {
		var zero V
		return zero, false
	}
	return v.(V), true
}

func (w *Umap[V]) CompareAndSwap(k string, old, new V) bool { return w.m.CompareAndSwap(k, old, new) }

func (w *Umap[V]) CompareAndDelete(k string, old V) bool { return w.m.CompareAndDelete(k, old) }
`

// begin starts a function's text.
func (g *generator) begin(params []variable, results []string, ops int) {
	g.lines, g.names, g.depth, g.inLoop, g.plain, g.inGoroutine = nil, 0, 1, false, false, false
	g.scope, g.results, g.ops, g.held = slices.Clone(params), results, ops, false
}

func (g *generator) params() []variable {
	var ps []variable
	for _, f := range g.fields {
		if f.isMap() {
			ps = append(ps, variable{"k", "string"})
			if g.twoKeys {
				ps = append(ps, variable{"k2", "string"})
			}
			break
		}
	}
	if g.chance(60) {
		ps = append(ps, variable{"a", g.elem})
	}
	return ps
}

func (g *generator) resultTypes() []string {
	var rs []string
	switch g.r.IntN(6) {
	case 0:
	case 1:
		rs = []string{"bool"}
	case 2, 3:
		rs = []string{g.elem}
	default:
		rs = []string{g.elem, "bool"}
	}
	return rs
}

// function makes an exported method.
func (g *generator) function(name string) {
	params, results := g.params(), g.resultTypes()
	g.begin(params, results, 2+g.r.IntN(3))
	g.body()
	g.end(name, params)
}

// helper makes a method that the others may call.
func (g *generator) helper(name string) {
	var params []variable
	if g.fields[0].isMap() {
		params = append(params, variable{"k", "string"})
	}
	results := pick(g, []string{g.elem, "bool"}, []string{"bool"}, []string{g.elem})
	g.begin(params, results, 1+g.r.IntN(2))
	g.body()
	panics := slices.ContainsFunc(g.lines, mayPanic.MatchString)
	g.end(name, params)
	g.helpers = append(g.helpers, helper{name, results, panics})
}

// mayPanic is a line that panics, or takes for granted what type a value has.
var mayPanic = regexp.MustCompile(`\bpanic\(|^\t*\w+ := \w+\.\(`)

// body is a look, what depends on it, and a return.
func (g *generator) body() {
	g.holding()
	if g.may(Defers, 25) {
		g.deferred()
	}
	if !g.fields[0].guarded() && g.may(Retry, 20) {
		g.retry()
		return
	}
	g.operation(g.chance(80))
	for g.ops > 0 || g.chance(30) {
		g.statement()
	}
	if len(g.results) > 0 {
		g.line("return %s", g.resultList())
	}
}

// end adds the function to the unit, without variables that nobody uses.
func (g *generator) end(name string, params []variable) {
	g.lines = tidy(g.lines)
	var ps []string
	for _, p := range params {
		ps = append(ps, p.name+" "+p.typ)
	}
	result := strings.Join(g.results, ", ")
	if len(g.results) > 1 {
		result = "(" + result + ")"
	}
	g.add("func (s *U) %s(%s) %s {", name, strings.Join(ps, ", "), result)
	g.out = append(g.out, g.lines...)
	g.add("}\n")
}

var (
	declaration = regexp.MustCompile(`^(\t+)([\w, ]+) := (.*)$`)
	assigned    = regexp.MustCompile(`^(\t+)(\w+) = (.*)$`)
	// discarded lines have no effect.
	discarded = regexp.MustCompile(`^\t+_(, _)* = `)
	word      = regexp.MustCompile(`\w+`)
)

// tidy replaces names that occur once by blanks, and declarations that
// declare nothing by what is left of them.
func tidy(lines []string) []string {
	for changed := true; changed; {
		n := len(lines)
		lines = slices.DeleteFunc(lines, func(l string) bool { return discarded.MatchString(l) })
		changed = len(lines) < n
		count := map[string]int{}
		for _, l := range lines {
			l = assigned.ReplaceAllString(l, "$1 $3")
			for _, w := range word.FindAllString(l, -1) {
				count[w]++
			}
		}
		for i, l := range lines {
			if m := assigned.FindStringSubmatch(l); m != nil && count[m[2]] == 1 {
				lines[i], changed = m[1]+"_ = "+m[3], true
				continue
			}
			m := declaration.FindStringSubmatch(l)
			if m == nil {
				continue
			}
			names, blank := strings.Split(m[2], ", "), true
			for k, n := range names {
				if n != "_" && count[n] == 1 {
					names[k], changed = "_", true
				}
				blank = blank && names[k] == "_"
			}
			switch {
			case !blank:
				lines[i] = m[1] + strings.Join(names, ", ") + " := " + m[3]
			case strings.HasSuffix(m[3], ")") && strings.HasPrefix(m[3], "s.") && !strings.Contains(m[3], ".("):
				lines[i] = m[1] + m[3]
			default:
				lines[i] = m[1] + strings.Join(names, ", ") + " = " + m[3]
			}
		}
	}
	return lines
}

func (g *generator) line(format string, args ...any) {
	g.lines = append(g.lines, strings.Repeat("\t", g.depth)+fmt.Sprintf(format, args...))
}

// fresh is a new variable. It is in scope from now on.
func (g *generator) fresh(prefix, typ string) string {
	g.names++
	v := variable{fmt.Sprintf("%s%d", prefix, g.names), typ}
	g.scope = append(g.scope, v)
	return v.name
}

// block makes a nested block, whose variables go out of scope after it.
func (g *generator) block(make func()) {
	n := len(g.scope)
	g.depth++
	make()
	g.depth--
	g.scope = g.scope[:n]
}
