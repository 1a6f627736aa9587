package ownership

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/internal/reduce/ways"
	"github.com/mapatom/mapatom/reduce"
	"golang.org/x/tools/go/ssa"
)

// A method may run in one goroutine per object although nobody writes so: all calls
// of it come, through other methods of the object, from go statements that start
// where an object is made.
//
//	r := &Ring{shards: newShards()}
//	go r.shards.watch()
//
// FindSolo knows those of them that are certain. Here the way from the goroutine to
// the method may be longer, and go by objects that belong to the first one; that
// they belong to no other one as well is likely, not certain, so that this is a
// reason not to report, and none to call something verified.

// Whoever makes an object may also work with it himself, as one who serves a connection does:
//
//	return newSession(conn).run()
//
// Then it is his goroutine that the object has.

// Ways are the go statements, or calls such as WaitGroup.Go, or the timer, from which a function is reached; nil if
// there may be others. For each there is what makes the object that it is for. Where the
// goroutine that makes it works with it, that is the way as well.
type Ways map[ssa.Instruction]ssa.Instruction

// Confinement finds ways.
type Confinement struct {
	ps      *ssaprog.Programs
	surface map[*types.TypeName]bool
	known   map[*ssa.Function]Ways
	// borrowed are the types of which somebody stores an object that he did
	// not make.
	borrowed map[*types.TypeName]bool
	// owners are the types of the fields that are used, by the names of these.
	owners map[string]*types.TypeName
	// Groups are those that one goroutine was found for: functions that
	// contain them are run by it as well.
	Groups []ConfinedGroup
}

// ConfinedGroup are the operations of a group, the method they are in, and the
// ways to that.
type ConfinedGroup struct {
	Positions []register.Pos
	Fn        *ssa.Function
	Ways      Ways
}

func NewConfinement(ps *ssaprog.Programs) *Confinement {
	c := &Confinement{ps: ps, surface: ssaprog.Surface(ps.Pass.Pkg), known: map[*ssa.Function]Ways{}, borrowed: map[*types.TypeName]bool{}, owners: map[string]*types.TypeName{}}
	for _, fn := range ps.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				c.notes(instr)
			}
		}
	}
	return c
}

// Of are the ways to a method, if each object has one goroutine for it.
func (c *Confinement) Of(fn *ssa.Function) Ways {
	if w, ok := c.known[fn]; ok {
		return w
	}
	w := Ways{}
	if fn.Signature.Recv() == nil || !c.collect(fn, 0, w, map[*ssa.Function]bool{}) || !distinct(w) {
		w = nil
	}
	c.known[fn] = w
	return w
}

// collect adds the ways to fn, which is given its object as a parameter of that number. It
// reports whether that are all.
func (c *Confinement) collect(fn *ssa.Function, object int, w Ways, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return true
	}
	seen[fn] = true
	if c.fromOutside(fn) {
		return false
	}
	if c.ps.Escapes(fn) {
		timer := c.timerOf(fn)
		if timer == nil {
			return false
		}
		w[timer] = timer
	}
	for _, start := range c.ps.Refs.Started[fn] {
		_, args := calls.Begins(start)
		if object >= len(args) || !w.add(start, args[object]) {
			return false
		}
	}
	for _, call := range c.ps.Callers(fn) {
		_, args := calls.Callee(call)
		if object >= len(args) || !c.collectCall(call, args[object], w, seen) {
			return false
		}
	}
	return true
}

// collectCall adds the ways to a call for an object.
func (c *Confinement) collectCall(call ssa.CallInstruction, object ssa.Value, w Ways, seen map[*ssa.Function]bool) bool {
	caller := call.Parent()
	if starts := c.ps.Refs.Started[caller]; caller.Parent() != nil && len(starts) > 0 {
		ok := !c.ps.Refs.Values[caller] && len(c.ps.Callers(caller)) == 0
		for _, start := range starts {
			ok = ok && w.add(start, object)
		}
		return ok
	}
	if made := madeBy(object, call, 0); made != nil {
		w[made] = made
		return true
	}
	around := c.ps.DeclaredAround(caller)
	if around == nil {
		return false
	}
	if i := c.partOf(object, around); i >= 0 {
		return c.collect(around, i, w, seen)
	}
	return false
}

// partOf is the number of the parameter of a function that an object is, or belongs to; -1 if
// there is none.
func (c *Confinement) partOf(object ssa.Value, fn *ssa.Function) int {
	switch i := slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return object == ssa.Value(p) }); {
	case i >= 0 && (i == 0 && fn.Signature.Recv() != nil || c.Belongs(object.Type())):
		return i
	case fn.Signature.Recv() != nil && (isReceiver(object, fn) || c.Belongs(object.Type())):
		return 0
	}
	return -1
}

// isReceiver reports whether v is the receiver of a method, in it or in a literal
// that is a part of it.
func isReceiver(v ssa.Value, method *ssa.Function) bool {
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
		if fv, ok := v.(*ssa.FreeVar); ok && reduce.CapturedVariable(fv) != nil {
			v = reduce.CapturedVariable(fv)
		}
		a, ok := v.(*ssa.Alloc)
		if !ok || a.Parent() != method || a.Comment != method.Params[0].Name() {
			return false
		}
		return onlyHolds(a, method.Params[0])
	}
	return v == ssa.Value(method.Params[0])
}

// onlyHolds reports whether a variable is assigned nothing but one value.
func onlyHolds(a *ssa.Alloc, val ssa.Value) bool {
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == ssa.Value(a) && ref.Val != val {
				return false
			}
		case *ssa.MakeClosure:
			if ssaprog.AssignsCaptured(ref, a) {
				return false
			}
		}
	}
	return true
}

// add notes what starts a goroutine for the object of a call in it; it fails if that is not
// an object that was made for it.
func (w Ways) add(start ssa.CallInstruction, object ssa.Value) bool {
	made := madeBy(object, start, 0)
	if made == nil || ways.Reaches(start.Block(), start.Block(), made.Block()) {
		return false
	}
	w[start] = made
	return true
}

// distinct reports whether no two go statements are for one object.
func distinct(w Ways) bool {
	seen := map[ssa.Instruction]bool{}
	for _, made := range w {
		if seen[made] {
			return false
		}
		seen[made] = true
	}
	return len(w) > 0
}

// fromOutside reports whether other packages can call fn: it is exported, and so is
// its type, or something leads to that.
func (c *Confinement) fromOutside(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil {
		return c.ps.Exported(fn)
	}
	obj := ssaprog.Named(fn.Signature.Recv().Type())
	return c.ps.Exported(fn) && (obj == nil || c.surface[obj])
}

// Belongs reports whether whoever holds a pointer of the type has made the object,
// or has it from another place of the kind: it is a part of what it is stored in.
func (c *Confinement) Belongs(t types.Type) bool {
	obj := ssaprog.Named(t)
	return obj != nil && obj.Pkg() == c.ps.Pass.Pkg && !c.surface[obj] && !c.borrowed[obj]
}

// Lent reports whether a root is a field of a type of which somebody stores an object
// that he was given: several may keep it, and each have a lock of his own.
func (c *Confinement) Lent(root string) bool {
	owner := c.owners[baseOf(root)]
	return owner != nil && c.borrowed[owner]
}

// notes notes the type of an object that is stored somewhere by one who got it from
// his caller, and of one whose field is used.
func (c *Confinement) notes(instr ssa.Instruction) {
	var val ssa.Value
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		if obj := ssaprog.Named(instr.X.Type()); obj != nil {
			c.owners[reduce.MemoryName(instr)] = obj
		}
		return
	case *ssa.Store:
		if a, ok := instr.Addr.(*ssa.Alloc); ok && !a.Heap {
			return
		}
		val = instr.Val
	case *ssa.MapUpdate:
		val = instr.Value
	case *ssa.Send:
		val = instr.X
	case *ssa.MakeInterface:
		val = instr.X
	default:
		return
	}
	if p, ok := val.Type().Underlying().(*types.Pointer); ok {
		if obj := ssaprog.Named(p); obj != nil && !c.passedOn(val, map[ssa.Value]bool{}) {
			c.borrowed[obj] = true
		}
	}
}

// passedOn reports whether a pointer is to an object that was just made, or comes
// from a container or a field.
func (c *Confinement) passedOn(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Lookup, *ssa.Next, *ssa.Const, *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	case *ssa.Call:
		return c.returnsPassedOn(v, 0, seen)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return c.returnsPassedOn(call, v.Index, seen)
		}
		return c.passedOn(v.Tuple, seen)
	case *ssa.UnOp:
		return c.passedOn(v.X, seen)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !c.passedOn(e, seen) })
	}
	return false
}

// returnsPassedOn is passedOn for a result of a call.
func (c *Confinement) returnsPassedOn(call *ssa.Call, result int, seen map[ssa.Value]bool) bool {
	fn := c.ps.Res.Local(call.Call.StaticCallee())
	if fn == nil {
		return makes(call)
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if ret, ok := instr.(*ssa.Return); ok && (result >= len(ret.Results) || !c.passedOn(ret.Results[result], seen)) {
				return false
			}
		}
	}
	return true
}

// Within reports whether all ways are among those of another method.
func (w Ways) Within(o Ways) bool {
	for start := range w {
		if _, ok := o[start]; !ok {
			return false
		}
	}
	return len(w) > 0
}

// Says names the goroutine that runs a method alone.
func (w Ways) Says(fn *ssa.Function) string {
	var in []string
	timer, makes := false, false
	for start := range w {
		call, isCall := start.(ssa.CallInstruction)
		_, isTimer := start.(*ssa.MakeClosure)
		timer = timer || isTimer
		makes = makes || !isTimer && (!isCall || calls.Beginning(call) == nil)
		for at := start.Parent(); at != nil; at = at.Parent() {
			if at.Parent() == nil && !slices.Contains(in, at.Name()) {
				in = append(in, at.Name())
			}
		}
	}
	switch {
	case timer:
		return fmt.Sprintf("only a timer of the object runs %s, one at a time", fn.Name())
	case makes:
		return fmt.Sprintf("only the goroutine that makes the object runs %s", fn.Name())
	}
	slices.Sort(in)
	return fmt.Sprintf("only the goroutine that %s starts runs %s", strings.Join(in, " or "), fn.Name())
}
