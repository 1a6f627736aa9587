package evidence

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/analyzer/internal/topology"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A controller gets objects out of a work queue, which hands out none that is being worked
// on: for each object its Reconcile runs once at a time, however many workers there are.
//
//	func (r *Launcher) Reconcile(ctx context.Context, c *Claim) (reconcile.Result, error) {
//		if made, ok := r.made.Load(c.UID); ok { return r.update(c, made) }
//		r.made.Store(c.UID, r.make(c))
//
// That is so for entries whose keys come from the object, and for what the same controller
// does; another one, or a handler of events, comes in between.

// outcomes are what is returned to such a queue.
var outcomes = map[string]bool{
	"sigs.k8s.io/controller-runtime/pkg/reconcile.Result": true,
	"knative.dev/pkg/reconciler.Event":                    true,
}

// reconciles reports whether a function works off what a work queue hands out.
func reconciles(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	for i := range results.Len() {
		obj := ssaprog.Named(results.At(i).Type())
		if obj != nil && obj.Pkg() != nil && outcomes[obj.Pkg().Path()+"."+obj.Name()] {
			return true
		}
	}
	return false
}

// queued is why only one goroutine comes to an entry at a time: what would come in
// between is the work on the same object.
func (e *Weigher) queued(f *violation) string {
	same := e.sharesQueue(f)
	if same == nil || !e.goneWithout(f, same) {
		return ""
	}
	return "a work queue has " + e.workers(f.Fn)[0].Name() + " run once at a time for each object"
}

// sharesQueue tells the steps that the work queue of a violation has run; nil if it has none.
func (e *Weigher) sharesQueue(f *violation) keeper {
	own := e.workers(f.Fn)
	if f.x.Several || !f.keyGiven() || len(own) == 0 {
		return nil
	}
	return func(s *rivals.Step) bool { return s.Fn != nil && within(e.workers(s.Fn), own) }
}

// keyGiven reports whether the key is made of what callers give, and of nothing that is
// the same for all.
func (v *violation) keyGiven() bool {
	key := v.Prog.Cells[v.g.Cells[0]].Key
	return !key.IsNone() && v.source(key, 0) != sourceConstant && v.g.Prog.Cells[v.g.Cells[0]].Kind == register.Map
}

// workers are the functions that a work queue runs from which one is reached; none if it
// is reached from anywhere else.
func (e *Weigher) workers(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for _, entry := range e.goroutines().Entries(fn) {
		if !reconciles(entry.Fn) {
			return nil
		}
		if !slices.Contains(out, entry.Fn) {
			out = append(out, entry.Fn)
		}
	}
	return out
}

// within reports whether some functions are methods of the types that others are of: one
// controller's.
func within(some, own []*ssa.Function) bool {
	of := map[*types.TypeName]bool{}
	for _, fn := range own {
		of[receiver(fn)] = true
	}
	return len(some) > 0 && !slices.ContainsFunc(some, func(fn *ssa.Function) bool { return receiver(fn) == nil || !of[receiver(fn)] })
}

// receiver is the type that a method is of; nil for a function.
func receiver(fn *ssa.Function) *types.TypeName {
	if fn.Signature.Recv() == nil {
		return nil
	}
	return ssaprog.Named(fn.Signature.Recv().Type())
}

// readsStream is why a violation is not shown that takes two calls of Read on one object.
// Whoever has a stream for himself may still need a lock, or an atomic, for those who fill
// it, close it, or look how far it has come. Who hands the bytes on with a lock held has it for others who do so.
//
//	func (l *Log) Write(p []byte) (int, error) { l.mu.Lock(); defer l.mu.Unlock(); return l.file.Write(p) }
func (e *Weigher) readsStream(f *violation) string {
	if f.x.Several || !topology.ReadsOn(f.Fn) || !f.ofReceiver() || f.handsOnLocked() {
		return ""
	}
	if !e.mildWithout(f, func(s *rivals.Step) bool { return s.Fn != nil && topology.ReadsOn(s.Fn) }) {
		return ""
	}
	return f.Fn.Name() + " goes on where the last call of it has stopped"
}

// handsOnLocked reports whether a method calls one of the same name, of something else, with a lock held.
func (v *violation) handsOnLocked() bool {
	h := holding{v.Function, v.g.Accesses}
	in := h.heldAtEntries()
	for b, blk := range v.Prog.Blocks {
		for i := range blk.Instrs {
			if instr := &blk.Instrs[i]; instr.Op == register.Effect && register.LastPart(instr.Effect().Callee) == v.Fn.Name() && len(h.heldAt(in, register.Ref{Block: b, Instr: i})) > 0 {
				return true
			}
		}
	}
	return false
}

// calledInTurn is why a violation is not shown that takes two calls of methods of which an interface of
// another package says that one of them runs at a time.
func (e *Weigher) calledInTurn(f *violation) string {
	if f.Fn == nil || !f.ofReceiver() {
		return ""
	}
	serial := e.goroutines().Serial(f.Fn)
	if serial == nil || !e.mildWithout(f, func(s *rivals.Step) bool { return s.Fn != nil && e.goroutines().Serial(s.Fn) == serial }) {
		return ""
	}
	return "those who call the methods of " + serial.Interfaces[0] + " make one call at a time"
}
