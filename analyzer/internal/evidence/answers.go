package evidence

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/callers"
	"github.com/mapatom/mapatom/analyzer/internal/contract"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ownership"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/analyzer/config"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// answer is what the code gives for each assumption, before the rules are asked.
func (e *Weigher) answer(v *violation) Case {
	var c Case
	for _, a := range assumptions {
		s := answers[a](e, v)
		s.Assumption = a
		c.Support = append(c.Support, s)
	}
	c.newer = v.x.Category == absint.StaleDelete && !e.toldBoth(v)
	c.onMap = v.onMap()
	c.settle()
	return c
}

var answers = map[Assumption]func(*Weigher, *violation) Support{
	Together:     (*Weigher).together,
	SameCell:     (*Weigher).sameCell,
	Rival:        (*Weigher).rival,
	Unserialized: (*Weigher).unserialized,
	Harm:         (*Weigher).harm,
}

func shown(pos token.Pos, format string, args ...any) Support {
	return Support{Answer: Shown, Pos: pos, Says: fmt.Sprintf(format, args...)}
}

// expected is shown by what the object is.
func expected(pos token.Pos, format string, args ...any) Support {
	s := shown(pos, format, args...)
	s.expected = true
	return s
}

func likely(pos token.Pos, format string, args ...any) Support {
	return Support{Answer: Likely, Pos: pos, Says: fmt.Sprintf(format, args...)}
}

// interrupting are the steps of the package that come in between in the witness: after
// the call has begun, and before it acts on what is no longer so.
func (v *violation) interrupting() []*rivals.Step {
	var out []*rivals.Step
	began := false
	for i, ev := range v.x.Witness.Events {
		began = began || !ev.Other
		if !ev.Other || !began || i > v.x.Witness.Breaking && v.x.Witness.Breaking >= 0 {
			continue
		}
		if s := v.rivalAt(&ev, out); s != nil {
			out = append(out, s)
		}
	}
	return out
}

// renewing is a step in the witness that changes the entry in place which the call has found, and takes away; nil if there is none.
func (v *violation) renewing() *rivals.Step {
	for _, s := range v.interrupting() {
		if len(s.Renews) > 0 {
			return s
		}
	}
	return nil
}

// rivalAt is the step of the package that an event of the witness is, if it is none of some others.
// A function can have several: then it is the one that is at that place.
func (v *violation) rivalAt(ev *absint.Event, but []*rivals.Step) (of *rivals.Step) {
	for _, s := range v.x.Rivals {
		if s.Step.Name != ev.Name || slices.Contains(but, s) {
			continue
		}
		if slices.Contains(s.Positions, ev.Pos) {
			return s
		}
		if of == nil {
			of = s
		}
	}
	return of
}

// meets are the functions to which two goroutines have to come for a violation: that of the
// step, those that interrupt it in the witness, and all others that put something there, which
// might as well. None if that of the step has no name.
func (e *Weigher) meets(f *violation) []callers.Point {
	own := callers.ID(e.ps.Pass.Fset, f.Fn)
	if own == "" {
		return nil
	}
	out := []callers.Point{pointAt(own, f.Function, f.g.Accesses)}
	for _, s := range f.comeBetween() {
		for _, fn := range e.makers(s) {
			out = append(out, pointAt(fn, s.From, s.Accesses))
		}
	}
	return out
}

// comeBetween are the steps that interrupt a violation in the witness, and those that might as well.
func (v *violation) comeBetween() []*rivals.Step {
	between := v.interrupting()
	return slices.DeleteFunc(slices.Clone(v.x.Rivals), func(s *rivals.Step) bool {
		return !slices.Contains(between, s) && !putsSome(s.Step.Program) && (!s.Writes || v.onMap())
	})
}

// at is where a step breaks the call: where it first writes what the call's breaking operation
// then finds, if that is known, else where it first writes something, or does anything at all.
func (e *Weigher) at(v *violation, s *rivals.Step) token.Pos {
	if len(s.Positions) == 0 {
		return token.NoPos
	}
	found := v.brokenBy()
	at := s.Positions[0]
	exact, some := false, false
	for _, blk := range s.Step.Program.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if exact || in.Op != register.Write && in.Op != register.CAS || !e.position(in.Pos).IsValid() {
				continue
			}
			val := in.Args[len(in.Args)-1]
			exact = val.IsLit() == found.IsLit() && (!val.IsLit() || val.Lit == string(found))
			if exact || !some {
				at, some = in.Pos, true
			}
		}
	}
	return e.position(at)
}

// brokenBy is what the breaking operation of the call finds in the cell; empty if there is none.
func (v *violation) brokenBy() register.Value {
	w := v.x.Witness
	if w.Breaking < 0 || w.Breaking >= len(w.Events) || len(w.Events[w.Breaking].Results) != 2 {
		return ""
	}
	ev := w.Events[w.Breaking]
	if ev.Results[1] == register.LitFalse && ev.Op != "cas" {
		return register.LitAbsent
	}
	return ev.Results[0]
}

// rival is the answer to W3: what comes in between, and where it is.
func (e *Weigher) rival(v *violation) Support {
	steps := v.interrupting()
	switch {
	case len(steps) > 0:
		s := steps[0]
		if s.Fn == v.Fn {
			return shown(e.at(v, s), "another call of this function can come in between")
		}
		return shown(e.at(v, s), "%s can come in between", strings.TrimSuffix(s.Step.Name, absint.Within))
	case v.evicted() && v.x.Category == absint.StaleDelete:
		return likely(v.x.First(), "a newer entry may be stored there")
	case v.evicted():
		return shown(v.x.First(), "the library removes entries on its own")
	case v.x.Environment == absint.Open && e.judge.Env == config.EnvOpen:
		return shown(v.x.First(), "others do what they like with %s, says -env=open", v.x.Map)
	case v.x.Environment == absint.Open && losesOne(v) && !v.putsAllBack():
		return shown(v.x.Pos, "another call of this function can come in between")
	case v.x.Environment == absint.Open:
		return likely(v.x.First(), "other packages can reach %s", v.x.Map)
	case e.meetsItself(v):
		return shown(v.x.First(), "another call of this function can come in between")
	}
	return likely(v.x.First(), "somebody else uses %s", v.x.Map)
}

// sameCell is the answer to W2: where the object and the key are from.
func (e *Weigher) sameCell(v *violation) Support {
	cell := v.Prog.Cells[v.g.Cells[0]]
	first := v.x.First()
	if from := v.source(cell.Map, 0); (from == sourceMade || from == sourceCall) && !v.isEntry(cell.Map, 0) {
		return likely(first, "both may be on the same object")
	}
	if e.ofOneLiteral(v, cell.Key) && !(e.toldBoth(v) && e.keyKnown(v)) {
		return Support{Answer: Likely, Pos: first, Says: "only who has this function has its key", unfollowed: true}
	}
	if v.byCount() {
		return shown(first, "all entries are counted, whatever their keys")
	}
	if v.x.Category == absint.StaleDelete {
		switch {
		case v.renewing() != nil:
			return shown(first, "it is the entry that was found, which is changed in place")
		case e.comesAgain(v):
			return shown(first, "a newer entry can be stored under its key")
		case !e.doneOnce(v) && !e.toldBoth(v):
			return likely(first, "a newer entry can be stored under its key")
		}
	}
	if cell.Key.IsNone() {
		return shown(first, "%s", onlyOne(v.x.Region.Cells[0].Label, v.Root(v.g.Cells[0])))
	}
	switch v.source(cell.Key, 0) {
	case sourceGiven:
		return shown(first, "the caller gives the key")
	case sourceConstant:
		return shown(first, "the key is always the same")
	case sourceEntry:
		return shown(first, "the key is that of an entry")
	case sourceMade:
		return likely(first, "somebody else may have the key that was made here")
	}
	if e.computed(v, cell.Key, 0) == sourceGiven {
		return shown(first, "the key is computed from what the caller gives")
	}
	return Support{Answer: Likely, Pos: first, Says: "two calls may use the same key", unfollowed: e.called(v, cell.Key, 0)}
}

// toldBoth reports whether two that remove one entry both do something, or are both told that they may: no newer entry
// is needed for that.
func (e *Weigher) toldBoth(v *violation) bool {
	if v.x.Several || v.x.Category != absint.StaleDelete || v.evicted() {
		return false
	}
	_, ok := e.bothTold(v)
	return ok
}

// keyKnown reports whether somebody else removes entries by a key that he has from elsewhere, such as a message: it is
// one of those that were drawn.
func (e *Weigher) keyKnown(v *violation) bool {
	return slices.ContainsFunc(v.x.Rivals, func(s *rivals.Step) bool {
		removes := s.Writes && s.From != nil && s.Fn.Parent() == nil && !putsSome(s.Step.Program)
		return removes && !slices.ContainsFunc(s.Accesses, func(a *register.Access) bool {
			key := s.From.Prog.Cells[a.Cell].Key
			return key.IsNone() || drawn(s.From, key)
		})
	})
}

// ofOneLiteral reports whether a key was drawn for each time that a function literal is made, which
// another one made there does not have:
//
//	id := h.next()
//	h.subs[id] = events
//	return func() { if h.has(id) { close(events); h.drop(id) } }
func (e *Weigher) ofOneLiteral(v *violation, key register.Operand) bool {
	if v.Fn.Parent() == nil || key.IsNone() || key.IsLit() {
		return false
	}
	captured, ok := v.Parameter(v.N.Source(key).Local).(*ssa.FreeVar)
	return ok && e.origins().of(captured, maxOrigin) == originDrawn
}

// onlyOne says that two come to one cell that has no key, by how the source writes it and what it
// is a part of: a field is one for each object, and a variable of a package one for all.
func onlyOne(label, root string) string {
	at := strings.LastIndexByte(label, '.')
	if at < 0 || strings.HasPrefix(root, "&") || strings.ContainsAny(label[at:], "[](){}") {
		return "there is only one " + label
	}
	return fmt.Sprintf("there is one %s for each %s", label, label[:at])
}

// brokenCell is the cell of the function that the breaking operation is on, the first one where that is not known.
func (v *violation) brokenCell() *register.Cell {
	w, cell := v.x.Witness, v.g.Cells[0]
	if w.Breaking >= 0 && w.Breaking < len(w.Events) && len(v.x.Region.Cells) == len(v.g.Cells) {
		if at := w.Events[w.Breaking].Cell; at >= 0 && at < len(v.g.Cells) {
			cell = v.g.Cells[at]
		}
	}
	return &v.Prog.Cells[cell]
}

// isObject reports whether a key is an object, or an argument that is given one as something that has methods, as a net.Conn.
func (v *violation) isObject(key register.Operand) bool {
	key = v.N.Source(key)
	if key.IsLit() || key.IsNone() {
		return false
	}
	p := v.Parameter(key.Local)
	return v.Prog.TypeOf(key.Local).Kind == register.Pointer || p != nil && types.IsInterface(p.Type()) && p.Type().Underlying().(*types.Interface).NumMethods() > 0
}

// comesAgain reports whether the code shows that an entry can be put under a key again
// that had one: other packages or a constant say under which key it is put, or may say so and have a new object put
// there, or the call
// puts its own there, or looks whether it is another one, or lets a lock go in between, which
// would be no use otherwise. Where the key comes from something that is not followed, it
// may be one that is used once.
func (e *Weigher) comesAgain(v *violation) bool {
	if v.isObject(v.brokenCell().Key) {
		return false // it is there once
	}
	if v.compares() {
		return false
	}
	if v.Kept {
		return true
	}
	puts, drawn := 0, 0
	named := false
	for _, s := range v.x.Rivals {
		if !putsSome(s.Step.Program) {
			continue
		}
		puts++
		switch {
		case e.putsUnder(s, originDrawn):
			drawn++
		case e.putsUnder(s, originNamed), e.putsMade(s):
			named = true
		}
	}
	return named || drawn < puts && (v.x.Guard != "" || v.expects() || e.renewed(v))
}

// renewed reports whether somebody replaces an entry that is there by a compare-and-swap, and is told whether he has
// it then: the entry says that he has, and it is a newer one.
func (e *Weigher) renewed(v *violation) bool {
	return slices.ContainsFunc(v.x.Rivals, func(s *rivals.Step) bool {
		p := s.Step.Program
		renews := func(in register.Instr) bool {
			return in.Op == register.CAS && putsSomething(&in) && in.Args[0] != register.Absent
		}
		return s.From != nil && someInstr(p, renews) && tellsIfSwapped(s.From.Prog)
	})
}

// tellsIfSwapped reports whether a function answers yes after a compare-and-swap, and no otherwise.
func tellsIfSwapped(p *register.Program) bool {
	_, ok := answerAfter(p, register.CAS)
	return ok
}

// expects reports whether a region compares what it finds with something that it has: it
// would have no reason to, if nobody put anything else there.
func (v *violation) expects() bool {
	found := map[register.Local]bool{}
	for _, blk := range v.x.Region.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			switch {
			case in.Op == register.Read:
				found[in.Dst[0]] = true
			case in.Op == register.Pure && in.Name == "choose" && uses(in, found), in.Op == register.Copy && uses(in, found):
				found[in.Dst[0]] = true
			case in.Op == register.Pure && in.Name == "eq" && uses(in, found):
				if !slices.ContainsFunc(in.Args, func(arg register.Operand) bool { return arg.IsLit() }) {
					return true
				}
			}
		}
	}
	return false
}

// compares reports whether what a region removes is always what it has compared.
func (v *violation) compares() bool {
	compared := false
	for _, blk := range v.x.Region.Blocks {
		for i := range blk.Instrs {
			switch in := &blk.Instrs[i]; {
			case in.Op == register.CAS && !putsSomething(in):
				compared = true
			case in.Op == register.Write && !putsSomething(in):
				return false
			}
		}
	}
	return compared
}

// unserialized is the answer to W4: which locks there are on both sides.
func (e *Weigher) unserialized(v *violation) Support {
	if w := e.contractOf(v); w.kind == contract.LockHeld {
		return likely(v.x.Pos, "its callers may hold no lock")
	}
	if at, ok := v.heldOver(); ok && !e.passesBy(v) {
		return likely(v.x.Pos, "the lock taken in line %d may not keep the other away", v.Pos(at).Line)
	}
	if !v.Later && e.lockedByCallers(v) {
		return likely(v.x.Pos, "the locks that its callers take may not keep the other away")
	}
	switch outside := func(c register.Cell) bool { return !c.Guarded }; {
	case v.x.Guard != "" && slices.ContainsFunc(v.x.Region.Cells, outside):
		return shown(v.x.Pos, "%s is not held over both", v.x.Guard)
	case v.x.Guard != "":
		return shown(v.x.Pos, "%s is released in between", v.x.Guard)
	}
	return shown(v.x.Pos, "no lock is held")
}

// passesBy reports whether those who come in between hold none of the locks that are held there, whoever calls
// them: other packages can call them, which cannot take such a lock.
//
//	func (a *Agg) Flush() { a.flushing.Lock(); defer a.flushing.Unlock(); send(a.copyOf()); a.empty() }
//	func (a *Agg) Add(k string) { a.mu.Lock(); a.counts[k]++; a.mu.Unlock() }
func (e *Weigher) passesBy(v *violation) bool {
	mine, locks := holding{v.Function, v.torn()}, map[string]bool{}
	for at := range mine.throughout() {
		name := v.RootOf(mine.lockTaken(at))
		if last := name[strings.LastIndexByte(name, '.')+1:]; name == "" || strings.Contains(name, extension.ElemStep) || token.IsExported(last) {
			return false
		}
		locks[name] = true
	}
	between := v.interrupting()
	return len(between) > 0 && !slices.ContainsFunc(between, func(s *rivals.Step) bool {
		return s.From == nil || s.Fn.Parent() != nil || !e.ps.Exported(s.Fn) || takesOne(s.From, locks)
	})
}

// torn are the accesses before and after the place at which others come in between last, in
// the witness, before what they have done shows; all of the group if that is not known. What
// is done under another lock before, or after, makes nobody wait there.
func (v *violation) torn() []*register.Access {
	w := v.x.Witness
	if w.Breaking < 0 || w.Breaking >= len(w.Events) {
		return v.g.Accesses
	}
	last := w.Breaking
	for last > 0 && !w.Events[last].Other {
		last--
	}
	var out []*register.Access
	for _, side := range [][]absint.Event{reversed(w.Events[:last]), w.Events[last:]} {
		k := -1
		for _, ev := range side {
			if k < 0 && !ev.Other {
				k = slices.IndexFunc(v.g.Accesses, func(a *register.Access) bool {
					return slices.Contains(v.Positions([]*register.Access{a}), ev.Pos)
				})
			}
		}
		if k < 0 {
			return v.g.Accesses
		}
		out = append(out, v.g.Accesses[k])
	}
	return out
}

func reversed(events []absint.Event) []absint.Event {
	out := slices.Clone(events)
	slices.Reverse(out)
	return out
}

// lockedByCallers reports whether all ways to a helper lead by somebody who takes a lock,
// of whatever kind.
func (e *Weigher) lockedByCallers(v *violation) bool {
	fn := e.ps.DeclaredAround(v.Fn)
	if fn == nil || e.ps.Exported(fn) || e.ps.Escapes(fn) || e.ps.Started(fn) || len(e.ps.Callers(fn)) == 0 {
		return false
	}
	if e.contracts == nil {
		e.contracts = newContracts(e.ps)
	}
	return !e.contracts.broken(fn, map[*ssa.Function]bool{})
}

// together is the answer to W1: which goroutines come to both. A lock around a lone
// field is often there for those who look, beside the one who sets it: a helper leaves it
// to its callers who that is. But the one who sets it needs no lock to look at what nobody
// else sets.
func (e *Weigher) together(v *violation) Support {
	fn := v.Fn
	mine := e.entriesOn(fn, v.objects())
	theirs := mine
	if steps := v.interrupting(); len(steps) > 0 && steps[0].Fn != nil {
		theirs = e.entriesOn(steps[0].Fn, objectsOf(steps[0]))
	}
	if s, ok := byMaker(mine, theirs); ok {
		return s
	}
	isMap := slices.ContainsFunc(v.g.Cells, func(cell int) bool { return v.Prog.Cells[cell].Kind == register.Map })
	on := object{isMap: isMap, argument: v.ofArgument(), guarded: v.x.Guard != "", roots: v.roots()}
	if s, ok := meet(mine, theirs, on); ok {
		return s
	}
	own := on.argument && handles(mine) && !ownership.IsOwnRoot(e.ps.Pass.Pkg, v.Root(v.g.Cells[0]))
	if v.x.Guard != "" && !own && (isMap || fn.Parent() == nil && (e.ps.Exported(fn) || entered(mine) && (e.putsAlone(v) || v.isFed()))) {
		return expected(v.x.First(), "%s is locked here, so several goroutines are expected", v.x.Guard)
	}
	if isMap {
		if entered(mine) && !own && !v.ofLiteral() {
			return expected(v.x.First(), "%s is a concurrent map", v.x.Map)
		}
		return likely(v.x.First(), "two goroutines may come here")
	}
	if entered(mine) && v.x.Guard == "" {
		if s, ok := e.meantForSeveral(v); ok {
			return s
		}
	}
	if e.contractOf(v).kind == contract.None {
		if s, ok := e.usedBeside(v, mine); ok {
			return s
		}
	}
	return likely(v.x.First(), "two goroutines may come here")
}
