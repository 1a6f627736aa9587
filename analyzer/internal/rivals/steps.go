package rivals

import (
	"go/types"
	"slices"
	"strings"
	"unique"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ownership"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
)

// Function is a function that knows which locks it holds, and where it starts
// goroutines.
type Function struct {
	*ownership.Function
	// locks are computed per cell, on demand.
	locks  map[int]*lockAnalysis
	starts *ssaprog.Starts
	// Foreign says that only other packages enter it, besides those of this one that have inlined
	// it and those that give it the address of one of the fields On.
	Foreign bool
	On      []string
	// Chosen are its extensions on what it chooses in a loop, in programs in which there is one to choose.
	Chosen []*Function
	// Renews is the function with its Renewal for its program, and fields those of that; nil if there is none.
	Renews *Function
	fields map[string]string
}

// WithRenewal is the function with its Renewal.
func WithRenewal(f *ownership.Function, starts *ssaprog.Starts, fields map[string]string) *Function {
	k := New(f, starts)
	k.fields = fields
	return k
}

func New(f *ownership.Function, starts *ssaprog.Starts) *Function {
	return &Function{Function: f, locks: map[int]*lockAnalysis{}, starts: starts}
}

func (f *Function) LockAnalysis(cell int) *lockAnalysis {
	la := f.locks[cell]
	if la == nil {
		la = newLockAnalysis(f, cell)
		f.locks[cell] = la
	}
	return la
}

// Forget drops what can be found again, of locks and of accesses: of most functions it is
// asked once, or while they are decided.
func (f *Function) Forget() {
	f.locks = map[int]*lockAnalysis{}
	f.Find.Forget()
}

// addSteps adds what the function does to the maps of the package.
func (w *World) addSteps(f *Function) {
	whole := reduce.NewWhole(f.Prog)
	for _, g := range f.Sections {
		w.addWide(f, whole, g, true)
	}
	for _, g := range f.Wide {
		w.addWide(f, whole, g, false)
	}
	for _, g := range f.Groups {
		w.addStep(f, whole, g)
	}
	for _, a := range f.Lone {
		if a.Writes {
			w.addStep(f, whole, extension.Group{Prog: f.Prog, Accesses: []*register.Access{a}, Cells: []int{a.Cell}})
		}
	}
	w.addRenewals(f)
	for _, k := range f.Chosen {
		for _, g := range k.Groups {
			w.addStep(k, reduce.NewWhole(k.Prog), g)
		}
	}
}

// addRenewals adds the steps in which a function changes entries in place: see Renewal.
func (w *World) addRenewals(f *Function) {
	k := f.Renews
	if k == nil {
		return
	}
	whole := reduce.NewWhole(k.Prog)
	for _, a := range k.Find.Accesses {
		root, fields := k.Root(a.Cell), k.renewedBy(a)
		if len(fields) == 0 || root == "" || k.Born(a.Cell) || !w.asked[root] {
			continue
		}
		s := k.newStep(whole, extension.Group{Prog: k.Prog, Accesses: []*register.Access{a}, Cells: []int{a.Cell}})
		if s != nil && !k.early(s.side, w.users) {
			s.Renews = fields
			w.renewals[root] = append(w.renewals[root], s)
		}
	}
	k.Forget()
}

// renewedBy are the fields that an access changes in place, in the program of a Renewal.
func (f *Function) renewedBy(a *register.Access) (fields []string) {
	for _, op := range a.Ops {
		in := &f.Prog.Blocks[op.Block].Instrs[op.Instr]
		if in.Op != register.Write || in.Args[0].Local == register.None {
			continue
		}
		if def := f.Prog.OnlyDef(in.Args[0].Local); def != nil && f.fields[def.Name] != "" {
			fields = append(fields, f.fields[def.Name])
		}
	}
	return fields
}

// RenewalsNear are the steps in which others change an entry in place that can be on the same map.
func (w *World) RenewalsNear(f *Function, cell int) []*Step {
	fields, _ := f.Fields(cell)
	return slices.DeleteFunc(slices.Clone(w.renewals[f.Root(cell)]), func(s *Step) bool { return w.elsewhere(s, fields) })
}

// cut makes a step of some accesses of a function, whose program is given; nil if that
// cannot be done.
func (f *Function) cut(whole *reduce.Whole, g extension.Group) *Step {
	region, err := whole.Step(g.Accesses, g.Cells)
	if err != nil {
		return nil
	}
	s := &Step{
		Fn: f.Fn, Step: absint.Step{Name: f.stepName(region), Program: region},
		Positions: f.Positions(g.Accesses), From: f, Accesses: g.Accesses,
	}
	s.fields, s.given = f.Fields(g.Accesses[0].Cell)
	s.cells = g.Cells
	for _, cell := range g.Cells {
		s.roots = append(s.roots, f.Root(cell))
	}
	return s
}

// passedNil are the numbers of the parameters of a step for which a call of the package passes nil, or of which the function asks whether they
// are once it has made the step.
func (w *World) passedNil(f *Function, g extension.Group, region *register.Program) []int {
	var out []int
	for i, l := range region.Params {
		at := slices.Index(f.Prog.Names, region.Names[l])
		if at < 0 {
			continue
		}
		param, is := f.Parameter(register.Local(at)).(*ssa.Parameter)
		if !is {
			continue
		}
		if _, pointer := param.Type().Underlying().(*types.Pointer); !pointer {
			continue
		}
		n := slices.Index(f.Fn.Params, param)
		if f.asksLater(g, register.Local(at)) || slices.ContainsFunc(w.callers(f.Fn), func(call ssa.CallInstruction) bool {
			args := call.Common().Args
			return n >= 0 && n < len(args) && calls.NilHere(args[n], call.Block())
		}) {
			out = append(out, i)
		}
	}
	return out
}

// asksLater reports whether the function asks whether a parameter is nil, and does so after it has made some accesses: what it asks before
// it makes them for, it knows.
func (f *Function) asksLater(g extension.Group, param register.Local) bool {
	after, before := false, false
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != register.Pure || in.Name != "eq" || f.N.Source(in.Args[0]) != register.L(param) || in.Args[1] != register.Lit(register.LitNil) {
				continue
			}
			at := register.Ref{Block: b, Instr: i}
			for _, a := range g.Accesses {
				before, after = before || f.Before(at, a.Start), after || f.Before(a.Start, at)
			}
		}
	}
	return after && !before
}

// addWide adds a step on several cells, which is a critical section, or else is meant to
// be one step. Where it cannot be one, it stays several, of which more is reported.
func (w *World) addWide(f *Function, whole *reduce.Whole, g extension.Group, section bool) {
	if ssaprog.IsInit(f.Fn) || len(g.Cells) > absint.MaxCells || slices.ContainsFunc(g.Cells, f.Born) {
		return
	}
	s := f.cut(whole, g)
	if s == nil || slices.Contains(s.roots, "") {
		return
	}
	s.noteLocks(f, g)
	s.Text, s.section, s.Step.Nils = StepText(s), section, w.passedNil(f, g, s.Step.Program)
	s.limits = f.Limits(g)
	if !slices.ContainsFunc(w.wide, func(o *Step) bool { return o.Text == s.Text && slices.Equal(o.roots, s.roots) }) {
		w.wide = append(w.wide, s)
	}
}

// addStep adds a step on one cell, with the locks that it holds.
func (w *World) addStep(f *Function, whole *reduce.Whole, g extension.Group) {
	cell := g.Cells[0]
	r := f.Root(cell)
	switch {
	case r == "":
		if f.Born(cell) {
			w.addNewborn(f, g)
		}
		return
	case f.Born(cell) || ssaprog.IsInit(f.Fn):
		w.addBirths(f, g.Accesses, r)
		return
	case !w.asked[r]:
		return
	}
	s := f.newStep(whole, g)
	if s == nil {
		w.open[r] = "a part of " + f.Name + " cannot be cut out"
		return
	}
	if f.early(s.side, w.users) {
		w.addBirths(f, g.Accesses, r) // others find it when they come
		return
	}
	s.Step.Nils = w.passedNil(f, g, s.Step.Program)
	w.Steps[r] = append(w.Steps[r], s)
	if begins := f.Begins(g); len(begins) > 0 && len(s.Always) == 0 {
		if b := f.newStep(whole, extension.Group{Prog: g.Prog, Accesses: begins, Cells: g.Cells}); b != nil {
			b.Step.Name, b.Step.Nils = f.Name+absint.Within, w.passedNil(f, g, b.Step.Program)
			w.begun[r] = append(w.begun[r], b)
		}
	}
}

// newStep is a step on one cell, with the locks that it holds; nil if it cannot be cut out.
func (f *Function) newStep(whole *reduce.Whole, g extension.Group) *Step {
	s := f.cut(whole, g)
	if s == nil {
		return nil
	}
	for _, a := range g.Accesses {
		s.Writes = s.Writes || a.Writes
	}
	s.noteLocks(f, g)
	s.Always = s.throughout([]int{0}, nil)
	s.Step.Locks = s.once([]int{0}, nil).Holds()
	s.Text = unique.Make(StepText(s)).Value() // whoever inlines one and the same operation has it
	s.side = f.RaceSide(g.Cells[0], g.Accesses, nil)
	return s
}

// stepName is the function's name, with a mark if the step needs to be told
// other things than the function's arguments. The locals of a step have other numbers than
// those of the function, and the same names.
func (f *Function) stepName(region *register.Program) string {
	for _, l := range region.Params {
		same := func(name string) bool { return name == region.Names[l] }
		at := slices.IndexFunc(f.Prog.Names, same)
		if at < 0 || slices.ContainsFunc(f.Prog.Names[at+1:], same) {
			return f.Name + absint.Within
		}
		if _, is := f.Parameter(register.Local(at)).(*ssa.Parameter); !is {
			return f.Name + absint.Within
		}
	}
	return f.Name
}

// StepText is the same for steps that do the same, whatever they call it.
func StepText(s *Step) string {
	return ProgramText(s.Step.Program) + s.lockText()
}

// ProgramText is the text of a program without names and positions.
func ProgramText(prog *register.Program) string {
	p := prog.Clone()
	p.Name = ""
	for l := range p.Names {
		p.Names[l] = "v" + ssaprog.Itoa(l)
	}
	for i := range p.Cells {
		p.Cells[i].Label = ""
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			blk.Instrs[i].Pos = register.Pos{}
		}
		blk.Term.Pos = register.Pos{}
	}
	return p.String()
}

// Meeting are those of some steps that can run at the same time as a call of a function, whose
// plain memory the others would race with it for.
func Meeting(steps []*Step, side *raceSide) []*Step {
	return slices.DeleteFunc(slices.Clone(steps), func(s *Step) bool { return s.side.races(side) })
}

// StepsNear are the steps on maps of the root of a function's cell that can be on the
// same map, and that some function comes to.
func (w *World) StepsNear(f *Function, cell int) []*Step {
	return w.near(f, cell, w.Steps)
}

// BegunNear are the beginnings of those steps near that leave nothing when they are over: see extension.Function.Begins.
func (w *World) BegunNear(f *Function, cell int) []*Step {
	return w.near(f, cell, w.begun)
}

func (w *World) near(f *Function, cell int, steps map[string][]*Step) []*Step {
	fields, _ := f.Fields(cell)
	return slices.DeleteFunc(w.happening(steps[f.Root(cell)]), func(s *Step) bool { return w.elsewhere(s, fields) })
}

// elsewhere reports whether a step is on another map of the same root than one that is
// a part of some fields.
func (w *World) elsewhere(s *Step, fields []string) bool {
	return w.apart(place{s.fields, s.given, s.From}, fields)
}

// place is where a map is that a function uses: see ownership.Function.Fields.
type place struct {
	fields []string
	given  bool
	// in is the function that uses it.
	in *Function
}

// apart reports whether a map is another one than one that is a part of some fields: it is
// of another field, or it is whatever other packages have when they call a method of the
// map's type, though not this field, which they cannot reach.
func (w *World) apart(p place, fields []string) bool {
	for i, field := range fields {
		switch {
		case i < len(p.fields) && p.fields[i] != field:
			return true
		case i >= len(p.fields) && p.given && slices.Contains(p.in.On, field):
			return false
		case i >= len(p.fields) && len(p.fields) > 0 && (!p.given || p.in.Foreign) && w.Closed(field):
			return true
		}
	}
	return false
}

// bind gives the step's keys, its maps, and what the maps were reached from, the
// region's: step.Cells[i] is region.Cells[cells[i]], or none of them.
func bind(step, region *register.Program, cells []int) []int {
	same := newBinding(register.Number(step), register.Number(region), step, region, cells).same
	out := make([]int, len(step.Params))
	for i, p := range step.Params {
		out[i] = -1
		if l, ok := same[p]; ok {
			out[i] = slices.Index(region.Params, l)
		}
	}
	return out
}

// binding says which locals of a step are which of a region, where they are on the same cells: the keys, and what the
// maps are reached from. That is certain of what a map, or an object on the way to it, is a part of; what only points
// there may be another one that points to the same.
type binding struct {
	step, region  *register.Program
	own, theirs   *register.Numbering
	same, certain map[register.Local]register.Local
}

// maxPath bounds what a map is reached by.
const maxPath = 12

func newBinding(own, theirs *register.Numbering, step, region *register.Program, cells []int) *binding {
	b := &binding{
		step: step, region: region, own: own, theirs: theirs,
		same: map[register.Local]register.Local{}, certain: map[register.Local]register.Local{},
	}
	for i, cell := range cells {
		if cell < 0 {
			continue
		}
		b.pair(step.Cells[i].Key, region.Cells[cell].Key, true)
		x, y, part := step.Cells[i].Map, region.Cells[cell].Map, true
		for range maxPath {
			x, y = b.own.Source(x), b.theirs.Source(y)
			b.pair(x, y, part)
			f, _ := b.own.Def(x)
			g, _ := b.theirs.Def(y)
			if f == nil || g == nil || f.Name != g.Name || len(f.Args) != 1 || len(g.Args) != 1 {
				break
			}
			x, y, part = f.Args[0], g.Args[0], part && strings.HasPrefix(f.Name, "&")
		}
	}
	return b
}

func (b *binding) pair(own, theirs register.Operand, certain bool) {
	if own.Local == register.None || theirs.Local == register.None {
		return
	}
	b.same[own.Local] = theirs.Local
	if certain {
		b.certain[b.own.Source(own).Local] = b.theirs.Source(theirs).Local
	}
}

// contradicts reports whether a cell that is to be none of the region's is one: it is reached in the same way from
// what is certain to be the region's.
func (b *binding) contradicts(cells []int) bool {
	for i, cell := range cells {
		c := &b.step.Cells[i]
		if cell < 0 && slices.ContainsFunc(b.region.Cells, func(d register.Cell) bool {
			return c.Kind == d.Kind && b.equal(c.Map, d.Map, maxPath) && (c.Key.IsNone() && d.Key.IsNone() || b.equal(c.Key, d.Key, maxPath))
		}) {
			return true
		}
	}
	return false
}

// equal reports whether two values are certain to be one.
func (b *binding) equal(own, theirs register.Operand, depth int) bool {
	own, theirs = b.own.Source(own), b.theirs.Source(theirs)
	if own.IsLit() || theirs.IsLit() || own.IsNone() || theirs.IsNone() {
		return own == theirs && own.IsLit()
	}
	if is, bound := b.certain[own.Local]; bound && is == theirs.Local {
		return true
	}
	f, _ := b.own.Def(own)
	g, _ := b.theirs.Def(theirs)
	if depth == 0 || f == nil || g == nil || f.Op != register.Pure || g.Op != register.Pure || f.Name != g.Name || f.Type != g.Type || len(f.Args) != len(g.Args) || len(f.Dst) > 1 || len(f.Args) == 0 {
		return false
	}
	for i := range f.Args {
		if !b.equal(f.Args[i], g.Args[i], depth-1) {
			return false
		}
	}
	return true
}

// eviction is a library's own removal of an entry.
func eviction(cell register.Cell) absint.Step {
	cell.Map, cell.Key = register.Lit("&evicting"), register.NoOperand
	if cell.Kind == register.Map {
		cell.Key = register.Str("")
	}
	return absint.Step{
		Name: "the library's own eviction",
		Program: &register.Program{
			Name:  "eviction",
			Cells: []register.Cell{cell},
			Blocks: []*register.Block{{
				Instrs: []register.Instr{{Op: register.Write, Dst: []register.Local{register.None, register.None}, Args: []register.Operand{register.Absent}}},
				Term:   register.Term{Kind: register.Return},
			}},
		},
		Cells: []int{0}, Bind: []int{},
	}
}

// Left is what those steps leave in a cell that do not interrupt the call: they may
// have been made before it.
func Left(all, rivals []*Step) []register.Value {
	var out []register.Value
	for _, s := range all {
		if !s.Writes || slices.Contains(rivals, s) {
			continue
		}
		for _, blk := range s.Step.Program.Blocks {
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				if in.Op != register.Write && in.Op != register.CAS {
					continue
				}
				v, val := absint.Anything, in.Args[len(in.Args)-1]
				if val.IsLit() {
					v = register.Value(val.Lit)
				}
				if val != register.Absent && !slices.Contains(out, v) {
					out = append(out, v)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// Respected reports whether every writer among the steps holds the lock in a way
// that excludes whoever holds it as held.
func Respected(steps []*Step, key string, held heldLock) bool {
	for _, s := range steps {
		if h, ok := s.Always[key]; s.Writes && (!ok || !h.Exclusive && !held.Exclusive) {
			return false
		}
	}
	return true
}

// Alone reports whether whoever writes to a cell, here or in one of the steps, holds the lock and no other one. Then those who
// look have to hold it as well: of two locks that all who write hold they may take either.
func Alone(key string, accesses []*register.Access, sets []LockSet, steps []*Step) bool {
	only := func(locks LockSet) bool {
		_, held := locks[key]
		return held && len(locks) == 1
	}
	for i, a := range accesses {
		if a.Writes && !only(sets[i]) {
			return false
		}
	}
	return !slices.ContainsFunc(steps, func(s *Step) bool {
		return s.Writes && (len(s.at) == 0 || slices.ContainsFunc(s.at, func(a accessLocks) bool { return a.writes && !only(a.locks) }))
	})
}

// visited reports whether a key is that of the entry to which a loop over a map has come.
func (f *Function) visited(key register.Operand) bool {
	if key.IsLit() {
		return false
	}
	def := f.Prog.OnlyDef(f.N.Source(key).Local)
	return def != nil && def.Memory().Kind == register.Visited
}

// stored is what an operation puts into a cell.
func (f *Function) stored(op register.Ref) (register.Operand, bool) {
	in := &f.Prog.Blocks[op.Block].Instrs[op.Instr]
	if in.Op != register.Write && in.Op != register.CAS {
		return register.NoOperand, false
	}
	return in.Args[len(in.Args)-1], true
}

// writesAt reports whether an operation stores something.
func (f *Function) writesAt(op register.Ref) bool {
	_, ok := f.stored(op)
	return ok
}
