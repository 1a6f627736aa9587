package rivals

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ownership"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// World says of each map of a package whether it can be reached from
// outside, and what the package does to it.
type World struct {
	// open has the reason for each root that is not closed.
	open map[string]string
	// broken are those that are open because of an internal error.
	broken map[string]string
	// Steps are what the package does to the maps of a root.
	Steps map[string][]*Step
	// begun are the beginnings of those that leave nothing, by root.
	begun map[string][]*Step
	// together are the answers of BelongTogether, and flags those of onlySet.
	together map[[2]string]bool
	flags    map[string]bool
	// renewals are the steps in which entries are changed in place, by root: see Function.Renewal.
	renewals map[string][]*Step
	// births are what constructors store in the maps of a root, under "" in those of which
	// it is not known where they end up. byPointer has the roots of maps that were put
	// somewhere by a pointer: they can be of those.
	births    map[string][]birth
	byPointer map[string]bool
	// wide are its steps on several cells.
	wide []*Step
	// solo has the operations that one goroutine makes on an object: see
	// FindSolo.
	solo map[register.Pos]*ssa.Function
	// callers are the calls of a function in the package.
	callers func(*ssa.Function) []ssa.CallInstruction
	// starts are the go statements by which one is started, and what else starts it beside.
	starts func(*ssa.Function) []ssa.CallInstruction
	// users are the functions that access a field, by its name.
	users map[string][]*ssa.Function
	// Unique are the fields that are another one in each object.
	Unique map[string]bool
	entry  entryLocks
	// asked are the roots of cells that some extension is about.
	asked map[string]bool
	// outer are the functions, and changes has the answers of findChanges by
	// root and fields.
	outer   []*Function
	changes map[string]*changes
	// constants are the steps that store constants, by those that they are of: see constant.
	constants map[*Step]*Step
	// alike are the ways in which keys of a step on several entries are equal.
	alike map[*Step][]*Step
	// ends are the removals of entries by those who have put them there: see Releases.
	ends map[register.Pos]bool
}

// NewWorld finds out what the functions of a package do to its maps. Outer are
// those that can be entered from outside of the ones that inline them: together
// they are all that the package does. Keeps are functions that are only asked about.
func NewWorld(ps *ssaprog.Programs, all, outer, keeps []*Function) *World {
	w := &World{
		together: map[[2]string]bool{}, flags: map[string]bool{},
		broken: map[string]string{}, Steps: map[string][]*Step{}, begun: map[string][]*Step{}, renewals: map[string][]*Step{}, births: map[string][]birth{}, byPointer: map[string]bool{},
		users: fieldUsers(ps.Funcs), Unique: ownership.UniqueFields(ps.Funcs), entry: entryLocks{},
		callers: ps.Callers, starts: ps.Starts, outer: outer, changes: map[string]*changes{}, constants: map[*Step]*Step{}, alike: map[*Step][]*Step{}, ends: map[register.Pos]bool{},
	}
	for _, k := range keeps {
		if k.Kept {
			w.ends[k.End] = true
		}
	}
	roots := map[string]bool{}
	w.asked = askedRoots(all, keeps)
	for _, f := range all {
		for cell := range f.Prog.Cells {
			if r := f.Root(cell); r != "" {
				roots[r] = true
				w.byPointer[r] = w.byPointer[r] || f.ByPointer(cell)
			}
			fields, _ := f.Fields(cell)
			for _, field := range fields {
				roots[field] = true
			}
		}
	}
	w.open = ownership.FindOpen(ps, roots)
	w.addGuarded(ps, roots)
	w.solo = ownership.FindSolo(ps, ownersOf(outer))
	ownership.SetOwned(ps, ownersOf(all))
	for _, f := range outer {
		err := ssaprog.Protect(f.Fn, func() error {
			w.addSteps(f)
			w.entry.addFunction(f)
			f.Forget()
			return nil
		})
		if err != nil { // what it does to its maps is not known
			for _, a := range f.Find.Accesses {
				w.unknown(f.Root(a.Cell), err)
				w.entry.addAccess(f, a, LockSet{})
			}
		}
	}
	w.addEmptied()
	return w
}

// askedRoots are the roots of the cells that some extension is about: of no others does
// it matter what others do to them.
func askedRoots(lists ...[]*Function) map[string]bool {
	asked := map[string]bool{}
	for _, fns := range lists {
		for _, f := range fns {
			for _, groups := range [][]extension.Group{f.Groups, f.Wide} {
				for _, g := range groups {
					with := g
					if err := ssaprog.Protect(f.Fn, func() error { with, _ = f.Beside(g); return nil }); err != nil {
						with = g
					}
					for _, cell := range with.Cells {
						asked[f.Root(cell)] = true
					}
				}
			}
		}
	}
	return asked
}

func ownersOf(fns []*Function) []*ownership.Function {
	out := make([]*ownership.Function, len(fns))
	for i, f := range fns {
		out[i] = f.Function
	}
	return out
}

// Step is a step in function form's terms: the key that it is on tells
// whether it can concern a region.
type Step struct {
	Fn   *ssa.Function
	Step absint.Step
	// cells are those of the function that it is cut out of, and roots those of their maps.
	cells []int
	roots []string
	Text  string
	// accesses are where it is from, so that a region is not surprised by
	// a part of itself.
	Positions []register.Pos
	// at are the locks at each of its accesses, and Always those that it holds
	// throughout.
	at     []accessLocks
	Always LockSet
	Writes bool
	// Renews are the fields that it changes in place in an entry, which is told as another entry that it puts there.
	Renews []string
	// section says that it is one critical section, on several cells.
	section bool
	// limits says that it counts the entries of a map, and of what else its sections do has nothing.
	limits bool
	// side tells what it cannot run at the same time as.
	side *raceSide
	// From and accesses are where it was cut out of, and fields and given what
	// ownership.Function.Fields says of the first of its cells.
	From     *Function
	Accesses []*register.Access
	fields   []string
	given    bool
	// into says which cells of the step are one where some of its keys are equal: see alikeOf.
	into []int
}

// Closed reports whether everything that happens to the maps of a root is
// in the package.
func (w *World) Closed(root string) bool {
	_, open := w.open[root]
	return root != "" && !open
}

// unknown has it that nobody knows what the package does to the maps of a root, and why.
func (w *World) unknown(root string, err error) {
	if w.Closed(root) {
		w.broken[root] = err.Error()
	}
	w.open[root] = err.Error()
}

// Broken is the internal error by which it is not known what happens to the maps of a root, although
// all of that is in the package; empty if there was none.
func (w *World) Broken(root string) string { return w.broken[root] }

// Others are the steps that are not taken by the only goroutine that makes some
// operations: it does not interrupt itself.
func (w *World) Others(steps []*Step, positions []register.Pos) []*Step {
	self := w.soloOf(positions)
	if self == nil {
		return steps
	}
	var out []*Step
	for _, s := range steps {
		if w.soloOf(s.Positions) != self {
			out = append(out, s)
		}
	}
	return out
}

// soloOf is the function that makes all of the operations alone; nil if none
// does.
func (w *World) soloOf(positions []register.Pos) *ssa.Function {
	var fn *ssa.Function
	for i, pos := range positions {
		if i > 0 && w.solo[pos] != fn {
			return nil
		}
		fn = w.solo[pos]
	}
	return fn
}
