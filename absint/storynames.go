package absint

import (
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
