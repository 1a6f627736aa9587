package absint

import (
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// specHost supplies an atomic run of the call in a replay. What the run may
// choose is taken from a script, so that all choices can be tried: an
// unpredictable call returns anything that occurs in the history or
// something new, an allocation is one of the actual run's or a new one.
type specHost struct {
	history *history
	script  []int
	at      int
	options []int
	used    []register.Value
	gaveUp  int
	// then counts the effects of the tail so far. What is chosen after one
	// that differs from the actual run's is of no importance: lost is the
	// number of choices before it, -1 as long as all agree.
	then, lost int
	// late is the number of choices before the first one that comes after all
	// operations, -1 as long as there is none. If apart, the cells are not what they
	// were, and no later choice mends that.
	late  int
	apart bool
	// came is how often the run came to each place.
	came map[string]int
}

func newSpecHost(h *history, script []int) *specHost {
	return &specHost{history: h, script: script, lost: -1, late: -1, came: map[string]int{}}
}

// Watch compares the effects of the tail, which always count, with those of
// the actual run.
func (s *specHost) Watch(ev register.EffectEvent) {
	if s.lost >= 0 || !register.IsTail(ev.Name) {
		return
	}
	actual := s.history.then(s.then)
	s.then++
	if actual == nil || actual.Name != ev.Name || !slices.Equal(actual.Args, ev.Args) {
		s.lost = s.at
	}
}

// then is effect number n of the tail in the actual run, nil if there is none.
func (h *history) then(n int) *register.EffectEvent {
	for i := range h.out.Effects {
		ev := &h.out.Effects[i]
		if !register.IsTail(ev.Name) {
			continue
		}
		if n == 0 {
			return ev
		}
		n--
	}
	return nil
}

// choose takes the next number below n from the script.
func (s *specHost) choose(n int) int {
	if s.at == len(s.script) {
		s.script = append(s.script, 0)
	}
	s.options = append(s.options, n)
	v := s.script[s.at]
	s.at++
	return v
}

// chooseAt is choose for a choice at a site of the program.
func (s *specHost) chooseAt(site string, n int) int {
	if s.late < 0 && s.history.engine.lateSites()[site] {
		s.late = s.at
	}
	return s.choose(n)
}

// lateSites are the allocations and unknown calls of the region that no operation on a
// cell follows.
func (e *engine) lateSites() map[string]bool {
	if e.late == nil {
		e.late = map[string]bool{}
		p := e.problem.Region
		for b, blk := range p.Blocks {
			for i := range blk.Instrs {
				if in := &blk.Instrs[i]; in.Op == register.Fresh || in.Op == register.Unknown {
					is, known := e.late[in.Name]
					e.late[in.Name] = (is || !known) && !operatesAfter(p, b, i)
				}
			}
		}
	}
	return e.late
}

// operatesAfter reports whether an operation on a cell can follow an instruction.
func operatesAfter(p *register.Program, block, instr int) bool {
	seen := make([]bool, len(p.Blocks))
	work, from := []int{block}, instr+1
	for ; len(work) > 0; from = 0 {
		blk := p.Blocks[work[0]]
		work = work[1:]
		for i := from; i < len(blk.Instrs); i++ {
			if blk.Instrs[i].IsBase() {
				return true
			}
		}
		for _, to := range blk.Term.To {
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return false
}

// nextScript is the next script in order that can give another outcome, or nil
// after the last.
func (s *specHost) nextScript() []int {
	last := s.at
	if s.lost >= 0 {
		last = s.lost
	}
	if s.apart && s.late >= 0 && s.history.out.Kind != register.Panic { // it is asked whether a choice panics
		last = min(last, s.late)
	}
	for i := last - 1; i >= 0; i-- {
		if s.script[i]+1 < s.options[i] {
			next := slices.Clone(s.script[:i+1])
			next[i]++
			return next
		}
	}
	return nil
}

func (s *specHost) Pure(name string, result int, args []register.Value) register.Value {
	return s.history.model.apply(name, result, args)
}

// Fresh is an allocation of the actual run with the same type and contents
// that this run has not made yet, or a new one.
func (s *specHost) Fresh(site string, contents []register.Value) register.Value {
	if v, ok := s.history.assumedFresh(site, contents, nil); ok {
		return v
	}
	var like []register.Value
	for v, a := range s.history.allocated {
		if a.typ == siteType(site) && slices.Equal(a.contents, contents) && !slices.Contains(s.used, v) {
			like = append(like, v)
		}
	}
	slices.Sort(like)
	i := s.chooseAt(site, len(like)+1)
	if i < len(like) {
		s.used = append(s.used, like[i])
		return like[i]
	}
	v := register.Value("spec_" + siteType(site) + "#" + strconv.Itoa(s.at))
	s.history.model.defineParts(v, site, contents)
	return v
}

// actual is what the actual run was given when it came to a place as often as this one,
// nothing if it did not.
func (s *specHost) actual(place string) register.Value {
	n := s.came[place]
	s.came[place]++
	for _, g := range s.history.unknowns {
		if g.place != place {
			continue
		}
		if n == 0 {
			return g.value
		}
		n--
	}
	return ""
}

// inFront is a list with one of its values moved to its front.
func inFront(v register.Value, all []register.Value) []register.Value {
	i := slices.Index(all, v)
	if i <= 0 {
		return all
	}
	return slices.Insert(slices.Delete(slices.Clone(all), i, i+1), 0, v)
}

// Unknown is whatever helps: what the actual run was given, to begin with.
func (s *specHost) Unknown(site string, result int, args []register.Value) register.Value {
	if v, ok := s.history.assumedUnknown(site, result, args, nil); ok {
		return v
	}
	gave := s.actual(unknownPlace(site, result))
	if s.history.model.truths[site+"."+strconv.Itoa(result)] {
		return inFront(gave, []register.Value{register.LitTrue, register.LitFalse})[s.chooseAt(site, 2)]
	}
	all := inFront(gave, s.history.answers(site, result))
	i := s.chooseAt(site, len(all)+1)
	if i < len(all) {
		return all[i]
	}
	return register.Value("spec_" + siteType(site) + strconv.Itoa(s.at))
}

// GiveUp lets a weak cas fail if that helps.
func (s *specHost) GiveUp(int) bool {
	if s.gaveUp == maxGiveUps || s.choose(2) == 0 {
		return false
	}
	s.gaveUp++
	return true
}

// answers are what an unknown call may give that makes a difference. If the call's
// program only compares it with constants and hands it on in its results and effects, one
// of these constants or of what is found there in the end does, or anything else.
func (h *history) answers(site string, result int) []register.Value {
	place := unknownPlace(site, result)
	if all, known := h.asked[place]; known {
		return all
	}
	all := h.telling(place, site, result)
	h.asked[place] = all
	return all
}

func (h *history) telling(place, site string, result int) []register.Value {
	of, known := h.engine.asked[place]
	if !known { // it is the same for each order, and each choice in it
		of = usesOf(h.engine.problem.Region, site, result)
		h.engine.asked[place] = of
	}
	all := h.values(place)
	if !of.only {
		return all
	}
	wanted := slices.Clone(of.constants)
	for i, v := range h.out.Vals {
		if of.returned[i] {
			wanted = append(wanted, v)
		}
	}
	for _, ev := range h.out.Effects {
		if of.effects[ev.Name] {
			wanted = append(wanted, ev.Args...)
		}
	}
	kept := slices.DeleteFunc(all, func(v register.Value) bool { return !slices.Contains(wanted, v) })
	for _, v := range of.constants {
		if !slices.Contains(kept, v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// usesOf finds the constants that a result of an unknown call is compared with, and
// where it is handed on; only says that nothing else is done with it. An unknown call
// that it is given to is none the wiser.
func usesOf(p *register.Program, site string, result int) answersAsked {
	of := register.NewLocalSet(len(p.Names))
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if in := &b.Instrs[i]; in.Op == register.Unknown && in.Name == site && result < len(in.Dst) && in.Dst[result] != register.None {
				of.Add(in.Dst[result])
			}
		}
	}
	register.AddCopies(p, of)
	a := answersAsked{only: true, returned: map[int]bool{}, effects: map[string]bool{}}
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			a.instr(of, &b.Instrs[i])
		}
		for i, v := range b.Term.Vals {
			if v.Local != register.None && of.Has(v.Local) {
				a.returned[i] = true
			}
		}
		if l := b.Term.Cond.Local; b.Term.Kind == register.Branch && l != register.None && of.Has(l) {
			a.only = false
		}
	}
	return a
}

// instr notes what an instruction does with the locals in of.
func (a *answersAsked) instr(of register.LocalSet, in *register.Instr) {
	used := false
	in.Uses(func(l register.Local) { used = used || of.Has(l) })
	switch {
	case !used || in.Op == register.Copy || in.Op == register.Unknown:
	case in.Op == register.Effect:
		a.effects[in.Name] = true
	case in.Op == register.Pure && in.Name == "eq" && (in.Args[0].IsLit() || in.Args[1].IsLit()):
		for _, o := range in.Args {
			if v := register.Value(o.Lit); o.IsLit() && !slices.Contains(a.constants, v) {
				a.constants = append(a.constants, v)
			}
		}
	default:
		a.only = false
	}
}

// values are those that occur in the history: first what the unknown call at
// the place gave, then what other ones did.
func (h *history) values(place string) []register.Value {
	var all []register.Value
	add := func(vs ...register.Value) {
		for _, v := range vs {
			if v != "" && v != register.LitAbsent && !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	for _, g := range h.unknowns {
		if g.place == place {
			add(g.value)
		}
	}
	for _, g := range h.unknowns {
		add(g.value)
	}
	add(h.out.Vals...)
	for _, ev := range h.events {
		add(ev.Results...)
		add(ev.Args...)
	}
	add(h.args...)
	add(h.final...)
	return all
}

// sameOutcome reports whether two runs ended in the same way.
func sameOutcome(a, b *register.Outcome) bool {
	return a.Kind == b.Kind && a.Label == b.Label && slices.Equal(a.Vals, b.Vals) &&
		slices.Equal(effectTexts(a), effectTexts(b))
}
