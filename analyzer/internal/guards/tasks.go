package guards

import (
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// The one goroutine that runs what it receives from a channel of functions is a lock
// around each of them:
//
//	go func() {
//		for task := range a.tasks { task() }
//	}()
//	...
//	a.tasks <- func() { a.count++ }
//
// as long as there is one such goroutine for the channel. There is if one place
// receives, in a function that one go statement starts, where the object is made.

// Within is a lock that is held whenever a function literal runs: that of the variable
// that it captures, down some fields.
type Within struct {
	Var    *ssa.FreeVar
	Fields []*types.Var
}

// task is a literal that is sent, and the channel as the function around it knows it.
type task struct {
	literal *ssa.Function
	loc     location
}

// channelUses are the uses of the channels of one field or variable.
type channelUses struct {
	receives []ssa.Value // what is received
	sent     []task
	refused  bool
}

// findTasks finds the literals that run in task loops.
func (in *inference) findTasks() {
	all := map[*types.Var]*channelUses{}
	for _, fn := range in.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				load, ok := instr.(*ssa.UnOp)
				if !ok || !isTaskChannel(load.Type()) {
					continue
				}
				if v := declared(load.X); v != nil {
					if all[v] == nil {
						all[v] = &channelUses{}
					}
					in.taskUses(all[v], load)
				}
			}
		}
	}
	in.within = map[*ssa.Function]location{}
	for v, u := range all {
		if !u.refused && !v.Exported() && len(u.receives) == 1 && in.onlyRuns(u.receives[0]) {
			for _, t := range u.sent {
				in.within[t.literal] = t.loc
			}
		}
	}
}

// isTaskChannel reports whether t is a channel of functions that get and give nothing.
func isTaskChannel(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	sig, ok := ch.Elem().Underlying().(*types.Signature)
	return ok && sig.Params().Len()+sig.Results().Len() == 0
}

// taskUses notes what is done with a channel.
func (in *inference) taskUses(u *channelUses, ch *ssa.UnOp) {
	loc := location{}
	if l, ok := in.lockAt(ch); ok {
		loc = location{base: l.base, path: l.path}
	}
	for _, ref := range *ch.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Send:
			u.refused = u.refused || ref.Chan != ssa.Value(ch)
			in.sends(u, ref.X, loc)
		case *ssa.UnOp:
			u.receives = append(u.receives, ref)
		case *ssa.Select:
			for i, s := range ref.States {
				switch {
				case s.Chan != ssa.Value(ch):
				case s.Dir == types.SendOnly:
					in.sends(u, s.Send, loc)
				default:
					u.receives = append(u.receives, received(ref, i))
				}
			}
		case *ssa.Call:
			if b, ok := ref.Call.Value.(*ssa.Builtin); !ok || b.Name() == "append" {
				u.refused = true
			}
		default:
			u.refused = true
		}
	}
}

// received is what a select receives in a case; nil if nobody looks at it.
func received(sel *ssa.Select, state int) ssa.Value {
	n := 2
	for i, s := range sel.States[:state+1] {
		if i < state && s.Dir == types.RecvOnly {
			n++
		}
	}
	for _, ref := range *sel.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && e.Index == n {
			return e
		}
	}
	return nil
}

// sends notes what is sent: a literal, or what the callers of the function give it.
func (in *inference) sends(u *channelUses, x ssa.Value, loc location) {
	for {
		c, ok := x.(*ssa.ChangeType)
		if !ok {
			break
		}
		x = c.X
	}
	switch x := x.(type) {
	case *ssa.MakeClosure:
		if onlySent(x) {
			u.sent = append(u.sent, task{x.Fn.(*ssa.Function), loc})
		}
	case *ssa.Parameter:
		in.sendsOfCallers(u, x, loc)
	}
}

// onlySent reports whether a literal goes one way.
func onlySent(mc *ssa.MakeClosure) bool {
	uses := 0
	for _, ref := range *mc.Referrers() {
		if _, isDebug := ref.(*ssa.DebugRef); !isDebug {
			uses++
		}
	}
	return uses == 1
}

// sendsOfCallers notes the literals that a function sends for its callers.
func (in *inference) sendsOfCallers(u *channelUses, p *ssa.Parameter, loc location) {
	fn := p.Parent()
	i := slices.Index(fn.Params, p)
	for _, call := range in.sites[fn].calls {
		args := call.Common().Args
		if i >= len(args) || call.Common().StaticCallee() != fn {
			continue
		}
		mc, ok := args[i].(*ssa.MakeClosure)
		if !ok || !onlySent(mc) {
			continue
		}
		a, ok := in.toArgument(fn, lock{base: loc.base, path: loc.path})
		if !ok {
			continue
		}
		if l, ok := in.fromArgument(a, call.Common()); ok {
			u.sent = append(u.sent, task{mc.Fn.(*ssa.Function), location{base: l.base, path: l.path}})
		}
	}
}

// onlyRuns reports whether what is received is called, there and nowhere else, in a
// function that runs once for each object.
func (in *inference) onlyRuns(received ssa.Value) bool {
	instr, ok := received.(ssa.Instruction)
	return ok && onlyCalledHere(received) && in.startedOnce(instr.Parent())
}

// onlyCalledHere reports whether a function value is called and nothing else.
func onlyCalledHere(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Extract: // of a value and whether there was one
			if ref.Index == 0 && !onlyCalledHere(ref) {
				return false
			}
		case *ssa.Call:
			if ref.Call.Value != v {
				return false
			}
		case *ssa.BinOp: // compared with nil
		default:
			return false
		}
	}
	return true
}

// startedOnce reports whether one go statement starts a function, outside of loops,
// where the object that it is about is made.
func (in *inference) startedOnce(fn *ssa.Function) bool {
	s := in.sites[fn]
	if s == nil || s.open || len(s.calls) != 1 {
		return false
	}
	start, ok := s.calls[0].(*ssa.Go)
	if !ok || ways.Loops(start.Block()) {
		return false
	}
	for _, v := range append(slices.Clone(start.Call.Args), bindings(start.Call.Value)...) {
		if n := in.num.values[in.num.number(v)].v; n != nil && in.isFresh(n) {
			return true
		}
		if only, _ := variableValue(v); only != nil && in.isFresh(only) {
			return true
		}
	}
	return false
}

func bindings(f ssa.Value) []ssa.Value {
	if mc, ok := f.(*ssa.MakeClosure); ok {
		return mc.Bindings
	}
	return nil
}

// Within is the lock that is held around all of a literal; false if there is none, or
// the literal does not have its owner.
func (g *Guards) Within(fn *ssa.Function) (Within, bool) {
	loc, ok := g.in.within[fn]
	if !ok {
		return Within{}, false
	}
	for _, fv := range fn.FreeVars {
		only, _ := variableValue(fv)
		if only == nil || g.in.num.number(only) != loc.base {
			continue
		}
		w := Within{Var: fv}
		for i := range loc.path.len() {
			w.Fields = append(w.Fields, loc.path[i])
		}
		return w, true
	}
	return Within{}, false
}
