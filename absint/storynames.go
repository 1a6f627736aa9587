package absint

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// label is how a cell is named where it has no label.
func label(name string) string {
	if name == "" {
		return "the cell"
	}
	return name
}

// holds says what a cell holds.
func holds(cell, value string) string {
	if value == register.LitAbsent {
		return cell + " is absent"
	}
	return cell + " holds " + value
}

func (t *teller) list(vs []register.Value) string {
	names := make([]string, len(vs))
	for i, v := range vs {
		names[i] = t.name(v)
	}
	return strings.Join(names, ", ")
}

func (t *teller) name(v register.Value) string {
	if s, ok := t.names[v]; ok {
		return s
	}
	return string(v)
}

// names are how a story writes the values. Identities are numbered in the
// order in which they appear, those of each type from 1, and their type is
// without its package where that is clear. Arguments are called like their
// parameters: "user" for "user5".
func (w *Witness) names() map[register.Value]string {
	names := map[register.Value]string{}
	taken := map[string]bool{}
	counts := map[string]int{}
	owner := map[string]string{} // short type -> type
	give := func(v register.Value, name string) {
		names[v], taken[name] = name, true
	}
	for _, p := range w.Params {
		if _, ok := names[p.Value]; !ok && numbered(p) && !taken[p.Name] {
			give(p.Value, p.Name)
		}
	}
	lists := map[register.Value][]Item{}
	for _, l := range w.Lists {
		lists[l.Value] = l.Items
	}
	for _, v := range w.values() {
		if _, ok := names[v]; ok || lists[v] != nil {
			continue
		}
		typ, sep := identity(v)
		if text, ok := strings.CutPrefix(string(v), register.StructOf); ok && !v.IsLit() {
			typ = strings.TrimRight(text, "0123456789")
		}
		if typ == "" {
			give(v, plainName(v, names, taken))
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
	for _, l := range w.Lists {
		nameList(l.Value, lists, names, taken)
	}
	return names
}

// plainName names a value that was not made during the run: a literal as in Go, a part of something by that, and others
// without their packages where it is clear what is meant.
func plainName(v register.Value, names map[register.Value]string, taken map[string]bool) string {
	if v.IsLit() {
		return literalName(v)
	}
	name := string(v)
	whole, part, _ := strings.Cut(name, ".")
	if is, named := names[register.Value(whole)]; named {
		return is + "." + part
	}
	if kind, of := unnamed(name); kind != "" {
		n := 1
		for taken[kind+strconv.Itoa(n)+of] {
			n++
		}
		return kind + strconv.Itoa(n) + of
	}
	if short := qualifier.ReplaceAllString(name, ""); !taken[short] {
		return short
	}
	if base := strings.TrimRight(name, "0123456789"); taken[name] && base != "" {
		n := 2
		for taken[base+strconv.Itoa(n)] {
			n++
		}
		return base + strconv.Itoa(n)
	}
	return name
}

// unnamed says what a value is for which the source has no name: a function literal, and of which function, and one that go/ssa
// numbers. It is empty where there is one.
func unnamed(name string) (kind, of string) {
	literal, is := strings.CutPrefix(name, register.Closure)
	switch {
	case is:
		in, which, _ := strings.Cut(literal, "$")
		in = in[strings.LastIndexAny(in, "./")+1:]
		if strings.HasPrefix(which, "bound") || strings.HasPrefix(which, "thunk") {
			return in, "" // a method
		}
		return "closure", " of " + in
	case ofSSA.MatchString(name):
		return "value", ""
	}
	return "", ""
}

// ofSSA is the name that go/ssa gives to what the source does not name.
var ofSSA = regexp.MustCompile(`^t\d\d+(_\d+)*$`)

// literalName is a literal as Go has it: what has a type in front of it is in braces.
func literalName(v register.Value) string {
	text, ok := strings.CutPrefix(string(v), "{")
	kind, rest, typed := strings.Cut(strings.TrimSuffix(text, "}"), " ")
	switch {
	case !ok || !typed:
		return string(v)
	case kind == "zero":
		return qualifier.ReplaceAllString(rest, "") + "{}"
	case kind == "nil":
		return "(" + qualifier.ReplaceAllString(rest, "") + ")(nil)"
	}
	return qualifier.ReplaceAllString(kind, "") + "(" + rest + ")"
}

// longestList is how long the text of a list may be that tells all that is in it.
const longestList = 40

// nameList names a list by what is in it, and another one with the same in it by a number as well.
func nameList(v register.Value, lists map[register.Value][]Item, names map[register.Value]string, taken map[string]bool) string {
	if name, named := names[v]; named || lists[v] == nil {
		return cmp.Or(name, string(v))
	}
	names[v] = string(v) // if it has itself in it
	items := make([]string, len(lists[v]))
	for i, item := range lists[v] {
		items[i] = nameList(item.Value, lists, names, taken)
		switch typ, _ := identity(item.Value); {
		case item.All && typ != "":
			items[i] = "..." // a list that was made meanwhile has no name of its own
		case item.All:
			items[i] += "..."
		}
	}
	text := "[" + strings.Join(items, ", ") + "]"
	if len(text) > longestList {
		text = fmt.Sprintf("a list of %d", len(items))
	}
	name := text
	for n := 2; taken[name]; n++ {
		name = fmt.Sprintf("%s (%d)", text, n)
	}
	names[v], taken[name] = name, true
	return name
}

// numbered reports whether an argument is its parameter's name with a number:
// it is nothing but itself.
func numbered(p Binding) bool {
	rest, ok := strings.CutPrefix(string(p.Value), p.Name)
	return ok && strings.Trim(rest, "0123456789") == ""
}

// identity splits the name of a value that was made during the run: what made
// it, and what stands before its number. It is empty for all others.
func identity(v register.Value) (typ, sep string) {
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

// qualifier is a package in a type: the last element of a path, which need not be a word.
var qualifier = regexp.MustCompile(`\b[a-z][\w-]*\.`)

// doing is an effect in words: a verb, what it is done to, and how.
type doing struct{ verb, object, rest string }

// do is what would be done, and does what is.
func (d doing) do() string { return strings.TrimRight(d.verb+" "+d.object+" "+d.rest, " ") }

func (d doing) does() string {
	verb, more, _ := strings.Cut(d.verb, " ")
	d.verb = strings.TrimSpace(verb + "s " + more)
	return d.do()
}

// words are an effect in words, in a tail or not.
func (t *teller) words(e *Effect) doing {
	names := make([]string, len(e.Args))
	for i, v := range e.Args {
		names[i] = t.name(v)
	}
	switch {
	case e.Kind == register.Called:
		return doing{"call", register.CallText(cmp.Or(e.Callee, e.Name), names), ""}
	case e.Kind == register.Started && e.Callee == "":
		return doing{"start", "a goroutine", ""}
	case e.Kind == register.Started:
		return doing{"start", register.CallText(e.Callee, names), ""}
	case len(names) == 0:
		return doing{"change", "a variable", ""}
	case e.Loop:
		return doing{"change", names[0], ""}
	case e.Kind == register.Stored:
		return stores(&e.Memory, names)
	case e.Kind == register.Sent && len(names) > 1:
		return doing{"send", names[1], "on " + names[0]}
	case e.Kind == register.Closed:
		return doing{"close", names[0], ""}
	case e.Kind == register.Operated && e.Name == register.OperationEffect(register.Read):
		return doing{"look", "at " + names[0], ""}
	case e.Kind == register.Cleared:
		return doing{"clear", names[0], ""}
	}
	return doing{"change", names[0], ""}
}

// stores is a store to memory in words.
func stores(m *register.Memory, names []string) doing {
	where := names[0]
	switch {
	case m.IsField():
		where += m.Name[strings.LastIndex(m.Name, "."):]
	case (m.Kind == register.Entry || m.Kind == register.Element) && len(names) > 1:
		where += "[" + names[1] + "]"
	}
	switch {
	case m.Kind == register.NoMemory:
		return doing{"change", where, ""}
	case m.Value < 0:
		return doing{"delete", where, ""}
	case m.Value >= len(names):
		return doing{"set", where, ""}
	}
	return doing{"set", where, "to " + names[m.Value]}
}

// ownStore is the object of the call's own of which an effect sets a field; empty if it is another
// effect.
func ownStore(e *Effect) register.Value {
	if !e.Memory.IsField() || e.Loop || len(e.Args) < 2 || !strings.Contains(string(e.Args[0]), "#") || strings.HasPrefix(string(e.Args[0]), "their_") {
		return ""
	}
	return e.Args[0]
}

// doesEach are effects in words. That several fields of one new object are set is said once, and so
// is what is done to one thing in the same words.
func (t *teller) doesEach(effects []Effect) []doing {
	fields := map[register.Value]int{}
	for i := range effects {
		fields[ownStore(&effects[i])]++
	}
	var out []doing
	for i := range effects {
		e := &effects[i]
		own := ownStore(e)
		d := t.words(e)
		switch {
		case own != "" && fields[own] == 0:
			continue // said
		case own != "" && fields[own] > 1:
			d, fields[own] = doing{"set up", t.name(own), ""}, 0
		}
		if n := len(out); n == 0 || out[n-1] != d || !e.Loop {
			out = append(out, d)
		}
	}
	return out
}

// maxEffects is how many effects are listed if they tell nothing.
const maxEffects = 3

// effects are the moves for what the call does to values. Of many, those that
// are the same in every order are only counted.
func (t *teller) effects() []Move {
	all := t.w.Result.Effects
	from, to := 0, len(all)
	if len(all) > maxEffects {
		from, to = len(all), 0
		for _, o := range t.w.Atomic {
			if o.Differs == "result" && !SameEffects(o.Result.Effects, all) {
				pre, post := alike(o.Result.Effects, all)
				from, to = min(from, pre), max(to, len(all)-post)
			}
		}
	}
	var moves []Move
	if from < to {
		for _, d := range t.doesEach(all[from:to]) {
			moves = append(moves, Move{Op: d.does()})
		}
	}
	switch same := len(all) - max(0, to-from); {
	case same == 1:
		moves = append(moves, Move{Op: "calls something else, as in any order"})
	case same > 1:
		moves = append(moves, Move{Op: fmt.Sprintf("does %d other things, as in any order", same)})
	}
	return moves
}

// alike counts the effects at the beginning and at the end that two lists have
// in common.
func alike(a, b []Effect) (pre, post int) {
	for pre < min(len(a), len(b)) && a[pre].equal(b[pre]) {
		pre++
	}
	for post < min(len(a), len(b))-pre && a[len(a)-1-post].equal(b[len(b)-1-post]) {
		post++
	}
	return pre, post
}

// effectsDiffer says which effects an order would have that did not happen, and
// the other way round; of many calls only the first that is another one.
func (t *teller) effectsDiffer(would, did []Effect) string {
	pre, post := alike(would, did)
	a, b := would[pre:len(would)-post], did[pre:len(did)-post]
	if len(a)+len(b) > maxEffects && calls(a) && calls(b) && t.doesAll(a[:1]) != t.doesAll(b[:1]) {
		a, b = a[:1], b[:1]
	}
	switch {
	case len(b) == 0 && len(did) > 0:
		return "it would also " + t.doesAll(a)
	case len(b) == 0:
		return "it would " + t.doesAll(a) + ", which it did not"
	case len(a) == 0:
		return "it would not " + t.doesAll(b)
	}
	want, got := t.doesAll(a), t.doesAll(b)
	if want == got {
		return "it would " + want + " with other values"
	}
	w, g := t.words(&a[0]), t.words(&b[0])
	switch {
	case w.verb == g.verb && w.object == g.object && g.rest != "":
		got = strings.TrimPrefix(got, w.verb+" "+w.object+" ")
	case w.verb == g.verb:
		got = strings.TrimPrefix(got, w.verb+" ")
	}
	return "it would " + want + ", not " + got
}

// calls reports whether effects are calls, all of them, and if there are any.
func calls(effects []Effect) bool {
	for i := range effects {
		if effects[i].Kind != register.Called {
			return false
		}
	}
	return len(effects) > 0
}

// doesAll are effects that would be; of calls in a row only the first has the verb.
func (t *teller) doesAll(effects []Effect) string {
	more := len(effects) > maxEffects
	if more {
		effects = effects[:1]
	}
	var all []string
	verb := ""
	for _, d := range t.doesEach(effects) {
		text := d.do()
		if d.verb == verb && verb == "call" {
			text = d.object
		}
		verb = d.verb
		all = append(all, text)
	}
	if more {
		all = append(all, "and so on")
	}
	return strings.Join(all, ", ")
}
