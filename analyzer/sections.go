package analyzer

import (
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What is said of plain memory under a lock that is released in between.

// spoken is the operation in a sentence: a method by its name, and an access to plain
// memory, which has none, by what it does.
func (op Operation) spoken() string {
	if op.Plain {
		return "the " + op.Name
	}
	return op.Name
}

// released says what can happen because the lock is.
func (x *Extension) released() string {
	broken, earlier := x.spoken(x.breaking()), x.spoken(x.before())
	what := "can come after a change by another goroutine"
	switch {
	case x.Several && x.Category != absint.Crash: // the first half is of another cell
		return x.between(earlier, broken, what)
	case x.Category == absint.LostUpdate && x.keeps():
		what = "can keep what another goroutine stored, while the call goes on with its own"
	case x.Category == absint.LostUpdate:
		what = "can overwrite what another goroutine stored"
	case x.Category == absint.StaleDelete:
		what = "can remove what another goroutine stored"
	case x.Category == absint.InconsistentRead:
		what = "can see another content"
	case x.Category == absint.Crash:
		what = "can find it gone, and the call panics"
	case x.Category == absint.DuplicateInstance:
		what = "can leave two goroutines with different instances"
	case x.Category == absint.DuplicateWork:
		what = "can repeat what another goroutine did"
	}
	return x.between(earlier, broken, what)
}

// between says between which operations the lock is released, if the first one is under it.
func (x *Extension) between(earlier, broken, what string) string {
	if x.guardFound && x.Several {
		return fmt.Sprintf("no lock is held over both %s and %s of %s, which %s", earlier, broken, x.cell(), what)
	}
	if slices.ContainsFunc(x.Region.Cells, func(c register.Cell) bool { return !c.Guarded }) {
		return fmt.Sprintf("%s is not held over both %s and %s of %s, which %s", x.Guard, earlier, broken, x.cell(), what)
	}
	if broken == earlier {
		return fmt.Sprintf("%s is released between two parts of a step on %s: %s %s", x.Guard, x.cell(), broken, what)
	}
	return fmt.Sprintf("%s is released between %s and %s of %s, which %s", x.Guard, earlier, broken, x.cell(), what)
}

// spoken is an operation of the extension in a sentence.
func (x *Extension) spoken(name string) string {
	for _, op := range x.Operations {
		if op.Name == name {
			return op.spoken()
		}
	}
	return name
}

// sectionRepair is what to do about it.
func (x *Extension) sectionRepair() string {
	hold := fmt.Sprintf("hold %s over both", x.Guard)
	if x.guardFound && x.Several {
		hold = "hold a lock over both"
	}
	if x.Owned {
		return "remove it only if it still is what was stored"
	}
	switch {
	case x.Several:
		return hold
	case x.Category == absint.InconsistentRead, x.Category == absint.Crash:
		return "look once and keep what was found, or " + hold
	case x.Category == absint.NonAtomic:
		return hold
	}
	for _, op := range x.Operations {
		if op.Name == x.breaking() && !op.Plain {
			return hold + ", in one method"
		}
	}
	return hold + ", or look again before " + x.spoken(x.breaking())
}
