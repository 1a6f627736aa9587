package absint

import (
	"fmt"
	"regexp"
	"slices"
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

// values are all values of the witness in order of appearance.
func (w *Witness) values() []register.Value {
	var all []register.Value
	bindings := func(bs []Binding) {
		for _, b := range bs {
			all = append(all, b.Value)
		}
	}
	bindings(w.Params)
	bindings(w.Initial)
	for _, ev := range w.Events {
		all = append(all, ev.Args...)
		all = append(all, ev.Results...)
	}
	all = append(all, effectArgs(w.Result.Effects)...)
	all = append(all, w.Result.Vals...)
	bindings(w.Final)
	for _, o := range w.Atomic {
		all = append(all, effectArgs(o.Result.Effects)...)
		all = append(all, o.Result.Vals...)
		all = append(all, o.Shown...)
		bindings(o.Final)
	}
	return all
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
	for _, v := range w.values() {
		if _, ok := names[v]; ok {
			continue
		}
		typ, sep := identity(v)
		if text, ok := strings.CutPrefix(string(v), structValue); ok && !v.IsLit() {
			typ = strings.TrimRight(text, "0123456789")
		}
		if typ == "" {
			name := string(v)
			if short := qualifier.ReplaceAllString(name, ""); !v.IsLit() && !taken[short] {
				name = short
			}
			give(v, name)
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
	return names
}

// structValue begins the name of a struct that was put together.
const structValue = "struct:"

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

// splitEffect takes the text of an effect apart, as effectTexts puts it
// together. Names and values can have brackets of their own; a name that is a
// method's, such as (*T).Close, begins with one.
func splitEffect(text string) (name string, args []register.Value) {
	depth, open, from := 0, len(text), 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '(', '{', '[':
			if depth == 0 && text[i] == '(' {
				open, from, args = i, i+1, nil
			}
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 && text[i] == ')' && i > from {
				args = append(args, register.Value(text[from:i]))
			}
		case ',':
			if depth == 1 && strings.HasPrefix(text[i:], ", ") {
				args = append(args, register.Value(text[from:i]))
				from = i + 2
			}
		}
	}
	return text[:open], args
}

// storeEffect begins the name of the effect that sets a field.
const storeEffect = "store "

// does is an effect in words, in a tail or not: what is done, or what would be.
func (t *teller) does(effect string, would bool) string {
	name, args := splitEffect(strings.TrimPrefix(effect, register.Then))
	var names []string
	for _, v := range args {
		names = append(names, t.name(v))
	}
	s := "s"
	if would {
		s = ""
	}
	field, isStore := strings.CutPrefix(name, storeEffect)
	started, starts := strings.CutPrefix(name, register.StartEffect)
	switch {
	case isStore && len(args) == 2 && strings.Contains(field, "."):
		return fmt.Sprintf("set%s %s%s to %s", s, names[0], field[strings.LastIndex(field, "."):], names[1])
	case starts:
		return fmt.Sprintf("start%s %s(%s)", s, started, strings.Join(names, ", "))
	case len(args) > 1 && (name == register.OpWords[register.Write] || name == register.OpWords[register.CAS]):
		return fmt.Sprintf("change%s %s", s, names[0]) // an operation on another cell, whose method is not known
	}
	return fmt.Sprintf("call%s %s(%s)", s, name, strings.Join(names, ", "))
}

// ownStore is the object of the call's own of which an effect sets a field; empty if it is another
// effect.
func ownStore(effect string) register.Value {
	name, args := splitEffect(strings.TrimPrefix(effect, register.Then))
	if !strings.HasPrefix(name, storeEffect) || len(args) != 2 || !strings.Contains(string(args[0]), "#") || strings.HasPrefix(string(args[0]), "their_") {
		return ""
	}
	return args[0]
}

// doesEach are effects in words. That several fields of one new object are set is said once.
func (t *teller) doesEach(effects []string, would bool) []string {
	fields := map[register.Value]int{}
	for _, e := range effects {
		fields[ownStore(e)]++
	}
	var out []string
	for _, e := range effects {
		own := ownStore(e)
		switch {
		case own == "" || fields[own] == 1:
			out = append(out, t.does(e, would))
			continue
		case fields[own] == 0:
			continue // said
		case would:
			out = append(out, "set up "+t.name(own))
		default:
			out = append(out, "sets up "+t.name(own))
		}
		fields[own] = 0
	}
	return out
}

// effectArgs are the values that effects concern.
func effectArgs(effects []string) []register.Value {
	var all []register.Value
	for _, e := range effects {
		_, args := splitEffect(e)
		all = append(all, args...)
	}
	return all
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
			if o.Differs == "result" && !slices.Equal(o.Result.Effects, all) {
				pre, post := alike(o.Result.Effects, all)
				from, to = min(from, pre), max(to, len(all)-post)
			}
		}
	}
	var moves []Move
	if from < to {
		for _, does := range t.doesEach(all[from:to], false) {
			moves = append(moves, Move{Op: does})
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
func alike(a, b []string) (pre, post int) {
	for pre < min(len(a), len(b)) && a[pre] == b[pre] {
		pre++
	}
	for post < min(len(a), len(b))-pre && a[len(a)-1-post] == b[len(b)-1-post] {
		post++
	}
	return pre, post
}

// effectsDiffer says which effects an order would have that did not happen, and
// the other way round; of many calls only the first that is another one.
func (t *teller) effectsDiffer(would, did []string) string {
	pre, post := alike(would, did)
	a, b := would[pre:len(would)-post], did[pre:len(did)-post]
	if len(a)+len(b) > maxEffects && t.calls(a) && t.calls(b) && t.doesAll(a[:1]) != t.doesAll(b[:1]) {
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
	field, _, _ := strings.Cut(want, " to ")
	verb, _, _ := strings.Cut(want, " ")
	for _, common := range []string{field + " ", verb + " "} {
		if rest, ok := strings.CutPrefix(got, common); ok {
			got = rest
			break
		}
	}
	return "it would " + want + ", not " + got
}

// calls reports whether effects are calls, all of them, and if there are any.
func (t *teller) calls(effects []string) bool {
	return len(effects) > 0 && !slices.ContainsFunc(effects, func(e string) bool { return !strings.HasPrefix(t.does(e, true), "call ") })
}

// doesAll are effects that would be; of calls in a row only the first has the verb.
func (t *teller) doesAll(effects []string) string {
	more := len(effects) > maxEffects
	if more {
		effects = effects[:1]
	}
	var all []string
	calls := false
	for _, phrase := range t.doesEach(effects, true) {
		if call, ok := strings.CutPrefix(phrase, "call "); ok && calls {
			phrase = call
		} else {
			calls = ok
		}
		all = append(all, phrase)
	}
	if more {
		all = append(all, "and so on")
	}
	return strings.Join(all, ", ")
}
