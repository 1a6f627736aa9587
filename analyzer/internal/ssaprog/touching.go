package ssaprog

import (
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// reach is what the calls in one function say about it.
type reach struct {
	cell           bool // an operation on a cell that is no guarded memory
	guarded        bool // an access to guarded memory
	locks, unlocks int
	instrs         int
	// refs are the package's functions that it calls or mentions: a
	// literal that it makes may run wherever it is passed to.
	refs []*ssa.Function
}

// maxLockWrapper bounds the functions without cells that are followed for the
// locks that they take.
const maxLockWrapper = 30

// isLockWrapper reports whether callers care for the locks that the function
// takes: because it leaves them locked, or because that is all it does.
func (f *reach) isLockWrapper() bool {
	unbalanced := (f.locks == 0) != (f.unlocks == 0)
	return unbalanced || f.locks > 0 && f.instrs <= maxLockWrapper
}

// findTouching finds the functions whose calls have to be followed: those that
// touch a cell, by themselves or through others, and wrappers of locks.
func (r *Resolver) findTouching(funcs []*ssa.Function) map[*ssa.Function]bool {
	reaches := map[*ssa.Function]*reach{}
	users := map[*ssa.Function][]*ssa.Function{}
	touching := map[*ssa.Function]bool{}
	var work []*ssa.Function
	for _, fn := range funcs {
		f := r.reachOf(fn)
		reaches[fn] = f
		for _, ref := range f.refs {
			users[ref] = append(users[ref], fn)
		}
		if f.cell {
			work = append(work, fn)
		}
	}
	spread(work, users, touching, func(*ssa.Function) bool { return true })
	r.addJoining(reaches, users, touching)
	work = nil
	for _, fn := range funcs {
		if !touching[fn] && reaches[fn].isLockWrapper() {
			work = append(work, fn)
		}
	}
	spread(work, users, touching, func(fn *ssa.Function) bool {
		return reaches[fn] != nil && reaches[fn].instrs <= maxLockWrapper
	})
	return touching
}

// addJoining marks those functions that access guarded memory themselves, those around a literal
// that does, that join two critical sections, and those that they call in between; and those that have
// a part of a section fill an object which they make. Other callers learn nothing from what is done in a section that is complete. What a literal does is looked at in
// the function around it, see Programs.Roots:
//
//	func (s *Store) Put(k, v string) {
//		func() {
//			s.mu.Lock()
//			defer s.mu.Unlock()
//			s.m[k] = v
//		}()
//	}
func (r *Resolver) addJoining(reaches map[*ssa.Function]*reach, users map[*ssa.Function][]*ssa.Function, touching map[*ssa.Function]bool) {
	if r.guarded == nil || len(r.guarded.registers) == 0 {
		return
	}
	above := map[*ssa.Function]bool{}
	var work []*ssa.Function
	for fn, f := range reaches {
		if f.guarded {
			for in := fn; in != nil; in = in.Parent() {
				touching[in] = true
			}
			work = append(work, fn)
		}
	}
	spread(work, users, above, func(*ssa.Function) bool { return true })
	work = nil
	for fn := range above {
		if reaches[fn] != nil && (r.guarded.guards.Joins(fn, r.guarded.registers) || r.guarded.guards.Constructs(fn)) {
			work = append(work, fn)
		}
	}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		touching[fn] = true
		for _, ref := range reaches[fn].refs {
			if above[ref] && !touching[ref] && reaches[ref] != nil {
				work = append(work, ref)
			}
		}
	}
}

// spread marks the functions of work, and who uses them, as far as it is
// allowed.
func spread(work []*ssa.Function, users map[*ssa.Function][]*ssa.Function, mark map[*ssa.Function]bool, allowed func(*ssa.Function) bool) {
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if mark[fn] {
			continue
		}
		mark[fn] = true
		for _, user := range users[fn] {
			if allowed(user) {
				work = append(work, user)
			}
		}
	}
}

// reachOf looks at one function, and at what the SSA builder made for it.
func (r *Resolver) reachOf(fn *ssa.Function) *reach {
	f := &reach{}
	r.addReach(f, fn, map[*ssa.Function]bool{})
	return f
}

func (r *Resolver) addReach(f *reach, fn *ssa.Function, seen map[*ssa.Function]bool) {
	seen[fn] = true
	f.guarded = f.guarded || r.guarded.touchesGuarded(fn)
	for _, b := range fn.Blocks {
		f.instrs += len(b.Instrs)
		for _, step := range r.LocksInto(b) {
			f.addLock(step)
		}
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				r.addCall(f, call)
				if fn := r.Local(r.sole(call)); fn != nil {
					f.refs = append(f.refs, fn)
				}
			} else if step, ok := r.LockAt(instr); ok {
				f.addLock(step)
			}
			for _, op := range instr.Operands(nil) {
				ref, ok := (*op).(*ssa.Function)
				if !ok || seen[ref] {
					continue
				}
				if local := r.Local(ref); local != nil {
					f.refs = append(f.refs, local)
				} else if isMade(ref) {
					r.addReach(f, ref, seen)
				}
			}
		}
	}
}

func (f *reach) addLock(step calls.LockStep) {
	if step.Op == register.Lock {
		f.locks++
	} else {
		f.unlocks++
	}
}

func (r *Resolver) addCall(f *reach, call ssa.CallInstruction) {
	info, _, body := r.direct(call)
	if body != nil {
		return
	}
	switch info.Kind {
	case calls.Base:
		f.cell = true
	case calls.Lock:
		f.locks++
	case calls.Unlock:
		f.unlocks++
	case calls.Inline:
		_, fact := r.imports[info.Key]
		f.cell = f.cell || fact
	}
}
