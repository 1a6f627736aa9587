package analyzer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// worlds says of each map of a package whether it can be reached from
// outside, and what the package does to it.
type worlds struct {
	// open has the reason for each root that is not closed.
	open map[string]string
	// steps are what the package does to the maps of a root.
	steps map[string][]*worldStep
	// births are what constructors store in the maps of a root.
	births map[string][]birth
	// wide are its steps on several cells.
	wide []*wideStep
	// solo has the operations that one goroutine makes on an object: see
	// findSolo.
	solo map[reduce.Pos]*ssa.Function
	// users are the functions that access a field, by its name.
	users map[string][]*ssa.Function
	// unique are the fields that are another one in each object.
	unique map[string]bool
}

// worldStep is a step in function form's terms: the key that it is on tells
// whether it can concern a region.
type worldStep struct {
	fn   *ssa.Function
	step absint.Step
	cell reduce.Cell
	text string
	// accesses are where it is from, so that a region is not surprised by
	// a part of itself.
	positions []reduce.Pos
	// locks are held at some time during the step, always throughout.
	locks, always lockSet
	writes        bool
	// side tells what it cannot run at the same time as.
	side *raceSide
	// from and accesses are where it was cut out of.
	from     *funcInfo
	accesses []*reduce.Access
}

// closed reports whether everything that happens to the maps of a root is
// in the package.
func (w *worlds) closed(root string) bool {
	_, open := w.open[root]
	return root != "" && !open
}
