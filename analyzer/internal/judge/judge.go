package judge

import (
	"fmt"
	"go/token"
	"slices"
	"time"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/config"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
)

// Judge decides the extensions of a package.
type Judge struct {
	Env    config.EnvMode
	World  *rivals.World
	Source *source
	// Apart, if it is not nil, says which steps are taken not to interrupt
	// anything: see excuse.
	Apart func(*rivals.Step) bool
	// Keeps says that no map drops entries by itself.
	Keeps bool
	// Unclassed says that only verdicts are asked for, without categories and assumptions.
	Unclassed bool
	// newer says that it is about an entry that somebody has put in the place of another one.
	newer bool
	// renewing says that others also change entries in place.
	renewing bool
	// Known, if it is not nil, is a violation that was found before some steps were set
	// apart: it stands if none of them is in it.
	Known *Finding
	// allowance is that of the package, and memo what was found of its programs.
	allowance *allowance
	memo      *absint.Memo
}

// New makes the judge of a package, of which deciding may cost so much in sum; 0 is the
// default. How many instructions its programs have is a part of that.
func New(ps *ssaprog.Programs, env config.EnvMode, w *rivals.World, budget, instructions int) *Judge {
	return &Judge{Env: env, World: w, Source: &source{pass: ps.Pass, res: ps.Res}, allowance: newAllowance(budget, instructions), memo: &absint.Memo{}}
}

// glanceBudget is for looks at an atomic without a write: they are hardly ever
// meant to be one step.
var glanceBudget = absint.Budget{Configurations: 1600, Work: 160_000}

// wideBudget is for one way in which the keys of several cells can be equal.
var wideBudget = absint.Budget{Configurations: 4000, Work: 400_000, Spurious: 5}

// briefBudget is for what comes when a good part of the package's budget is used up: all
// of it is looked at, and what is left is for what this does not decide.
var briefBudget = absint.Budget{Configurations: 400, Work: 20_000, Spurious: 3}

// enoughWork is what deciding one sequence may have cost if another way in which keys can be
// equal, or another part, is begun.
const enoughWork = 800_000

// maxUndecided is how many ways in which keys can be equal may be left open: what took too
// long three times does so again.
const maxUndecided = 3

// Decide decides whether a group of accesses is one atomic step, of one cell or of
// several. What goes wrong here leaves this one group undecided.
func (j *Judge) Decide(f *rivals.Function, g extension.Group) *Finding {
	x := j.decide(f, g, j.allowance.short())
	x.Brief = x.Brief && x.Verdict == absint.Unknown
	return x
}

// DecideAtLength is Decide for what it has left undecided after a brief look.
func (j *Judge) DecideAtLength(f *rivals.Function, g extension.Group) *Finding {
	return j.decide(f, g, false)
}

func (j *Judge) decide(f *rivals.Function, g extension.Group, brief bool) (x *Finding) {
	began := time.Now()
	x = &Finding{In: f, Group: g, Several: len(g.Cells) > 1, Brief: brief}
	defer func() {
		if r := recover(); r != nil {
			x.Verdict, x.Category, x.Witness = absint.Unknown, "", nil
			x.Reason = fmt.Sprintf("internal error: %v", r)
		}
		x.Elapsed = time.Since(began)
	}()
	j.describe(x, f, g)
	if len(g.Cells) > absint.MaxCells {
		x.Reason = absint.TooManyCells(len(g.Cells))
		if j.inParts(x); x.Verdict == absint.Unknown {
			j.inRuns(x)
		}
		return x
	}
	if j.atOnce(x, wideBudget); x.Verdict == absint.Unknown && x.Several {
		j.inParts(x)
	}
	if y := j.replaced(x); y != nil {
		return y
	}
	if crossed, is := f.Crossed(g); is && x.Verdict == absint.Verified && !x.Several {
		return j.decide(f, crossed, brief)
	}
	if x.Verdict == absint.Verified && x.Assumption == absint.AnotherVariable {
		return j.beside(x)
	}
	return x
}

// beside is what is found with the other variables in it by which the step goes, if possible where these stay as they are; the
// finding itself if that is not known.
func (j *Judge) beside(x *Finding) *Finding {
	with, is := x.In.Beside(x.Group)
	if !is || len(with.Cells) > absint.MaxCells {
		return x
	}
	y := j.decide(x.In, with, x.Brief)
	if y.Verdict == absint.Unknown {
		return x
	}
	root := x.In.Root(x.Group.Cells[0])
	other := func(s *rivals.Step) bool { return !s.WritesAt(root) }
	if y.Verdict == absint.Violation && y.Environment == absint.Package && j.Apart == nil {
		if still := j.without(y, other); still != nil {
			return still.among(y)
		}
	}
	return y
}

// replaced is a violation of an entry that a call takes away as its own, with nobody beside it who only takes
// entries away: where it is wrong without them, somebody loses a newer one, while what somebody else has taken away
// before is nothing to lose. It is nil if that is not so.
func (j *Judge) replaced(x *Finding) *Finding {
	if x.Verdict != absint.Violation || !x.In.Kept || x.Environment != absint.Package || j.Apart != nil {
		return nil
	}
	return j.withPuts(x)
}

// Newer is the same of an entry that is nobody's own, and that was gone when the call came to take it away.
func (j *Judge) Newer(x *Finding) *Finding {
	if x.Verdict != absint.Violation || x.In.Kept || x.Environment != absint.Package || j.Apart != nil || !x.removesGone() {
		return nil
	}
	if y := j.withPuts(x); y != nil && y.Category == absint.StaleDelete && !y.removesGone() {
		return y.among(x)
	}
	return nil
}

// Taken is a violation in which two take away one entry, with nobody beside them who puts another one there: under a key
// that was drawn nobody does. It is nil if a step on one map that takes entries away is right without those.
func (j *Judge) Taken(x *Finding) *Finding {
	if x.Verdict != absint.Violation || x.In.Kept || x.Environment != absint.Package || j.Apart != nil || x.Several || x.Category != absint.StaleDelete {
		return nil
	}
	if y := j.without(x, (*rivals.Step).Puts); y != nil {
		return y.among(x)
	}
	return nil
}

// Renewed is a violation of a step on one map that takes entries away, by those alone who change in place what it has looked at in an
// entry: it is right, or less sure, by what else others do. It is nil if that is not so.
func (j *Judge) Renewed(x *Finding) *Finding {
	g := x.Group
	if x.Several || x.Environment != absint.Package || j.Apart != nil || x.In.Kept {
		return nil
	}
	looks := x.goesByFields()
	if !slices.ContainsFunc(j.World.RenewalsNear(x.In, g.Cells[0]), func(s *rivals.Step) bool { return !leavesAlone(s, looks) }) {
		return nil
	}
	y := j.Renewing().without(x, func(s *rivals.Step) bool { return leavesAlone(s, looks) })
	if y != nil {
		y.Looks = looks
	}
	return y
}

// LeavesOut reports whether a step is none of those by whom a finding is: see Renewed.
func (x *Finding) LeavesOut(s *rivals.Step) bool { return len(x.Looks) > 0 && leavesAlone(s, x.Looks) }

// leavesAlone reports whether a step changes none of some fields in place.
func leavesAlone(s *rivals.Step, fields []string) bool {
	return !slices.ContainsFunc(s.Renews, func(field string) bool { return slices.Contains(fields, field) })
}

// Renewing is a judge for whom others change entries in place.
func (j *Judge) Renewing() *Judge {
	of := *j
	of.renewing = true
	return &of
}

// goesByFields are the fields that the region looks at in what it has found, if it takes an entry away.
func (x *Finding) goesByFields() (fields []string) {
	if x.Region == nil {
		return nil
	}
	found, takes := register.FoundIn(x.Region), false
	for _, blk := range x.Region.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			takes = takes || in.Op == register.Write && in.Args[0] == register.Absent
			if m := in.Memory(); m.IsField() && !m.Writes && len(in.Args) > 0 && in.Args[0].Local != register.None && found.Has(in.Args[0].Local) {
				fields = append(fields, m.Name)
			}
		}
	}
	if !takes {
		return nil
	}
	return fields
}

// among is a finding with all who can come in between in another one: what they do says what the keys are.
func (x *Finding) among(all *Finding) *Finding {
	x.Rivals = all.Rivals
	return x
}

// withPuts is a violation by those alone who put entries there; nil if there is none.
func (j *Judge) withPuts(x *Finding) *Finding {
	return j.without(x, func(s *rivals.Step) bool { return !s.Puts() })
}

// without is a violation that others make without some of the steps that come in between; nil if there is none.
func (j *Judge) without(x *Finding, apart func(*rivals.Step) bool) (y *Finding) {
	began := time.Now()
	defer func() {
		if recover() != nil { // what is known without it stays
			y = nil
		}
	}()
	y = &Finding{In: x.In, Group: x.Group, Several: x.Several, Brief: x.Brief}
	j.describe(y, x.In, x.Group)
	of := *j
	of.newer, of.Apart = true, apart
	if of.atOnce(y, wideBudget); y.Verdict != absint.Violation {
		return nil
	}
	y.Elapsed = x.Elapsed + time.Since(began)
	return y
}

// lookIsRemoval makes a violation at a look one at what that takes away, if it only asks whether there is something: whose
// that is, it does not ask.
func (x *Finding) lookIsRemoval() {
	w, region := x.Witness, x.Region
	if x.Several || x.Category != absint.InconsistentRead || w.Breaking < 0 || w.Breaking+1 >= len(w.Events) || w.Events[w.Breaking+1].Other {
		return
	}
	look, next, n := &w.Events[w.Breaking], &w.Events[w.Breaking+1], register.Number(region)
	for b, blk := range region.Blocks {
		for i := range blk.Instrs {
			if blk.Instrs[i].Op != register.Read || blk.Instrs[i].Pos != look.Pos || next.Pos == look.Pos {
				continue
			}
			at, ok := register.Removal(region, n, register.Ref{Block: b, Instr: i})
			if ok && region.Blocks[at.Block].Instrs[at.Instr].Pos == next.Pos {
				removes := *w
				removes.Breaking++
				x.Category, x.Witness = absint.StaleDelete, &removes
				return
			}
		}
	}
}

// removesGone reports whether a step on one map takes an entry away and finds in the witness, where it breaks, that there is none.
func (x *Finding) removesGone() bool {
	w := x.Witness
	if x.Several || w == nil || w.Breaking < 0 || x.Region.Cells[0].Kind != register.Map {
		return false
	}
	if x.Category != absint.StaleDelete && x.Category != absint.InconsistentRead {
		return false
	}
	ev := &w.Events[w.Breaking]
	return len(ev.Results) == 2 && ev.Results[1] == register.LitFalse && slices.ContainsFunc(x.Group.Accesses, func(a *register.Access) bool {
		last := a.Ops[len(a.Ops)-1]
		in := &x.In.Prog.Blocks[last.Block].Instrs[last.Instr]
		return in.Op == register.Write && in.Args[0] == register.Absent
	})
}

// atOnce decides a group of which all cells are followed, within a budget for each way in
// which the keys of several can be equal.
func (j *Judge) atOnce(x *Finding, wide absint.Budget) {
	c, g := j.newContest(x), x.Group
	c.wide = wide
	prog, names := c.nameLocks()
	region, start, err := reduce.NewWhole(prog).Region(g.Accesses, g.Cells)
	if err != nil {
		x.Reason = err.Error()
		return
	}
	if j.Keeps {
		region = keeping(region)
	}
	x.Region, c.start = region, start
	c.locks = rivals.Locking{Names: names, Held: c.everHeld(names)}
	if c.locked() {
		x.Verdict, x.Assumption = absint.Verified, absint.Locked
		return
	}
	if err := c.explore(); err != nil {
		x.Verdict, x.Reason = absint.Unknown, err.Error()
	}
	if err := c.amid(); err != nil {
		x.Verdict, x.Reason = absint.Unknown, err.Error()
	}
	if err := c.seldom(); err != nil {
		x.Verdict, x.Reason = absint.Unknown, err.Error()
	}
	if x.Verdict == absint.Verified && x.Several && moves(region) {
		x.Verdict, x.Reason = absint.Unknown, "which cells they are depends on what it finds in others"
	}
	if x.Verdict == absint.Verified && !c.Unclassed {
		c.assume()
	}
	if why := c.broken(); why != "" && x.Verdict == absint.Violation {
		x.Verdict, x.Category, x.Witness, x.Reason = absint.Unknown, "", nil, why
	}
}

// broken is the internal error by which it is not known what the package does to one of the maps: what
// is right whatever others do is right all the same.
func (c *contest) broken() string {
	for _, root := range c.roots {
		if why := c.World.Broken(root); why != "" && c.Env != config.EnvOpen {
			return why
		}
	}
	return ""
}

// keeping is a region with maps that drop no entries by themselves.
func keeping(region *register.Program) *register.Program {
	p := *region
	p.Cells = slices.Clone(region.Cells)
	for i := range p.Cells {
		p.Cells[i].Evicts = false
	}
	return &p
}

// contest is a group and what others do meanwhile to each of its cells.
type contest struct {
	*Judge
	x     *Finding
	roots []string
	// sets are the locks at each access, as seen from each cell, locks what they are
	// called, and start the place where the region begins.
	sets  [][]rivals.LockSet
	locks rivals.Locking
	start register.Ref
	wide  absint.Budget
	// near are the steps on the same map, all those of them that can run at the same time,
	// and others those that are not the same goroutine's. Apart are the names of those that
	// are set apart.
	near, all, others [][]*rivals.Step
	apart             map[string]bool
	// begun are what those others have begun that leave nothing when they are over.
	begun [][]*rivals.Step
	// apiece says that each cell has an environment of its own: what others can do to one of which they do not know the map
	// is what the package does, though they can do to another one what they like.
	apiece bool
	// rarely says that others also do what takes more to happen: see rivals.World.RareSteps.
	rarely bool
	// rare is how many steps of the last problem these are.
	rare int
}

func (j *Judge) newContest(x *Finding) *contest {
	f, g := x.In, x.Group
	c := &contest{Judge: j, x: x, apart: map[string]bool{}}
	x.Environment = absint.Package
	for _, cell := range g.Cells {
		r := f.Root(cell)
		if j.Apart == nil && j.environment(r) == absint.Open { // what others could do is not what they do
			x.Environment = absint.Open
		}
		sets := j.World.LockSets(f, cell, g)
		near := j.World.StepsNear(f, cell)
		if j.renewing {
			near = slices.Concat(near, j.World.RenewalsNear(f, cell))
		}
		side := f.RaceSide(cell, g.Accesses, sets[0].Entered())
		all := rivals.Meeting(near, side)
		others := j.World.Others(all, f.Positions(g.Accesses))
		var begun []*rivals.Step
		if !f.Kept { // its own entry is what is there meanwhile
			begun = j.World.Others(rivals.Meeting(j.World.BegunNear(f, cell), side), f.Positions(g.Accesses))
		}
		if f.Kept {
			others = slices.DeleteFunc(slices.Clone(others), func(s *rivals.Step) bool {
				return startedBy(f, g, s) || f.Leased && j.World.Releases(s) || f.Later && s.Puts() && s.StopsFirst()
			})
		}
		if j.Apart != nil {
			others, begun = slices.DeleteFunc(slices.Clone(others), c.setApart), slices.DeleteFunc(slices.Clone(begun), c.setApart)
		}
		c.begun = append(c.begun, begun)
		c.roots, c.sets = append(c.roots, r), append(c.sets, sets)
		c.near, c.all, c.others = append(c.near, near), append(c.all, all), append(c.others, others)
	}
	return c
}

// setApart reports whether a step is taken not to interrupt anything, and notes its name.
func (c *contest) setApart(s *rivals.Step) bool {
	is := c.Apart(s)
	if is {
		c.apart[s.Step.Name] = true
	}
	return is
}

// knownStands reports whether the known violation is one of this problem: nothing in it is set
// apart, and its cells can hold what they hold there when the call begins.
func (c *contest) knownStands(p absint.Problem) bool {
	k := c.Known
	if k == nil || k.Witness == nil || k.Several || c.x.Several || k.Environment != absint.Package {
		return false
	}
	for _, ev := range k.Witness.Events {
		if ev.Other && c.apart[ev.Name] {
			return false
		}
	}
	first := k.Witness.Initial[0].Value
	cell := &p.Region.Cells[0]
	empty := register.Value(cell.Zero)
	if cell.Kind == register.Map {
		empty = register.LitAbsent
	}
	return first == empty || slices.Contains(p.Initial[0], first) || slices.Contains(p.Initial[0], absint.Anything)
}

// startedBy reports whether a step is what the call has run later itself, as a part of
// it. What puts an entry there is no part of it, but another call, by whoever contains the function.
func startedBy(f *rivals.Function, g extension.Group, s *rivals.Step) bool {
	own := f.Positions(g.Accesses)
	return s.Fn != f.Fn && !s.Puts() && !slices.ContainsFunc(s.Positions, func(pos register.Pos) bool { return !slices.Contains(own, pos) })
}

// explore tries each way in which keys can be equal.
func (c *contest) explore() error {
	x, region := c.x, c.x.Region
	x.Verdict = absint.Verified
	undecided, from := 0, c.allowance.spent
	for _, into := range c.mergings() {
		if c.allowance.spent-from > enoughWork {
			if x.Verdict == absint.Verified {
				x.Verdict, x.Reason = absint.Unknown, "too many cases to tell apart"
			}
			return nil
		}
		p := c.problem(rivals.Merge(region, into), into)
		if c.rarely && c.rare == 0 {
			continue // it is verified already
		}
		if c.knownStands(p) {
			x.Verdict = absint.Violation
			return nil
		}
		p, res, err := c.answer(p, into)
		if err != nil {
			return err
		}
		switch res.Verdict {
		case absint.Verified:
		case absint.Unknown:
			if x.Verdict == absint.Verified {
				x.Verdict, x.Reason = res.Verdict, res.Reason
			}
			if undecided++; undecided == maxUndecided {
				return nil
			}
		case absint.Violation:
			x.Verdict, x.Reason, x.Region = res.Verdict, res.Reason, p.Region
			x.Category, x.Witness, x.Transient = res.Category, res.Witness, res.Transient
			if c.Unclassed {
				return nil
			}
			if m := c.mild(p); m != "" && milder(m, x.Category) {
				x.Category = m
			}
			x.Problem, x.Rivals = p, c.others[0]
			if x.In.Kept || c.newer {
				x.lookIsRemoval()
			}
			c.blame(x)
			return nil
		}
	}
	if n := len(region.Cells); n > absint.MaxCells && x.Verdict == absint.Verified { // of so many not all ways have been tried
		x.Verdict, x.Reason = absint.Unknown, absint.TooManyCells(n)
	}
	return nil
}

// answer is what is found of a problem, and of which one, as it may be another one by then.
func (c *contest) answer(p absint.Problem, into []int) (absint.Problem, absint.Result, error) {
	q := p
	q.NoWrap = true
	res, err := c.Check(q)
	c.x.Configurations += res.Configurations
	c.x.unwrapped = c.x.unwrapped || res.Unwrapped
	if err == nil && res.Verdict == absint.Violation {
		p, res, err = c.overPart(p, into, res)
	}
	if err != nil || res.Verdict != absint.Verified {
		return p, res, err
	}
	if p, res, err = c.asked(p, res); err == nil && res.Verdict == absint.Violation {
		p, res, err = c.overPart(p, into, res)
	}
	return p, res, err
}

// closed reports whether others do no more than the package does, to some of the cells at least.
func (c *contest) closed() bool { return c.x.Environment == absint.Package || c.apiece }

// mergings are the ways in which keys can be equal, the first of them where there are too many cells to look at all.
func (c *contest) mergings() [][]int {
	if n := len(c.x.Region.Cells); n > absint.MaxCells {
		own := make([]int, n)
		for i := range own {
			own[i] = i
		}
		return [][]int{own}
	}
	return rivals.Mergings(c.x.Region, c.roots)
}

// amid explores what is verified so far while others are amid what leaves nothing when it is over: two calls that look for a mark,
// put it there, work and take it away would never meet one if each of them were made at once.
func (c *contest) amid() error {
	if c.x.Verdict != absint.Verified || !c.closed() || !slices.ContainsFunc(c.begun, func(b []*rivals.Step) bool { return len(b) > 0 }) {
		return nil
	}
	d, x := *c, *c.x
	d.x, d.near, d.others = &x, nil, nil
	for i, begun := range c.begun {
		d.near, d.others = append(d.near, slices.Concat(c.near[i], begun)), append(d.others, slices.Concat(c.others[i], begun))
	}
	if err := d.explore(); err != nil || x.Verdict != absint.Violation {
		return err
	}
	*c.x, c.others = x, d.others
	return nil
}

// seldom explores what is verified so far with what others do seldom. What breaks without that is told without it:
// it takes less to happen.
func (c *contest) seldom() error {
	if c.x.Verdict != absint.Verified || !c.closed() || !c.x.Several {
		return nil
	}
	c.rarely = true
	return c.explore()
}

// problem is that of a region in which some cells are one: into says which.
func (c *contest) problem(region *register.Program, into []int) absint.Problem {
	if c.x.Environment == absint.Package {
		c.World.Count(c.x.In, region)
	}
	register.CountEntries(region)
	p := absint.Problem{Region: region, Env: c.x.Environment, Unclassed: c.Unclassed, Drawn: storesDrawn(c.x.In, c.x.Group), Handed: true}
	p.Held = c.held(c.locks.Names)
	if c.locks.Names != nil {
		p.Guards = rivals.Pick(c.guards(), into)
	}
	switch {
	case c.x.Several:
		p.Budget = c.wide
	case region.Cells[0].Kind == register.Atomic && !writes(c.x.Group.Accesses):
		p.Budget = glanceBudget
	}
	if c.x.Brief {
		p.Budget = briefBudget
	}
	if p.Env != absint.Package && !c.apiece {
		return p
	}
	if c.apiece {
		p.Env, p.Guards = absint.Package, rivals.Pick(c.guards(), into)
		for _, root := range rivals.Pick(c.roots, into) {
			p.Anyone = append(p.Anyone, c.environment(root) == absint.Open)
		}
	}
	roots, near, others := rivals.Pick(c.roots, into), rivals.Pick(c.near, into), rivals.Pick(c.others, into)
	p.Steps = c.World.StepsUnder(c.lockingOf(into), region, roots, others)
	if c.rarely {
		rare := c.World.RareSteps(c.lockingOf(into), region, roots, p.Steps)
		p.Steps, c.rare = append(p.Steps, rare...), len(rare)
	}
	p.Initial = c.World.Initial(region, roots)
	for i := range region.Cells {
		p.Initial[i] = append(p.Initial[i], rivals.Left(near[i], others[i])...)
		if c.x.In.Kept { // what the call has stored there itself
			p.Initial[i] = append(p.Initial[i], absint.Anything)
		}
	}
	if !c.x.Several {
		p.Initial[0] = append(p.Initial[0], rivals.Reached(region, p.Steps, p.Initial[0])...)
	}
	return p
}

// environment chooses the environment of a map.
func (j *Judge) environment(root string) absint.Environment {
	switch {
	case j.Env == config.EnvOpen, j.Env == config.EnvAuto && !j.World.Closed(root), j.World.Broken(root) != "":
		return absint.Open
	}
	return absint.Package
}

// describe fills in what is known of an extension before it is decided.
func (j *Judge) describe(x *Finding, f *rivals.Function, g extension.Group) {
	var maps, keys []string
	for _, cell := range g.Cells {
		c := f.Prog.Cells[cell]
		maps = append(maps, f.N.Shown(c.Map))
		if !c.Key.IsNone() {
			keys = append(keys, f.N.Shown(c.Key))
		}
	}
	x.Map, x.Key = listed(maps), listed(keys)
	x.Guard, x.GuardFound = guardOf(f, g)
	seen := map[register.Pos]bool{}
	for _, pos := range f.Positions(g.Accesses) {
		if !seen[pos] {
			seen[pos] = true
			x.Operations = append(x.Operations, j.Source.operation(pos))
		}
	}
	for _, pos := range f.Positions(f.Begins(g)) {
		x.Begins = append(x.Begins, j.Source.operation(pos))
	}
	slices.SortStableFunc(x.Operations, func(a, b ssaprog.Operation) int { return j.Source.Order(a.Pos, b.Pos) })
	x.Pos, x.End = x.Operations[0].Pos, x.Operations[0].End
	x.Lines = j.Source.lines(f.Fn, x.Operations)
}

// guardOf is the lock that is taken where the critical section of an access begins, and whether it is of what another one has found.
func guardOf(f *rivals.Function, g extension.Group) (name string, found bool) {
	for _, a := range g.Accesses {
		blk := f.Prog.Blocks[a.Start.Block]
		if i := a.Start.Instr - 1; i >= 0 && f.Prog.Cells[a.Cell].Guarded && blk.Instrs[i].Op == register.Lock {
			lock := blk.Instrs[i].Args[0]
			found = slices.ContainsFunc(g.Accesses, func(look *register.Access) bool {
				return f.Find.Influence(slices.Index(f.Find.Accesses, look)).Reads([]register.Operand{lock})
			})
			if f.N.IsHidden(lock) {
				return "the lock of " + f.N.Shown(lock), found
			}
			return f.N.Shown(lock), found
		}
	}
	return "", false
}

func writes(accesses []*register.Access) bool {
	return slices.ContainsFunc(accesses, func(a *register.Access) bool { return a.Writes })
}

// blame points the extension at the operation that breaks atomicity.
func (j *Judge) blame(x *Finding) {
	w := x.Witness
	if w.Breaking >= 0 {
		if op := j.Source.operation(w.Events[w.Breaking].Pos); op.Pos != token.NoPos {
			x.Pos, x.End = op.Pos, op.End
		}
	}
}
