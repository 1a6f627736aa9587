package evidence

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/analyzer/internal/topology"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What shows an assumption may still be too little: nothing speaks against the violation, and
// what speaks for it is so of much that is right. The rules here leave medium confidence.

// startedBeside is why two are too little to come together: the one that is started may
// have its own object, or its own keys. What goes over a whole map comes to everybody's, and so does who takes away
// what nobody uses.
func (e *Weigher) startedBeside(v *violation) string {
	by, _ := e.goesByOther(v)
	return when(v.by[byStart] && !v.ofAll() && !by.Unused, "the goroutine that is started may have its own part of it")
}

// A package that tests use, and that is no test itself, has one of testWords as its name, or as the first word of it, or testBegins with one of
// testEnds, or ends with tests of one of testKinds.
var (
	testWords  = map[string]bool{"fake": true, "fakes": true, "mock": true, "mocks": true, "stub": true, "stubs": true, "test": true, "tests": true, "testing": true}
	testBegins = []string{"test", "mock", "fake"}
	testEnds   = map[string]bool{
		"client": true, "helper": true, "helpers": true, "kit": true, "lib": true, "mock": true, "mocks": true,
		"server": true, "suite": true, "support": true, "tool": true, "tools": true, "util": true, "utils": true,
	}
	testKinds = map[string]bool{"acceptance": true, "e2e": true, "functional": true, "integration": true, "unit": true}
)

// isForTests reports whether a part of a path says that it is for tests: "mocks", "testutil", "integration-tests"; what is called
// "load-testing" is made to test others.
func isForTests(part string) bool {
	words := strings.FieldsFunc(part, func(r rune) bool { return r == '-' || r == '_' })
	if len(words) == 0 {
		return false
	}
	if testWords[words[0]] || len(words) == 2 && testKinds[words[0]] && testWords[words[1]] {
		return true
	}
	return slices.ContainsFunc(testBegins, func(begin string) bool {
		end, ok := strings.CutPrefix(words[0], begin)
		return ok && testEnds[end]
	})
}

// owners are hosts where a repository has an owner, which is a part of its path.
var owners = map[string]bool{"github.com": true, "gitlab.com": true, "bitbucket.org": true}

// forTests is why two are too little to come together: what stands in for a server in tests is used by one test at a time, which
// waits until it has done what it asked for. What the repository itself is called says nothing.
func (e *Weigher) forTests(v *violation) string {
	pkg := ssaprog.Declared(v.Fn).Pkg
	if pkg == nil {
		return ""
	}
	parts := strings.Split(pkg.Pkg.Path(), "/")
	if owners[parts[0]] { // an owner, and a repository
		parts = parts[min(2, len(parts)-1):]
	}
	return when(slices.ContainsFunc(parts[1:], isForTests), "the package is one for tests")
}

// ofAll reports whether the key is one of those that a loop over all of a map comes to, or that
// such a loop has collected. The function of a Range has its key as a parameter that is none of
// the function's around it.
func (v *violation) ofAll() bool {
	key := v.N.Source(v.Prog.Cells[v.g.Cells[0]].Key)
	if !v.onMap() || key.IsLit() || key.IsNone() {
		return false
	}
	def := v.Prog.OnlyDef(key.Local)
	ranged := slices.Contains(v.Prog.Params, key.Local) && v.Parameter(key.Local) == nil
	return v.Swept || ranged || def != nil && def.Memory().Kind == register.Visited
}

// unchangedOnceMade is why the loss of an object is no harm: nobody but its makers changes
// it, so that another one is as good.
func (e *Weigher) unchangedOnceMade(v *violation) string {
	if !v.by[byLost] || e.loses(v, e.ps.Res.ChangedOnceMade) && !v.remembered {
		return ""
	}
	return "the object that is lost may be as good as the other one"
}

// readsAnother is why what was put there, and is another one when it is read again, is no
// harm: who reads again takes what is current.
func (e *Weigher) readsAnother(v *violation) string {
	return when(v.by[byLost] && v.x.Category == absint.InconsistentRead, "who reads again may want what is current")
}

// replacedAnyway is why the loss of an object is no harm that is stored whatever was there: who replaces one, and
// does not only make the first one, loses one in any case.
//
//	old := c.current()
//	c.set(next) // whatever old was
//	if old == nil { c.greet() }
//
// In a map that is so only if nothing is done with the one that was there, as to close it: of two that find one and the same,
// one does that with it, and nobody with the one that is lost.
func (e *Weigher) replacedAnyway(v *violation) string {
	onlyAsked := func() bool { return v.onMap() && !v.x.Several && losesOne(v) && v.storesAnyway() }
	if !v.by[byLost] || v.x.Category != absint.NonAtomic && v.limited() && !onlyAsked() || v.onMap() && !onlyAsked() {
		return ""
	}
	return "it is replaced in any case, by this call or another one"
}

// storesAnyway reports whether what the step stores is stored whatever it has found before, and what it has found is only
// looked at.
func (v *violation) storesAnyway() bool {
	for _, a := range v.g.Accesses {
		for _, b := range v.g.Accesses {
			if a.Writes || !b.Writes {
				continue
			}
			if at := v.storesAt(b); !v.Find.Dominates(a, b) || v.decidesBlock(a, at) || panicsWithout(v.Prog, a.Start.Block, at) {
				return false
			}
		}
	}
	return v.onlyAsks()
}

// asserts is why it is no harm that two come at the same time of whom one would have found
// what the other one has put there: he panics then, so that nobody is to do that.
//
//	if _, ok := drivers.Load(name); ok { panic("registered twice: " + name) }
//	drivers.Store(name, d)
func (e *Weigher) asserts(v *violation) string {
	if v.x.Several || v.x.Category == absint.Crash || v.x.Category == absint.StaleDelete {
		return ""
	}
	asserted := slices.ContainsFunc(v.g.Accesses, func(a *register.Access) bool {
		return !a.Writes && slices.ContainsFunc(v.g.Accesses, func(b *register.Access) bool {
			from, past := a.Start.Block, b.Start.Block
			return b.Writes && v.Find.Dominates(a, b) && panicsWithout(v.Prog, from, past) && !returnsWithout(v.Prog, from, past)
		})
	})
	return when(asserted, "it panics if there is something already")
}

// panicsWithout reports whether a panic that the code asks for can be reached from a block past
// another one.
func panicsWithout(p *register.Program, from, past int) bool {
	return endsWithout(p, from, past, func(blk *register.Block) bool {
		return blk.Term.Kind == register.Panic && blk.Term.Label == register.Panicked
	})
}

// choosesOne is why an old value that is stored again is no harm: the new one is not made of
// it, but is the one or the other.
//
//	if name == "" { name = c.name() }
//	c.rename(name)
func (e *Weigher) choosesOne(v *violation) string {
	if v.onMap() || !v.by[byOld] {
		return ""
	}
	for i, a := range v.Find.Accesses {
		chosen := v.chosenFrom(a)
		for _, b := range v.g.Accesses {
			if a != b && b.Writes && b.Cell == a.Cell && v.Find.Computes(i, b) && !v.puts(b, chosen) {
				return "" // it is computed
			}
		}
	}
	return "the old value is only what is taken if there is no other one"
}

// fillsPart is why an entry that is stored again with something more in it is no loss: a part of it was empty, which is
// filled with a plain value, and those who come in between do the same.
//
//	c := t.commands[name]
//	if c.usage == "" { c.usage = usageOf(c); t.commands[name] = c }
func (e *Weigher) fillsPart(v *violation) string {
	between := v.interrupting()
	if v.x.Several || !v.onMap() || !v.by[byOld] || len(between) == 0 || slices.ContainsFunc(between, func(s *rivals.Step) bool { return !e.stepOf(v.Fn, s) }) {
		return ""
	}
	for _, b := range v.g.Accesses {
		if b.Writes && !slices.ContainsFunc(v.g.Accesses, func(a *register.Access) bool { return !a.Writes && v.fillsEmpty(a, b) }) {
			return ""
		}
	}
	return "two who fill the part that was empty do the same"
}

// fillsEmpty reports whether an access stores again what another one has found, but for one part, which is a plain value
// now and was empty then.
func (v *violation) fillsEmpty(looks, stores *register.Access) bool {
	found := foundBy(looks)
	return !slices.ContainsFunc(stores.Ops, func(op register.Ref) bool {
		val, ok := judge.StoredOperand(&v.Prog.Blocks[op.Block].Instrs[op.Instr])
		if !ok {
			return true
		}
		part, ok := v.newPart(val, found)
		return !ok || part < 0 || !v.onlyIfEmpty(part, found, stores.Start.Block)
	})
}

// newPart is the place of the one part of a struct that is another one than in what was found, if that is a plain value.
func (v *violation) newPart(val register.Operand, found map[register.Local]bool) (part int, ok bool) {
	def := v.Prog.OnlyDef(v.N.Source(val).Local)
	if def == nil || def.Op != register.Pure || !strings.HasPrefix(def.Name, register.StructOf) {
		return -1, false
	}
	part = -1
	for i, arg := range def.Args {
		if at, from := v.partAt(arg); at == i && found[from] {
			continue
		}
		if part >= 0 || !v.Prog.TypeOf(arg.Local).NeverNil() {
			return -1, false
		}
		part = i
	}
	return part, true
}

// partAt is the place that a value has in the struct of which it is a field, and that struct.
func (v *violation) partAt(val register.Operand) (place int, of register.Local) {
	def := v.Prog.OnlyDef(v.N.Source(val).Local)
	if def == nil || def.Op != register.Pure || len(def.Args) != 1 {
		return -1, register.None
	}
	name, isField := strings.CutPrefix(def.Name, register.FieldOf)
	if place, ok := v.Prog.FieldPlaces[name]; ok && isField {
		return place, v.N.Source(def.Args[0]).Local
	}
	return -1, register.None
}

// onlyIfEmpty reports whether a block is reached only if a part of what was found is still what it is at first.
func (v *violation) onlyIfEmpty(part int, found map[register.Local]bool, block int) bool {
	return someInstr(v.Prog, func(in register.Instr) bool {
		if in.Op != register.Pure || in.Name != "eq" || !in.Args[1].IsLit() || !slices.Contains(empty, in.Args[1].Lit) {
			return false
		}
		at, from := v.partAt(in.Args[0])
		return at == part && found[from] && v.reachedIf(in.Dst[0], block)
	})
}

// empty are the plain values that nobody has put there.
var empty = []string{`""`, "0", register.LitFalse}

// puts reports whether an access stores one of some values.
func (v *violation) puts(a *register.Access, some map[register.Local]bool) bool {
	return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		val, ok := judge.StoredOperand(&v.Prog.Blocks[op.Block].Instrs[op.Instr])
		return ok && !val.IsLit() && (some[val.Local] || some[v.N.Source(val).Local])
	})
}

// chosenFrom are what an access has found, and what that is one of.
func (v *violation) chosenFrom(a *register.Access) map[register.Local]bool {
	found := map[register.Local]bool{}
	for _, l := range a.Outcome {
		found[l] = true
	}
	delete(found, register.None)
	passOn(v.Prog, found, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Pure && in.Name == "choose"
	})
	return found
}

// oneMore is why it is no harm that two are let in where one should be: they are counted up
// to a limit, and one more comes in than that. What is counted down, and is used up, is gone.
func (e *Weigher) oneMore(v *violation) string {
	if v.byCount() {
		return when(v.boundedHigh(), "so many are let in that one more makes no difference")
	}
	if !v.by[byLeave] || v.lone() || v.onMap() {
		return ""
	}
	up := false
	for _, blk := range v.x.Region.Blocks {
		for i := range blk.Instrs {
			val, ok := judge.StoredOperand(&blk.Instrs[i])
			if !ok {
				continue
			}
			if up = v.addsOne(val); !up {
				return ""
			}
		}
	}
	return when(up, "it is counted up, so that one more than a limit comes in")
}

// manySeats is a limit that is there so that it does not go on for ever, and not because there are so many of something.
const manySeats = 100

// boundedHigh reports whether the entries are counted up to a constant of that kind.
func (v *violation) boundedHigh() bool {
	return someInstr(v.x.Region, func(in register.Instr) bool {
		return in.Op == register.Pure && (in.Name == "lt" || in.Name == "le") && slices.ContainsFunc(in.Args, func(o register.Operand) bool {
			n, err := strconv.Atoi(o.Lit)
			return o.IsLit() && err == nil && n >= manySeats
		})
	})
}

// addsOne reports whether an operand of a region is a sum with one.
func (v *violation) addsOne(op register.Operand) bool {
	if op.IsLit() {
		return false
	}
	def := v.x.Region.OnlyDef(op.Local)
	return def != nil && def.Op == register.Pure && def.Name == "add" && slices.ContainsFunc(def.Args, func(arg register.Operand) bool {
		return arg.IsLit() && arg.Lit == "1"
	})
}

// manyLines is how long a step may be that somebody takes in at once.
const manyLines = 30

// long is why something may keep the two apart that is not seen: of a step that goes over
// many lines much is not followed, and who has written that much in between has thought of
// who comes meanwhile. Of seven such reports one was true. Whose own code says that a place which
// was found before all that is used after it has not.
func (e *Weigher) long(v *violation) string {
	return when(v.x.Lines > manyLines && !v.by[byPlace], "much happens in between, of which some may keep the other away")
}

// savesWork is why the loss of an object is no harm that a singleflight group makes, or that is
// looked for there: such a group is there so that it is not made as often, and not so that it is
// made once.
func (e *Weigher) savesWork(v *violation) string {
	if !v.by[byLost] {
		return ""
	}
	flown := slices.ContainsFunc(v.Positions(v.g.Accesses), func(pos register.Pos) bool {
		lit := e.ps.FunctionAt(e.position(pos))
		return lit != nil && len(flightsOf(lit)) > 0
	})
	return when(flown, "a singleflight group is there to save work")
}

// startsAgain is why it is no harm that something is lost which is added before a count starts again:
// what there was is told to nobody, and only had to be enough.
//
//	if b.failed.Load() > b.most { b.failed.Store(0) }
func (e *Weigher) startsAgain(v *violation) string {
	return when(v.by[bySum] && !v.usesSum(), "it starts again because it was enough, however much that was")
}

// usesSum reports whether what is found is used for more than a decision.
func (v *violation) usesSum() bool {
	p := v.x.Region
	found := whatIsFound(p)
	passOn(p, found, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Pure && !register.IsTest(in.Name)
	})
	return slices.ContainsFunc(p.Blocks, func(blk *register.Block) bool {
		returned := blk.Term.Kind == register.Return && slices.ContainsFunc(blk.Term.Vals, func(op register.Operand) bool { return !op.IsLit() && found[op.Local] })
		return returned || slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool {
			return (in.Op == register.Effect || in.Op == register.Unknown) && uses(&in, found)
		})
	})
}

// notesMiss is why it is no harm that a function which was given is called by two: each has computed
// what follows from the key, and tells it no more than that it was not there.
//
//	if v, ok := c.parsed.Load(text); ok { c.onHit(); return v }
//	v := parse(text)
//	c.parsed.Store(text, v)
//	c.onMiss()
func (e *Weigher) notesMiss(v *violation) string {
	if !v.by[byEffect] || v.x.Several || !e.judge.Remembers(v.x) {
		return ""
	}
	in, ok := decidedEffect(v.x.Region, e.matters)
	told := !ok || in.Effect().Kind != register.Called || len(in.Args) > 0
	return when(!told, "what is remembered follows from its key, and nobody is told what it is")
}

// offersOnly is why it is no harm that a new value is made from an old one: a compare-and-swap writes
// it, and fails if something came in between.
//
//	if at == last { r.at.Store(0) } else if !r.at.CompareAndSwap(at, at+1) { … }
func (e *Weigher) offersOnly(v *violation) string {
	overwrites := func(a *register.Access) bool {
		return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
			return v.Prog.Blocks[op.Block].Instrs[op.Instr].Op == register.Write
		})
	}
	return when(v.by[byOld] && v.x.Category == absint.LostUpdate && !v.derivedIn(overwrites) && !v.updatesEntry(), "a compare-and-swap fails if there was a change in between")
}

// inTurn is why it is no harm that a change of a number is lost: it says which one of a list is the next in
// turn, and then one of them comes twice.
//
//	i := p.next.Load() % n
//	p.next.Store((i + 1) % n)
//	return p.peers[i]
//
// What is put into the list there is another thing: two would come to one place.
func (e *Weigher) inTurn(v *violation) string {
	if v.x.Several || v.onMap() || !v.by[byOld] {
		return ""
	}
	found := foundBy(v.g.Accesses...)
	passOn(v.Prog, found, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Pure && in.Memory().Kind == register.NoMemory && !register.IsTest(in.Name) && !picks(in)
	})
	wraps := !slices.ContainsFunc(v.g.Accesses, func(a *register.Access) bool { return a.Writes && !v.wraps(a, found) })
	return when(wraps && v.onlyPicks(found), "it says which one is the next in turn")
}

// picks reports whether an instruction takes something out of a list, or cuts that, at a place.
func picks(in *register.Instr) bool {
	return in.Op == register.Pure && (in.Memory().Kind == register.Element || in.Name == "index" || in.Name == register.SliceOf)
}

// onlyPicks reports whether numbers are used for nothing else but to pick something out of a list.
func (v *violation) onlyPicks(numbers map[register.Local]bool) bool {
	picked := false
	if slices.ContainsFunc(v.Find.Accesses, func(a *register.Access) bool { return a.Writes && !slices.Contains(v.g.Cells, a.Cell) }) {
		return false // which may be at such a place
	}
	for _, blk := range v.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			picked = picked || picks(in) && uses(in, numbers)
			if in.Op != register.Copy && in.Op != register.Pure && !in.IsBase() && uses(in, numbers) {
				return false
			}
		}
		if slices.ContainsFunc(blk.Term.Vals, func(val register.Operand) bool { return !val.IsLit() && numbers[val.Local] }) {
			return false
		}
	}
	return picked
}

// wraps reports whether an access stores what is left of a number when it is divided.
func (v *violation) wraps(a *register.Access, numbers map[register.Local]bool) bool {
	return !slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		val, ok := judge.StoredOperand(&v.Prog.Blocks[op.Block].Instrs[op.Instr])
		return !ok || !numbers[val.Local] || !slices.ContainsFunc(v.madeOf(val, 0), func(l register.Local) bool {
			def := v.Prog.OnlyDef(l)
			return def != nil && def.Op == register.Pure && def.Name == "rem"
		})
	})
}

// An answer that is waited for has an entry under a number that was drawn for the question, with a
// function in it that takes the answer:
//
//	id := newID()
//	c.waiting.Store(id, waiter{done: func(a answer) { … }})
//	c.send(question{id: id})
//	…
//	if v, ok := c.waiting.Load(a.id); ok {
//		v.(waiter).done(a)
//		c.waiting.Delete(a.id)
//	}
//
// It comes once, although nothing here sees to that.

// answersOnce is why it is no harm that two are told the same who come with one key.
func (e *Weigher) answersOnce(f *violation) string {
	if f.x.Several || f.x.Category != absint.StaleDelete || f.x.Environment != absint.Package || f.x.Region.Cells[0].Kind != register.Map {
		return ""
	}
	puts := slices.DeleteFunc(slices.Clone(f.x.Rivals), func(s *rivals.Step) bool { return !putsSome(s.Step.Program) })
	if len(puts) == 0 || slices.ContainsFunc(puts, func(s *rivals.Step) bool { return !e.putsUnder(s, originDrawn) }) {
		return ""
	}
	in, ok := decidedEffect(f.x.Region, e.matters)
	if !ok || !e.callsEntry(f, in.Pos) {
		return ""
	}
	return "its key was drawn for one question, and the answer to that comes once"
}

// callsEntry reports whether there is a call at a place of a function that is in an entry that
// the step has found.
func (e *Weigher) callsEntry(f *violation, pos register.Pos) bool {
	call := e.callAt(pos)
	if call == nil || call.IsInvoke() || call.StaticCallee() != nil {
		return false
	}
	found := f.Positions(f.g.Accesses)
	var from func(v ssa.Value, depth int) bool
	from = func(v ssa.Value, depth int) bool {
		instr, ok := v.(ssa.Instruction)
		if !ok || depth == 0 {
			return false
		}
		at := instr.Pos()
		if call, ok := instr.(ssa.CallInstruction); ok {
			at, _, _ = e.ps.Res.Place(call)
		}
		if slices.Contains(found, e.ps.Res.PosText(at)) {
			return true
		}
		if alloc, ok := v.(*ssa.Alloc); ok {
			return slices.ContainsFunc(ssaprog.StoredIn(alloc), func(val ssa.Value) bool { return from(val, depth-1) })
		}
		return slices.ContainsFunc(instr.Operands(nil), func(op *ssa.Value) bool { return *op != nil && from(*op, depth-1) })
	}
	return from(call.Value, maxOrigin)
}

// What comes back from a request is what somebody else has to say, and not made of what the
// request was made with:
//
//	etag := s.etag()                      // under the lock
//	res, err := s.api.Fetch(ctx, etag)
//	s.setEtag(res.Etag)                   // under the lock
//
// Of two that ask at once the last one to be answered stays, as it does of two that ask in turn.

// answersRequest is why it is no harm that a value was made with an old one: all that comes of
// that in it has come back from a request.
func (e *Weigher) answersRequest(v *violation) string {
	return when(v.madeBy(e.isRequest), "what is stored is the answer to a request that was made with the old value")
}

// A field or an atomic of which one value takes the place of another is missed only by those who
// count on what was there. Where the new value is what some call gives, the old one may have been
// no more than where it began:
//
//	if cap(s.room) < n { s.room = grow(s.room, n) } // in two holds of a lock

// opaque is why it is open whether what others store in a field or an atomic in between is missed:
// what is made of the old value is made where it is not followed.
func (e *Weigher) opaque(v *violation) string {
	if v.x.Several || v.onMap() {
		return ""
	}
	made := v.madeBy(func(in *register.Instr) bool { return in.Op == register.Unknown })
	return when(made && !v.changesCopy(), "what is made of the old value is made where it is not followed")
}

// changesCopy reports whether a copy of what was found is changed, here or by whom it is given to for nothing else: what is
// then made of that has all the rest of it as it was.
//
//	routes := maps.Clone(g.table.Load().routes)
//	delete(routes, prefix)
//	g.table.Store(newTable(routes))
func (v *violation) changesCopy() bool {
	return slices.ContainsFunc(v.g.Accesses, func(looks *register.Access) bool {
		found := v.followsFrom(looks)
		copies := map[register.Local]bool{}
		for _, blk := range v.Prog.Blocks {
			for i := range blk.Instrs {
				if in := &blk.Instrs[i]; in.Op == register.Fresh && uses(in, found) {
					in.Defs(func(l register.Local) { copies[l] = true })
				}
			}
		}
		passOn(v.Prog, copies, func(in *register.Instr) bool { return in.Op == register.Copy })
		return someInstr(v.Prog, func(in register.Instr) bool {
			gives := func(answer register.Instr) bool { return answer.Op == register.Unknown && answer.Pos == in.Pos }
			return in.Op == register.Effect && uses(&in, copies) && !someInstr(v.Prog, gives)
		})
	})
}

// madeBy reports whether a new value was made with an old one, and all that comes of that in it has
// come out of instructions of a kind.
func (v *violation) madeBy(kind func(*register.Instr) bool) bool {
	if !v.by[byOld] {
		return false
	}
	asked := false
	for _, looks := range v.g.Accesses {
		found := v.followsFrom(looks)
		passOn(v.Prog, found, func(in *register.Instr) bool {
			is := kind(in)
			asked = asked || is && uses(in, found)
			return !is && !in.IsBase()
		})
		if slices.ContainsFunc(v.g.Accesses, func(b *register.Access) bool {
			return b != looks && b.Cell == looks.Cell && b.Writes && (v.puts(b, found) || v.fills(b, found))
		}) {
			return false // it is computed
		}
	}
	return asked
}

// measures is why what is lost of the number in an atomic is no harm: it is how large something was, or how long to wait,
// and is right again when it is set the next time. What was added to a count is gone for good.
//
//	mean := s.mean.Load()
//	s.mean.Store(mean - mean/8 + took/8)
func (e *Weigher) measures(v *violation) string {
	kind := v.x.Region.Cells[0].Type.Kind
	if !v.lone() || !kind.IsInteger() && !kind.IsFloat() || slices.ContainsFunc(v.x.Rivals, e.addsSome) {
		return ""
	}
	return when((v.by[byReset] || v.by[byOld]) && !v.counts(), "it is a measure or a pace, which is right again when it is set the next time")
}

// counts reports whether some write stores what was found, with something added or taken off.
func (v *violation) counts() bool {
	adds := func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Pure && slices.Contains([]string{"add", "sub", "rem", "and", "convert"}, in.Name)
	}
	for _, looks := range v.g.Accesses {
		sums := foundBy(looks)
		passOn(v.Prog, sums, adds)
		scaled := slices.ContainsFunc(v.Prog.Blocks, func(blk *register.Block) bool {
			return slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool {
				return in.Op == register.Pure && slices.Contains([]string{"mul", "quo", "shl", "shr"}, in.Name) && uses(&in, sums)
			})
		})
		if !scaled && slices.ContainsFunc(v.g.Accesses, func(b *register.Access) bool { return b.Writes && b.Cell == looks.Cell && v.puts(b, sums) }) {
			return true
		}
	}
	return false
}

// isRequest reports whether an instruction is a call that asks somebody else: it can fail, and takes
// as long as a context lets it.
func (e *Weigher) isRequest(in *register.Instr) bool {
	if in.Op != register.Unknown {
		return false
	}
	call := e.callAt(in.Pos)
	return call != nil && canFail(call) && slices.ContainsFunc(call.Args, func(arg ssa.Value) bool { return topology.IsContext(arg.Type()) })
}

// afterClose is why it is left open whether anybody comes in between: the call has closed what tells the
// goroutines of the object to end, and has waited for them, before it does anything else.
//
//	close(t.stop)
//	t.workers.Wait()
//	t.mu.Lock()
//
// Whoever else has the object may still use it, which most say that one must not do.
func (e *Weigher) afterClose(v *violation) string {
	ends := func(in *register.Instr) bool {
		return in.Effect().Kind == register.Closed || in.Effect().Kind == register.Called && e.callsValue(in.Pos) && e.cancels(in.Pos)
	}
	waits := func(in *register.Instr) bool {
		call := e.callAt(in.Pos)
		return call != nil && calls.IsWait(call) && !ssaprog.IsMadeHere(call.Args[0])
	}
	return when(v.alwaysBefore(ends) && v.alwaysBefore(waits), "the object was closed before, and its goroutines waited for")
}

// keepsOn is why two are too little to come together that both go on until they are told to end, at each tick of a clock: each
// object has one of those, and what others do at the same time does not break it.
//
//	for {
//		select {
//		case <-ctx.Done():
//			return
//		case now := <-ticker.C:
//			… // removes what has expired
//		}
//	}
func (e *Weigher) keepsOn(v *violation) string {
	again := slices.ContainsFunc(v.interrupting(), func(s *rivals.Step) bool { return e.stepOf(v.Fn, s) })
	if v.x.Several || !again || !topology.Ticks(v.Fn) || !e.goneWithout(v, func(s *rivals.Step) bool { return e.stepOf(v.Fn, s) }) {
		return ""
	}
	return "each object has one that goes on at each tick"
}

// waitedFor is why nobody comes in between: all who call the function have made the object, and have waited for the
// goroutines to which they have given it.
func (e *Weigher) waitedFor(v *violation) string {
	fn := v.Fn
	if fn.Signature.Recv() == nil || e.ps.Exported(fn) || e.ps.Escapes(fn) || e.ps.Started(fn) {
		return ""
	}
	all := e.ps.Callers(fn)
	alone := len(all) > 0 && !slices.ContainsFunc(all, func(call ssa.CallInstruction) bool { return !topology.AfterWait(call) })
	return when(alone, "whoever made the object has waited for its goroutines")
}

// alwaysBefore reports whether an instruction of a kind comes before all accesses, on every way.
func (v *violation) alwaysBefore(kind func(*register.Instr) bool) bool {
	tree := register.Dominators(v.Prog)
	before := func(a, b register.Ref) bool {
		return a.Block == b.Block && a.Instr < b.Instr || a.Block != b.Block && register.Dominates(tree, a.Block, b.Block)
	}
	for b, blk := range v.Prog.Blocks {
		for i := range blk.Instrs {
			in, at := &blk.Instrs[i], register.Ref{Block: b, Instr: i}
			later := func(a *register.Access) bool { return before(at, a.Start) }
			if kind(in) && !slices.ContainsFunc(v.g.Accesses, func(a *register.Access) bool { return !later(a) }) {
				return true
			}
		}
	}
	return false
}

// receivedKey is why it is left open whether two come to one entry: its key is an object that is handed on by
// a channel, as connections of a pool are, and whoever has received it is the only one who has it.
func (e *Weigher) receivedKey(v *violation) string {
	for _, cell := range v.g.Cells {
		key := v.N.Source(v.Prog.Cells[cell].Key)
		if key.IsNone() || key.IsLit() || v.Prog.TypeOf(key.Local).Kind != register.Pointer {
			return ""
		}
		if def := v.Prog.OnlyDef(key.Local); def == nil || !def.IsReceived() {
			return ""
		}
	}
	return "its key was received from a channel"
}

// handedOver is why two are too little to be at one atomic of an object, or of a place in a list: each has come to it by
// what is in another atomic, which others compare or swap. Who does that has decided who is at which one, and one atomic
// alone does not tell how.
//
//	for n := q.head.Swap(nil); n != nil; {
//		next := n.next.Load()
//		n.next.Store(nil)
//		…
//	}
func (e *Weigher) handedOver(v *violation) string {
	if !v.lone() {
		return ""
	}
	about := v.g.Cells[0]
	by := slices.ContainsFunc(v.foundIn(v.Prog.Cells[about].Map), func(cell int) bool {
		return cell != about && e.swapped(v.Root(cell))
	})
	return when(by, "another atomic says which one it is, and others swap that")
}

// foundIn are the atomics in which a value was found, or something that it follows from.
func (v *violation) foundIn(op register.Operand) (cells []int) {
	seen := map[register.Local]bool{}
	var follow func(op register.Operand)
	follow = func(op register.Operand) {
		if op.IsLit() || op.IsNone() || seen[op.Local] {
			return
		}
		seen[op.Local] = true
		for _, blk := range v.Prog.Blocks {
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				switch {
				case !defines(in, op.Local):
				case in.Op == register.Read || in.Op == register.Write || in.Op == register.CAS:
					if c := &v.Prog.Cells[in.Cell]; c.Kind == register.Atomic && !c.Guarded {
						cells = append(cells, in.Cell)
					}
				default:
					for _, arg := range in.Args {
						follow(arg)
					}
				}
			}
		}
	}
	follow(op)
	return cells
}

// swapped reports whether some function changes an atomic by an operation that looks as well, and goes by what it has found.
func (e *Weigher) swapped(root string) bool {
	return slices.ContainsFunc(e.judge.World.Steps[root], func(s *rivals.Step) bool {
		return s.From != nil && slices.ContainsFunc(s.Accesses, func(a *register.Access) bool { return looksAsWritten(s.From.Prog, a) != nil })
	})
}
