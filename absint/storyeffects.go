package absint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

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
	if field, ok := strings.CutPrefix(name, storeEffect); ok && len(args) == 2 && strings.Contains(field, ".") {
		return fmt.Sprintf("set%s %s%s to %s", s, names[0], field[strings.LastIndex(field, "."):], names[1])
	}
	return fmt.Sprintf("call%s %s(%s)", s, name, strings.Join(names, ", "))
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
	for i := from; i < to; i++ {
		moves = append(moves, Move{Op: t.does(all[i], false)})
	}
	switch same := len(all) - len(moves); {
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
// the other way round.
func (t *teller) effectsDiffer(would, did []string) string {
	pre, post := alike(would, did)
	a, b := would[pre:len(would)-post], did[pre:len(did)-post]
	switch {
	case len(b) == 0 && len(did) > 0:
		return "it would also " + t.doesAll(a)
	case len(a) == 0 && len(would) > 0:
		return "it would not " + t.doesAll(b)
	}
	want, got := t.doesAll(a), t.doesAll(b)
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

// doesAll are effects that would be; of calls in a row only the first has the verb.
func (t *teller) doesAll(effects []string) string {
	var all []string
	calls := false
	for _, e := range effects {
		phrase := t.does(e, true)
		if call, ok := strings.CutPrefix(phrase, "call "); ok && calls {
			phrase = call
		} else {
			calls = ok
		}
		all = append(all, phrase)
	}
	if all == nil {
		return "call nothing"
	}
	return strings.Join(all, ", ")
}
