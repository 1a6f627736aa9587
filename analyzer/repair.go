package analyzer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// inserts are the methods that put a value in only where there is none, and
// say which one is there afterwards.
var inserts = []string{
	"LoadOrStore", "LoadAndStore", "GetOrSet", "GetOrInsert", "GetOrCompute", "LoadOrCompute",
	"SetIfAbsent", "PutIfAbsent", "ContainsOrAdd", "PeekOrAdd",
}

// isInsert reports whether name is that of such a method.
func isInsert(name string) bool {
	return slices.ContainsFunc(inserts, func(m string) bool { return strings.HasSuffix(name, m) })
}

// isSwap reports whether name is that of a method that compares first.
func isSwap(name string) bool { return strings.Contains(name, "Compare") }

// repair says what would make the step safe: the call that does all of it at
// once, or a lock.
func (x *Extension) repair() string {
	if x.Guard != "" {
		return x.sectionRepair()
	}
	if x.Owned {
		return "use CompareAndDelete with what was stored"
	}
	if x.Several {
		return "hold a lock over both"
	}
	if x.keeps() && x.methods.silent {
		return "have " + x.breaking() + " return what is there, and use that"
	}
	call := x.atomicCall()
	if call == "" {
		return "hold a lock over both"
	}
	return call + ", or hold a lock over both"
}

// atomicCall is the repair without a lock; empty if there is none.
func (x *Extension) atomicCall() string {
	broken, earlier := x.breaking(), x.before()
	atomic := x.Region.Cells[0].Kind == register.Atomic
	switch {
	case x.Category == absint.LostUpdate && (isInsert(broken) || x.keeps()):
		return "use the value that " + broken + " returns"
	case x.Category == absint.InconsistentRead && x.changes(earlier):
		return "use what " + earlier + " returns"
	case x.Category == absint.InconsistentRead || x.Category == absint.Crash:
		return "look once and keep what was found"
	case x.Category == absint.DuplicateInstance, x.Category == absint.DuplicateWork:
		if atomic {
			return "use CompareAndSwap and take the winner's value"
		}
		if isInsert(broken) {
			return "use the value that " + broken + " returns"
		}
		return use(x.methods.first(inserting), " and the value that it returns")
	case x.Category == absint.StaleDelete:
		return use(x.methods.both(removing), "")
	case isSwap(broken):
		return ""
	case atomic && x.Category == absint.NonAtomic && strings.HasPrefix(baseName(broken), "Add"):
		return "use what " + broken + " returns, and take it back if that is too much"
	case atomic:
		return "use CompareAndSwap in a loop"
	case x.Category == absint.LostUpdate && x.foundNothing() && !x.derived:
		return use(x.methods.first(inserting), "")
	case x.Category == absint.LostUpdate && x.methods.incomparable:
		return use(x.methods.first(changing), "")
	case x.Category == absint.LostUpdate && x.foundNothing():
		return x.useBoth()
	case x.Category == absint.LostUpdate:
		return use(x.methods.first(replacing), " in a loop")
	}
	return use(x.methods.first(changing), "")
}

// use proposes a method, if there is one.
func use(method, how string) string {
	switch method {
	case "":
		return ""
	case "Compute", "Upsert": // which call a function that sees what is there
		how = ""
	}
	return "use " + method + how
}

// useBoth proposes to put the first value in, and to replace any other one.
func (x *Extension) useBoth() string {
	first, then := x.methods.first(inserting), x.methods.first(replacing)
	if first == "" || first == then || then == "Compute" || then == "Upsert" {
		return use(then, " in a loop")
	}
	if then == "" {
		return ""
	}
	return "use " + first + " for the first one, and " + then + " in a loop for the others"
}

// keeps reports whether the breaking operation puts something in only where there is nothing, and
// found what another goroutine had put there: it has overwritten nothing.
func (x *Extension) keeps() bool {
	w := x.Witness
	if w.Breaking < 0 {
		return false
	}
	ev := w.Events[w.Breaking]
	return ev.Op == "cas" && ev.Args[0] == register.LitAbsent && ev.Results[1] == register.LitFalse
}

// foundNothing reports whether the call found no entry before the other goroutine came in.
func (x *Extension) foundNothing() bool {
	w := x.Witness
	for i, ev := range w.Events {
		if !ev.Other && i < w.Breaking && ev.Op == "read" && len(ev.Results) > 1 {
			return ev.Results[1] == register.LitFalse
		}
	}
	return false
}

// goneMeanwhile reports whether the call found an entry that is gone when it looks again.
func (x *Extension) goneMeanwhile() bool {
	w := x.Witness
	last := w.Breaking >= 0 && len(w.Events[w.Breaking].Results) > 1 && w.Events[w.Breaking].Results[1] == register.LitFalse
	return x.Region.Cells[0].Kind == register.Map && last && !x.foundNothing()
}

// changes reports whether the operation of that name is one that writes.
func (x *Extension) changes(name string) bool {
	for _, looks := range []string{"Load", "Get", "Has", "Contains", "Peek", "Range", "Items", "Keys"} {
		if rest, ok := strings.CutPrefix(baseName(name), looks); ok && !strings.HasPrefix(rest, "And") && !strings.HasPrefix(rest, "Or") {
			return false
		}
	}
	return true
}

// baseName is a method's name without its package: LoadInt64 of
// atomic.LoadInt64.
func baseName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// mistake says what another goroutine can do to the step.
func (x *Extension) mistake() string {
	cell := x.cell()
	broken, earlier := x.breaking(), x.before()
	if x.Several {
		return fmt.Sprintf("another goroutine can come between %s and %s of %s, which belong together", earlier, broken, cell)
	}
	switch x.Category {
	case absint.LostUpdate:
		if x.keeps() && !isInsert(broken) {
			return fmt.Sprintf("%s can keep what another goroutine stored in %s after %s, while the call goes on with its own", broken, cell, earlier)
		}
		if isInsert(broken) {
			return fmt.Sprintf("%s can find that another goroutine has stored something in %s after %s", broken, cell, earlier)
		}
		return fmt.Sprintf("%s can overwrite what another goroutine stored in %s after %s", broken, cell, earlier)
	case absint.StaleDelete:
		return fmt.Sprintf("%s can remove what another goroutine stored in %s after %s", broken, cell, earlier)
	case absint.InconsistentRead:
		return fmt.Sprintf("%s can see another content of %s than %s did", broken, cell, earlier)
	case absint.Crash:
		if !x.goneMeanwhile() {
			return fmt.Sprintf("%s can change between %s and %s, and the call panics", cell, earlier, broken)
		}
		return fmt.Sprintf("%s can be gone at %s although %s found it, and the call panics", cell, broken, earlier)
	case absint.DuplicateInstance:
		return fmt.Sprintf("two goroutines can get different instances for %s between %s and %s", cell, earlier, broken)
	case absint.DuplicateWork:
		return fmt.Sprintf("two goroutines can both compute %s between %s and %s", cell, earlier, broken)
	}
	return fmt.Sprintf("another goroutine can change %s between %s and %s", cell, earlier, broken)
}

// maxCell is how much of a cell's name fits in a message.
const maxCell = 40

// cell is how a message names what the step is about.
func (x *Extension) cell() string {
	if w := x.Witness; x.Several && w.Breaking >= 0 {
		return w.Initial[w.Events[w.Breaking].Cell].Name
	}
	cell := x.Map
	if x.Key != "" {
		cell += "[" + x.Key + "]"
	}
	if len(cell) > maxCell && x.Key != "" {
		cell = x.Map + "[…]"
	}
	if len(cell) > maxCell {
		cell = "the entry"
	}
	return cell
}
