package absint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A Story is a Witness in words, part by part, for those who draw it.
type Story struct {
	// Start says what the cells hold: "At first m[k] is absent."
	Start string
	// Moves are in the order in which they happen. The last one says how the
	// call ends.
	Moves []Move
	// Returns says that the call returns, and Result what.
	Returns bool
	Result  string
	// Orders say of each place where the call could come as one step why that
	// is not what happened.
	Orders []Telling
	// Made are the values that the call made, where no move says so.
	Made []string
}

// A Move is one step of a Story.
type Move struct {
	// Other says that the other goroutine does it; Breaking, that it is the
	// operation that acts on what is no longer so.
	Other, Breaking bool
	// Pos is where the operation is, if it is one of the call, and At, where the code
	// is that does it, if it is a step of the other goroutine's.
	Pos, At register.Pos
	// Op is what is done, and Note what comes of it: "Load", "finds absent".
	Op, Note string
}

// String is the move in words.
func (m *Move) String() string {
	switch {
	case m.Note == "":
		return m.Op
	case m.Other:
		return m.Op + ", " + m.Note
	}
	return m.Op + " " + m.Note
}

// Telling says why an order is not what happened: the call would come "first", and
// "it would return 1, not 2".
type Telling struct {
	Place, Why string
	// After is how many steps of the other goroutine come before the call.
	After int
}

// String is the sentence.
func (t Telling) String() string { return t.Place + ": then " + t.Why }

// Orderly says that there is no place where the call could come, in a sentence to which reasons are
// added, one for each place: those that are the same are one. Where all are, the sentence says it.
func (s *Story) Orderly() (sentence string, reasons []Telling) {
	for _, o := range s.Orders {
		i := slices.IndexFunc(reasons, func(r Telling) bool { return r.Why == o.Why })
		if i < 0 {
			reasons = append(reasons, o)
		} else {
			reasons[i].Place += ", " + o.Place
		}
	}
	if len(reasons) == 1 && len(s.Orders) > 1 {
		return "As one atomic step, wherever the call came, " + reasons[0].Why, nil
	}
	return "As one atomic step, the call would come either", reasons
}

// Legend says where values come from that no move introduces; "" if there are none.
func (s *Story) Legend() string {
	if len(s.Made) == 0 {
		return ""
	}
	return strings.Join(s.Made, ", ") + ": made by your call"
}

// Story tells the interleaving. The function gives the method that the source
// calls at a position, "" where it is not known; it may be nil.
func (w *Witness) Story(method func(register.Pos) string) *Story {
	t := teller{w: w, method: method, names: w.names()}
	s := &Story{Start: t.start(), Moves: t.moves(), Made: t.made()}
	end := &w.Result
	s.Moves = append(s.Moves, t.effects()...)
	verb, what := t.ends(end, false)
	s.Moves = append(s.Moves, Move{Op: phrase(verb, what)})
	if s.Returns = !end.Panic && end.Label == ""; s.Returns {
		s.Result = what
	}
	for i := range w.Atomic {
		o := &w.Atomic[i]
		s.Orders = append(s.Orders, Telling{t.place(o.After), t.differs(o), o.After})
	}
	return s
}

// teller is one Story under construction.
type teller struct {
	w      *Witness
	method func(register.Pos) string
	names  map[register.Value]string
}

// start says what the cells hold, and which arguments are not just a name.
func (t *teller) start() string {
	var facts []string
	for _, p := range t.w.Params {
		if v := t.name(p.Value); v != p.Name {
			facts = append(facts, p.Name+" is "+v)
		}
	}
	for i, c := range t.w.Initial {
		if c.Value == register.LitAbsent && slices.Contains(t.w.Counted, i) && len(t.w.Counted) < len(t.w.Initial) {
			continue // one of those that are not there
		}
		facts = append(facts, holds(label(c.Name), t.name(c.Value)))
	}
	return "At first " + strings.Join(facts, ", ") + "."
}

// moves are the events. The read and the write of one method, such as Add, are
// one move, and so is a look that a method takes several times with the same result.
func (t *teller) moves() []Move {
	var moves []Move
	for i := 0; i < len(t.w.Events); i++ {
		ev := &t.w.Events[i]
		if ev.Other {
			moves = append(moves, t.otherMove(ev))
			continue
		}
		m := t.callMove(ev)
		m.Breaking = i == t.w.Breaking
		if last := t.countsUntil(i); last > i {
			m = Move{Pos: ev.Pos, Op: t.counts(ev), Note: "counts the entries", Breaking: t.w.Breaking >= i && t.w.Breaking <= last}
			i = last
		}
		if i+1 < len(t.w.Events) && oneMethod(ev, &t.w.Events[i+1]) {
			i++
			m.Breaking = m.Breaking || i == t.w.Breaking
			m.Note += ", leaves " + t.name(t.w.Events[i].Args[0])
		}
		if n := len(moves); n > 0 && ev.Op == "read" && !ev.Pos.IsZero() && sameMove(&moves[n-1], &m) {
			moves[n-1].Breaking = moves[n-1].Breaking || m.Breaking
			continue
		}
		moves = append(moves, m)
	}
	return moves
}

// countsUntil is the last of the looks, from one event on, by which the call counts the entries of a map; it is that event if it
// counts none.
func (t *teller) countsUntil(from int) int {
	first, last, counted := &t.w.Events[from], from, false
	for i := from; i < len(t.w.Events); i++ {
		ev := &t.w.Events[i]
		if ev.Other || ev.Op != "read" || ev.Pos.IsZero() || ev.Pos != first.Pos {
			break
		}
		last, counted = i, counted || slices.Contains(t.w.Counted, ev.Cell)
	}
	if !counted {
		return from
	}
	return last
}

// counts is how the source counts the entries of the map of a cell.
func (t *teller) counts(ev *Event) string {
	method := ""
	if t.method != nil {
		method = t.method(ev.Pos)
	}
	of := label(t.w.Initial[ev.Cell].Name)
	if i := strings.LastIndexByte(of, '['); i > 0 {
		of = of[:i]
	}
	return of + ": " + cmp.Or(method, "len")
}

// sameMove reports whether two moves are at one place, and say the same.
func sameMove(a, b *Move) bool {
	return a.Other == b.Other && a.Pos == b.Pos && a.Op == b.Op && a.Note == b.Note
}

// oneMethod reports whether a read and what follows are the halves of one
// call in the source.
func oneMethod(read, write *Event) bool {
	return read.Op == "read" && write.Op == "write" && !write.Other &&
		!read.Pos.IsZero() && read.Pos == write.Pos && read.Cell == write.Cell
}

// callMove is one operation of the call.
func (t *teller) callMove(ev *Event) Move {
	method := ""
	if t.method != nil {
		method = t.method(ev.Pos)
	}
	op := cmp.Or(method, ev.Op) + t.arguments(ev, method != "")
	return Move{Pos: ev.Pos, Op: t.onCell(ev, op), Note: t.callNote(ev)}
}

// arguments are those that the source writes: it does not write absent.
func (t *teller) arguments(ev *Event, asSource bool) string {
	var args []string
	for _, a := range ev.Args {
		if !asSource || a != register.LitAbsent {
			args = append(args, t.name(a))
		}
	}
	if len(args) == 0 {
		return ""
	}
	return "(" + strings.Join(args, ", ") + ")"
}

// callNote is what comes of an operation of the call.
func (t *teller) callNote(ev *Event) string {
	old, yes := ev.Results[0], ev.Results[1] == register.LitTrue
	switch {
	case ev.Op == "cas" && yes:
		return "succeeds"
	case ev.Op == "cas" && ev.Args[0] == register.LitAbsent:
		return "finds " + t.name(old)
	case ev.Op == "cas" && old.IsLit(): // perhaps only the zero value of what is absent
		return "fails"
	case ev.Op == "cas":
		return "fails: finds " + t.name(old)
	case !yes:
		return "finds absent"
	case ev.Op == "write" && ev.Args[0] == register.LitAbsent:
		return "removes " + t.name(old)
	case ev.Op == "write":
		return "overwrites " + t.name(old)
	default:
		return "finds " + t.name(old)
	}
}

// otherMove is one step of the other goroutine. It is given what was there
// before: that is how it can tell that the call is not atomic.
func (t *teller) otherMove(ev *Event) Move {
	m := Move{Other: true, At: ev.Pos}
	if ev.Op == "run" {
		m.Op = t.run(ev)
		if shown := t.shown(ev.Results); len(shown) > 0 && !t.onlyCounts(ev.Results) {
			m.Note = "finds " + someOf(shown)
		}
		return m
	}
	switch ev.Op {
	case "swap":
		m.Op = "stores " + t.name(ev.Args[0])
	case "delete":
		m.Op = "deletes"
	default:
		m.Op = "looks"
	}
	m.Op = t.onCell(ev, m.Op)
	m.Note = "finds " + t.name(ev.Results[0])
	return m
}

// onlyCounts reports whether what a step is shown is which of the entries are there that it counts, and nothing else.
func (t *teller) onlyCounts(shown []register.Value) bool {
	return len(t.w.Counted) > 0 && len(shown) > 0 && !slices.ContainsFunc(shown, func(v register.Value) bool {
		return v != register.LitTrue && v != register.LitFalse && v != register.LitUnseen
	})
}

// run is a step of the package as a call: "r.Get(id)" for "(*Registry).Get".
func (t *teller) run(ev *Event) string {
	name, args := ev.Name, ev.Args
	if strings.HasSuffix(name, Within) {
		return name
	}
	if _, method, ok := strings.Cut(name, ")."); ok && len(args) > 0 && strings.HasPrefix(name, "(") {
		name, args = t.name(args[0])+"."+method, args[1:]
	}
	return name + "(" + t.list(args) + ")"
}

// shown are the results of the operations of a step: of a value and whether it
// was there, the value says enough. Operations that were not made are left out.
func (t *teller) shown(vs []register.Value) []string {
	var words []string
	vs = slices.DeleteFunc(slices.Clone(vs), func(v register.Value) bool { return v == register.LitUnseen })
	for i := 0; i < len(vs); i++ {
		paired := i+1 < len(vs) && (vs[i+1] == register.LitTrue || vs[i+1] == register.LitFalse)
		switch {
		case paired && vs[i] == register.LitNil:
			if n := len(words); n == 0 || words[n-1] != nothing {
				words = append(words, nothing) // once, however many looks find it
			}
			i++
		case paired && !vs[i].IsLit():
			words = append(words, t.name(vs[i]))
			i++
		default:
			words = append(words, t.name(vs[i]))
		}
	}
	return words
}

// maxShown bounds what is told of the results of a step.
const maxShown = 4

// someOf are the first of some words, as many as are told.
func someOf(words []string) string {
	if len(words) > maxShown {
		words = append(slices.Clone(words[:maxShown]), "…")
	}
	return strings.Join(words, ", ")
}

// apart is what two lists of words have first that is not the same, or all of them if they are short, or not of one length.
func apart(as, bs []string) (a, b string) {
	i := 0
	for i < min(len(as), len(bs)) && as[i] == bs[i] {
		i++
	}
	if len(as) == len(bs) && len(as) > maxShown && i < len(as) {
		return as[i], bs[i]
	}
	return someOf(as), someOf(bs)
}

// nothing is what a look finds where nothing is.
const nothing = "nothing"

// onCell says which cell an operation is on, if there are several.
func (t *teller) onCell(ev *Event, op string) string {
	if len(t.w.Initial) < 2 || ev.Cell < 0 {
		return op
	}
	return label(t.w.Initial[ev.Cell].Name) + ": " + op
}

// ends says in words how a run ended: that it returns something, or that it
// would return something. What it returns is by itself.
func (t *teller) ends(e *Ending, would bool) (verb, what string) {
	verbs := [3]string{"returns", "goes on with", "panics"}
	if would {
		verbs = [3]string{"return", "go on with", "panic"}
	}
	vals := t.list(e.Vals)
	if len(e.Vals) > 1 {
		vals = "(" + vals + ")"
	}
	switch {
	case e.Panic && e.Label != "" && e.Label != register.Panicked:
		return verbs[2] + ":", e.Label
	case e.Panic:
		return verbs[2], vals
	case e.Label != "": // the function goes on after the region
		return verbs[1], cmp.Or(vals, "what follows")
	default:
		return verbs[0], vals
	}
}

func phrase(verb, what string) string { return strings.TrimSpace(verb + " " + what) }

// made are the values that the call made where no move introduces them.
func (t *teller) made() []string {
	seen := map[register.Value]bool{}
	var made []string
	see := func(byCall bool, vs ...register.Value) {
		for _, v := range vs {
			if typ, _ := identity(v); byCall && !seen[v] && typ != "" {
				made = append(made, t.name(v))
			}
			seen[v] = true
		}
	}
	for _, b := range slices.Concat(t.w.Params, t.w.Initial) {
		see(false, b.Value)
	}
	for _, ev := range t.w.Events {
		see(!ev.Other, ev.Args...)
		see(false, ev.Results...)
	}
	see(true, t.w.Result.Vals...)
	return made
}

// place names a place among the other goroutine's steps.
func (t *teller) place(after int) string {
	switch n := t.others(); {
	case n == 0:
		return "alone"
	case n == 1 && after == 0:
		return "first"
	case n == 1:
		return "second"
	case after == 0:
		return "before 1"
	case after == n:
		return fmt.Sprintf("after %d", n)
	default:
		return fmt.Sprintf("between %d and %d", after, after+1)
	}
}

// differs says why an order is not what happened.
func (t *teller) differs(o *Order) string {
	switch o.Differs {
	case "endless":
		return "it would never end"
	case "stuck":
		return t.run(t.otherEvents()[o.Step]) + " would never end"
	case "other":
		return t.otherDiffers(o)
	case "final":
		return t.finalDiffers(o)
	default:
		return t.resultDiffers(o)
	}
}

// resultDiffers compares effects where they differ, else results.
func (t *teller) resultDiffers(o *Order) string {
	if o.Result.Panic == t.w.Result.Panic && !SameEffects(o.Result.Effects, t.w.Result.Effects) {
		return t.effectsDiffer(o.Result.Effects, t.w.Result.Effects)
	}
	verb, want := t.ends(&o.Result, true)
	otherwise, got := t.ends(&t.w.Result, true)
	switch {
	case t.w.Result.Panic && !o.Result.Panic:
		got = "panic"
	case verb != otherwise:
		got = phrase(otherwise, got)
	case want == got:
		return "it would end in another place"
	}
	return "it would " + phrase(verb, want) + ", not " + got
}

func (t *teller) finalDiffers(o *Order) string {
	for i, b := range o.Final {
		if got := t.w.Final[i].Value; got != b.Value {
			return fmt.Sprintf("%s would be %s in the end, not %s", label(b.Name), t.name(b.Value), t.name(got))
		}
	}
	return "the cells would end otherwise"
}

// otherDiffers says what the other goroutine would be shown instead.
func (t *teller) otherDiffers(o *Order) string {
	ev := t.otherEvents()[o.Step]
	would, did := t.list(o.Shown), t.list(ev.Results)
	if w, h := t.shown(o.Shown), t.shown(ev.Results); ev.Op == "run" && !slices.Equal(w, h) {
		would, did = apart(w, h)
	}
	switch {
	case t.onlyCounts(ev.Results) && t.onlyCounts(o.Shown):
		more := func(vs []register.Value) (n int) {
			for _, v := range vs {
				if v == register.LitTrue {
					n++
				}
			}
			return n
		}
		if more(o.Shown) < more(ev.Results) {
			return t.run(ev) + " would count one entry less"
		}
		return t.run(ev) + " would count one entry more"
	case ev.Op != "run":
		return fmt.Sprintf("%s would find %s, not %s", t.finder(o.Step+1), would, did)
	case would == did:
		return t.run(ev) + " would not do what it does"
	case did == "":
		return t.run(ev) + " would also find " + would
	case would == "", len(o.Shown) != len(ev.Results): // it would panic, or leave elsewhere
		return t.run(ev) + " would not find " + did
	default:
		return fmt.Sprintf("%s would find %s, not %s", t.run(ev), would, did)
	}
}

// otherEvents are the other goroutine's steps.
func (t *teller) otherEvents() []*Event {
	var out []*Event
	for i := range t.w.Events {
		if ev := &t.w.Events[i]; ev.Other {
			out = append(out, ev)
		}
	}
	return out
}

// others counts the other goroutine's steps.
func (t *teller) others() int { return len(t.otherEvents()) }

// finder names who finds something in the other goroutine's step n.
func (t *teller) finder(n int) string {
	if t.others() == 1 {
		return "the other goroutine"
	}
	return fmt.Sprintf("the other goroutine's step %d", n)
}
