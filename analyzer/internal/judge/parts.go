package judge

import (
	"fmt"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
)

// maxParts is how many parts a group on many cells can have to be decided by them.
const maxParts = 24

// partBudget is for one way in which the keys of a part can be equal.
var partBudget = absint.Budget{Configurations: 500, Work: 40_000, Spurious: 3}

// TooMany is why a group on many cells is not decided at once.
func TooMany(g extension.Group) string {
	return fmt.Sprintf("%d cells; at most %d are followed", len(g.Cells), absint.MaxCells)
}

// inParts decides a group on more cells than can be followed at once by its parts, each
// with what it finds in the other cells as an input. What breaks one of them breaks the
// group. Where all of them are right the group need not be, and the verdict says so.
func (j *Judge) inParts(x *Finding) {
	f, g := x.In, x.Group
	x.Reason = TooMany(g)
	parts := f.Parts(g)
	if len(parts) == 0 || len(parts) > maxParts {
		return
	}
	undecided := 0
	for _, part := range parts {
		y := &Finding{In: f, Group: part, Several: true, Brief: x.Brief}
		j.describe(y, f, part)
		j.atOnce(y, partBudget)
		x.Configurations += y.Configurations
		switch y.Verdict {
		case absint.Violation:
			y.Configurations = x.Configurations
			*x = *y
			return
		case absint.Unknown:
			if undecided++; undecided == maxUndecided {
				return
			}
		case absint.Verified:
		}
	}
	if undecided == 0 {
		x.Verdict, x.Reason, x.Assumption = absint.Verified, "", absint.InParts
	}
}
