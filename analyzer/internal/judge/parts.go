package judge

import (
	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
)

// maxParts is how many parts a group on many cells can have to be decided by them.
const maxParts = 24

// partBudget is for one way in which the keys of a part can be equal.
var partBudget = absint.Budget{Configurations: 500, Work: 40_000, Spurious: 3}

// partGlance is for a first look at each part: what breaks one of them need not wait until
// all before it are decided.
var partGlance = absint.Budget{Configurations: 200, Work: 8_000, Spurious: 3}

// inParts decides a group on more cells than can be followed at once, or that has too many cases, by its parts, each
// with what it finds in the other cells as an input. What breaks one of them breaks the
// group. Where all of them are right the group need not be, and the verdict says so.
func (j *Judge) inParts(x *Finding) {
	f, g := x.In, x.Group
	parts := f.Parts(g)
	if len(parts) == 0 || len(parts) > maxParts {
		return
	}
	from := j.allowance.spent
	for _, budget := range []absint.Budget{partGlance, partBudget} {
		var left []extension.Group
		for _, part := range parts {
			if j.allowance.spent-from > enoughWork || len(left) == maxUndecided && budget == partBudget {
				return
			}
			y := j.part(x, part, budget)
			if y.Verdict == absint.Violation && budget == partGlance { // to class it takes more
				y = j.part(x, part, partBudget)
			}
			switch y.Verdict {
			case absint.Violation:
				y.Configurations = x.Configurations
				*x = *y
				return
			case absint.Unknown:
				left = append(left, part)
			case absint.Verified:
				if y.unwrapped { // that and the parts are two assumptions
					left = append(left, part)
				}
			}
		}
		parts = left
	}
	if len(parts) == 0 {
		x.Verdict, x.Reason, x.Assumption = absint.Verified, "", absint.InParts
	}
}

// part decides a part of a group within a budget.
func (j *Judge) part(x *Finding, part extension.Group, budget absint.Budget) *Finding {
	y := &Finding{In: x.In, Group: part, Several: true, Brief: x.Brief}
	j.describe(y, x.In, part)
	j.atOnce(y, budget)
	x.Configurations += y.Configurations
	return y
}

// inRuns looks for single runs of a group on many cells that break it. That there is none says nothing, but where a lock is held over
// all of it.
func (j *Judge) inRuns(x *Finding) {
	y := &Finding{In: x.In, Group: x.Group, Several: true, Brief: x.Brief, Configurations: x.Configurations}
	j.describe(y, x.In, x.Group)
	if j.atOnce(y, wideBudget); y.Verdict != absint.Unknown {
		*x = *y
	}
}
