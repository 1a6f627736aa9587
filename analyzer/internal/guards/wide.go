package guards

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What is a lock is wider than package sync. A channel that never holds more than one
// token, and an atomic that goes from free to taken by a compare-and-swap, are locks if
// they are used as such: whoever gives them back has taken them. That decides between
// these two, which have the same operations:
//
//	if !t.busy.CompareAndSwap(false, true) { return }    a lock
//	defer t.busy.Store(false)
//
//	if !s.started.CompareAndSwap(false, true) { return } a state: Stop has not started
//	go s.loop()
//	...
//	func (s *Server) Stop() { s.started.Store(false) }

// Flags says what a call does to an atomic, and to which, given by its address.
type Flags func(ssa.CallInstruction) (addr ssa.Value, op FlagOp)

// wide are the locks that are no mutexes.
type wide struct {
	// at are what instructions take or release, and into what is taken on the way
	// into a block: where a select, or a branch on a compare-and-swap, has decided.
	at   map[ssa.Instruction]LockCall
	into map[*ssa.BasicBlock][]taken
	// quiet are the other operations on such locks.
	quiet map[ssa.CallInstruction]bool
	// candidates may be locks, and are taken for such until one is given back by
	// somebody who does not have it.
	candidates map[*types.Var]*candidate
}

// candidate is a channel or an atomic that may be a lock.
type candidate struct {
	takes    []taking
	releases []ssa.Instruction
	looks    []ssa.CallInstruction
	mutex    map[ssa.Instruction]ssa.Value
	// keys are what chooses one of the locks of an object.
	keys map[ssa.Instruction]ssa.Value
	// made says that a channel of capacity one was seen to be made, token that it is
	// filled when it is: then to receive is to take.
	made, token bool
	sends       []ssa.Instruction
	receives    []ssa.Instruction
	refused     bool
	// object says that it is an object with methods, and counted that it is a lock only if it was
	// made for one. returned are the compare-and-swaps whose result the method returns.
	object, counted bool
	keyed           bool // one of an object that has many, for each key
	returned        []ssa.Instruction
}

// taking is an instruction that takes a lock, or the block that it leads to then.
type taking struct {
	instr ssa.Instruction
	into  *ssa.BasicBlock
}

// taken is a lock that is taken on the way into a block, and the instruction that
// decides it.
type taken struct {
	LockCall
	by ssa.Instruction
}

// findWide finds the candidates of a package.
func (in *inference) findWide() {
	w := &wide{candidates: map[*types.Var]*candidate{}}
	in.wide = w
	for _, fn := range in.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				w.addChannel(instr)
				if call, ok := instr.(ssa.CallInstruction); ok {
					w.addFlag(call, in.Flags)
					w.addObject(call, in.Objects)
				}
			}
		}
	}
	for _, fn := range in.funcs {
		w.refuseOthers(fn)
	}
	for v, c := range w.candidates {
		if _, isChan := v.Type().Underlying().(*types.Chan); isChan {
			c.settleChannel()
		}
	}
	in.objects = w.findObjects(in.funcs)
	in.findKeyed()
	for v, c := range w.candidates {
		unknown := len(c.returned) > 0 || c.counted && !c.made
		if c.refused || unknown || len(c.takes) == 0 || len(c.releases) == 0 || v.Exported() && !c.object {
			delete(w.candidates, v)
		}
	}
	w.index()
}

// index makes the tables of what is left.
func (w *wide) index() {
	w.at, w.into, w.quiet = map[ssa.Instruction]LockCall{}, map[*ssa.BasicBlock][]taken{}, map[ssa.CallInstruction]bool{}
	for _, c := range w.candidates {
		for _, t := range c.takes {
			if t.into != nil {
				w.into[t.into] = append(w.into[t.into], taken{LockCall{Mutex: c.mutex[t.instr], Key: c.keys[t.instr]}, t.instr})
				continue
			}
			w.at[t.instr] = LockCall{Mutex: c.mutex[t.instr], Key: c.keys[t.instr]}
		}
		for _, instr := range c.releases {
			w.at[instr] = LockCall{Mutex: c.mutex[instr], Key: c.keys[instr], Release: true}
		}
		for _, call := range c.looks {
			w.quiet[call] = true
		}
	}
}

// candidate is what is known of the field or package variable at addr.
func (w *wide) candidate(addr ssa.Value) *candidate {
	v := declared(addr)
	if v == nil {
		return nil
	}
	c := w.candidates[v]
	if c == nil {
		c = &candidate{mutex: map[ssa.Instruction]ssa.Value{}, keys: map[ssa.Instruction]ssa.Value{}}
		w.candidates[v] = c
	}
	return c
}

// declared is the field or package variable at an address; nil if it is something
// else.
func declared(addr ssa.Value) *types.Var {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		return field(a)
	case *ssa.Global:
		v, _ := a.Object().(*types.Var)
		return v
	}
	return nil
}

// addChannel looks at an address of a channel, and at what is done with it.
func (w *wide) addChannel(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		if isChannel(instr.Type()) {
			w.channelAt(instr, *instr.Referrers())
		}
	case *ssa.Store:
		if g, ok := instr.Addr.(*ssa.Global); ok && isChannel(g.Type()) {
			w.channelAt(g, []ssa.Instruction{instr})
		}
	case *ssa.UnOp:
		if g, ok := instr.X.(*ssa.Global); ok && isChannel(g.Type()) {
			w.channelAt(g, []ssa.Instruction{instr})
		}
	}
}

func isChannel(ptr types.Type) bool {
	p, ok := ptr.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = p.Elem().Underlying().(*types.Chan)
	return ok
}

// channelAt notes the uses of the address of a channel.
func (w *wide) channelAt(addr ssa.Value, uses []ssa.Instruction) {
	c := w.candidate(addr)
	if c == nil {
		return
	}
	for _, use := range uses {
		switch use := use.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			made, ok := use.Val.(*ssa.MakeChan)
			if use.Addr != addr || !ok || !isOne(made.Size) {
				c.refused = true
				continue
			}
			c.made = true
			c.uses(made, use)
		case *ssa.UnOp:
			c.uses(use, nil)
		default:
			c.refused = true
		}
	}
}

// isOne reports whether a value is the number one.
func isOne(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil {
		return false
	}
	n, exact := constant.Int64Val(constant.ToInt(c.Value))
	return exact && n == 1
}

// uses notes what is done with a channel. What is sent to one that was just made,
// before anybody else has it, is its token.
func (c *candidate) uses(ch ssa.Value, made ssa.Instruction) {
	for _, ref := range *ch.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			c.refused = c.refused || ref != made
		case *ssa.Send:
			switch {
			case ref.Chan != ch:
				c.refused = true
			case made != nil || sameBlockAsMake(ref, ch):
				c.token = true
			default:
				c.sends = append(c.sends, ref)
			}
		case *ssa.UnOp:
			c.receives = append(c.receives, ref)
		case *ssa.Select:
			c.chosen(ref, ch)
		case *ssa.Call:
			if b, ok := ref.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" && b.Name() != "cap" {
				c.refused = true
			}
		default:
			c.refused = true
		}
		c.mutex[ref] = ch
	}
}

// sameBlockAsMake reports whether a channel that is sent to was made just before, and
// put where it was loaded from now.
func sameBlockAsMake(send *ssa.Send, ch ssa.Value) bool {
	load, ok := ch.(*ssa.UnOp)
	if !ok {
		return false
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	_, made := fa.X.(*ssa.Alloc)
	return made
}

// chosen is a case of a select.
func (c *candidate) chosen(sel *ssa.Select, ch ssa.Value) {
	for _, s := range sel.States {
		switch {
		case s.Chan != ch:
		case s.Dir == types.SendOnly:
			c.sends = append(c.sends, sel)
		default:
			c.receives = append(c.receives, sel)
		}
	}
}

// settleChannel says which of the two is to take.
func (c *candidate) settleChannel() {
	takes, releases := c.sends, c.receives
	if c.token {
		takes, releases = releases, takes
	}
	c.refused = c.refused || !c.made
	for _, instr := range takes {
		t := taking{instr: instr}
		if sel, ok := instr.(*ssa.Select); ok {
			t.into = chosenBlock(sel, c.mutex[sel])
			c.refused = c.refused || t.into == nil
		}
		c.takes = append(c.takes, t)
	}
	for _, instr := range releases {
		if _, ok := instr.(*ssa.Select); ok {
			c.refused = true // it may also be given back by nobody
		}
	}
	c.releases = releases
}

// addFlag notes an operation on an atomic.
func (w *wide) addFlag(call ssa.CallInstruction, flags Flags) {
	addr, op := flags(call)
	if addr == nil {
		return
	}
	c := w.candidate(addr)
	if c == nil {
		return
	}
	c.mutex[call] = addr
	switch op {
	case FlagTake:
		v, ok := call.(*ssa.Call)
		if !ok {
			c.refused = true
			return
		}
		into := whenTrue(v)
		if into == nil && isReturned(v) {
			c.returned = append(c.returned, v)
			return
		}
		c.refused = c.refused || into == nil
		c.takes = append(c.takes, taking{instr: v, into: into})
		c.looks = append(c.looks, call)
	case FlagRelease:
		c.releases = append(c.releases, call)
	case FlagLook:
		c.looks = append(c.looks, call)
	default:
		c.refused = true
	}
}

// refuseOthers refuses the atomics of which a function uses the address for something
// else than an operation that is known.
func (w *wide) refuseOthers(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if _, isPart := instr.(*ssa.DebugRef); isPart {
				continue
			}
			for _, op := range instr.Operands(nil) {
				v := declared(*op)
				c := w.candidates[v]
				if v == nil || c == nil {
					continue
				}
				switch _, known := c.mutex[instr]; {
				case known, isChannel((*op).Type()):
				case c.object:
					c.refuseObject(instr, *op)
				default:
					c.refused = true
				}
			}
		}
	}
}

// addObject notes a call of a method of an object that may be a lock.
func (w *wide) addObject(call ssa.CallInstruction, objects Objects) {
	if objects == nil {
		return
	}
	object, op, ok := objects(call)
	if !ok {
		return
	}
	c := w.candidate(PlaceOf(object))
	if c == nil {
		return
	}
	c.object, c.counted = true, c.counted || op.Counted
	c.mutex[call] = object
	if op.Key > 0 {
		c.keyed, c.keys[call] = true, argumentOf(call, op.Key)
	}
	switch v, isCall := call.(*ssa.Call); {
	case op.Op == FlagRelease:
		c.releases = append(c.releases, call)
	case op.Op == FlagLook:
		c.looks = append(c.looks, call)
	case op.Op != FlagTake || !isCall:
		c.refused = true
	case op.When == Always:
		c.takes = append(c.takes, taking{instr: v})
	default:
		into := whenTaken(v, op)
		c.refused = c.refused || into == nil
		c.takes = append(c.takes, taking{instr: v, into: into})
		c.looks = append(c.looks, call)
	}
}

// refuseObject refuses an object that an instruction uses, or puts where it is a lock, in a way
// that is not known.
func (c *candidate) refuseObject(instr ssa.Instruction, place ssa.Value) {
	switch instr := instr.(type) {
	case *ssa.Store:
		c.refused = c.refused || instr.Addr != place || !c.isNew(instr.Val)
	case *ssa.UnOp:
		for _, ref := range *instr.Referrers() {
			switch ref := ref.(type) {
			case *ssa.DebugRef:
			case *ssa.BinOp:
			case ssa.CallInstruction:
				_, known := c.mutex[ref]
				c.refused = c.refused || !known && !(c.keyed && isMethodOf(ref, instr))
			default:
				c.refused = true
			}
		}
	case ssa.CallInstruction:
		c.refused = c.refused || !c.keyed || !isMethodOf(instr, place)
	default:
		c.refused = true
	}
}

// isNew reports whether a value is an object that was just made; for one, if it counts.
func (c *candidate) isNew(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return !c.counted
	case *ssa.MakeInterface:
		return c.isNew(v.X)
	case *ssa.UnOp: // what was made is put there by value
		a, ok := v.X.(*ssa.Alloc)
		return ok && !c.counted && a.Parent() == v.Parent()
	case *ssa.Alloc:
		return !c.counted
	case *ssa.Call:
		c.made = c.made || c.counted
		return !c.counted || len(v.Call.Args) == 1 && isOne(v.Call.Args[0])
	}
	return false
}

// argumentOf is the one of a call with a number, from one, without the receiver.
func argumentOf(call ssa.CallInstruction, n int) ssa.Value {
	args := call.Common().Args
	if !call.Common().IsInvoke() {
		args = args[1:]
	}
	return args[n-1]
}

// isMethodOf reports whether a call is of a method of a value, and nothing else is done with that: that
// of an object with many locks may count them.
func isMethodOf(call ssa.CallInstruction, object ssa.Value) bool {
	c := call.Common()
	if c.IsInvoke() {
		return c.Value == object && !slices.Contains(c.Args, object)
	}
	callee := c.StaticCallee()
	return callee != nil && callee.Signature.Recv() != nil && c.Args[0] == object && !slices.Contains(c.Args[1:], object)
}

// findKeyed adds the methods that take or give back the lock of a key.
func (in *inference) findKeyed() {
	k := keyed{locks: in.Locks, local: in.local, mapOf: func(call ssa.CallInstruction) ssa.Value {
		m, op, _ := in.Entries(call)
		if op == EntryOther {
			return nil
		}
		return m
	}}
	for _, fn := range in.funcs {
		if _, known := in.objects[fn]; known {
			continue
		}
		if op, ok := k.opOf(fn); ok {
			in.objects[fn] = op
		}
	}
}

// findObjects finds what the methods of types are to others that have one lock which is no
// mutex, while it is only a candidate: who gives it back without having it is not in sight.
func (w *wide) findObjects(funcs []*ssa.Function) map[*ssa.Function]ObjectOp {
	of := map[*types.Named]*candidate{}
	for v, c := range w.candidates {
		if t := c.ownerOf(v); t != nil {
			if of[t] != nil {
				c = &candidate{refused: true} // two
			}
			of[t] = c
		}
	}
	out := map[*ssa.Function]ObjectOp{}
	for range rounds {
		for _, fn := range funcs {
			c := of[receiverOf(fn)]
			if _, done := out[fn]; done || c == nil || c.refused {
				continue
			}
			if op, ok := opOf(fn, c.events(fn, out)); ok {
				out[fn] = op
			}
		}
	}
	return out
}

// ownerOf is the type of which only methods use a candidate, on their own object; nil if it is
// not so.
func (c *candidate) ownerOf(v *types.Var) *types.Named {
	if !v.IsField() || v.Exported() || c.object || len(c.takes)+len(c.returned) == 0 || len(c.releases) == 0 {
		return nil
	}
	var owner *types.Named
	for instr, mutex := range c.mutex {
		if instr.Parent() == nil || instr.Block() == nil || c.makes(instr) {
			continue
		}
		fa, ok := PlaceOf(mutex).(*ssa.FieldAddr)
		t := receiverOf(instr.Parent())
		if !ok || t == nil || owner != nil && t != owner || fa.X != ssa.Value(instr.Parent().Params[0]) {
			return nil
		}
		owner = t
	}
	return owner
}

// makes reports whether an instruction puts a channel where it is a lock, or its token into it.
func (c *candidate) makes(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		return true
	case *ssa.Send:
		_, isNew := instr.Chan.(*ssa.MakeChan)
		return isNew || sameBlockAsMake(instr, instr.Chan)
	}
	return false
}

// events are what a method does to the lock, by itself or by other methods of its object.
func (c *candidate) events(fn *ssa.Function, known map[*ssa.Function]ObjectOp) []event {
	var out []event
	for _, t := range c.takes {
		if t.instr.Parent() == fn {
			out = append(out, event{instr: t.instr, into: t.into})
		}
	}
	for _, instr := range c.returned {
		if instr.Parent() == fn {
			out = append(out, event{instr: instr, returned: true})
		}
	}
	for _, instr := range c.releases {
		if instr.Parent() == fn {
			out = append(out, event{instr: instr, release: true})
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if ev, ok := delegated(instr, fn, known); ok {
				out = append(out, ev)
			}
		}
	}
	return out
}

// refute drops the candidates that somebody gives back who does not have them, and
// reports whether there were any.
func (in *inference) refute() bool {
	found := false
	for v, c := range in.wide.candidates {
		for _, instr := range c.releases {
			if !in.owned(instr, LockCall{Mutex: c.mutex[instr], Key: c.keys[instr]}) {
				delete(in.wide.candidates, v)
				found = true
				break
			}
		}
	}
	if found {
		in.wide.index()
	}
	return found
}

// owned reports whether a lock is held where it is given back: taken there, or by all
// callers. A deferred literal gives back what is held where it is deferred.
func (in *inference) owned(instr ssa.Instruction, lc LockCall) bool {
	l, ok := in.lockOf(lc)
	fn := instr.Parent()
	f := in.flows[fn]
	if !ok || f == nil {
		return false
	}
	if _, held := f.at(instr)[l]; held {
		return true
	}
	return unlocksLocker(fn)
}

// unlocksLocker reports whether fn is the Unlock of a type that is a sync.Locker: by
// its contract, who calls it has called Lock.
func unlocksLocker(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil || fn.Name() != "Unlock" || fn.Signature.Params().Len()+fn.Signature.Results().Len() > 0 {
		return false
	}
	sel := types.NewMethodSet(recv.Type()).Lookup(fn.Pkg.Pkg, "Lock")
	if sel == nil {
		return false
	}
	sig := sel.Obj().(*types.Func).Signature()
	return sig.Params().Len()+sig.Results().Len() == 0
}

// LockAt is what an instruction takes or releases that is no mutex.
func (g *Guards) LockAt(instr ssa.Instruction) (LockCall, bool) {
	lc, ok := g.in.wide.at[instr]
	return lc, ok
}

// LocksInto are the locks other than mutexes that are taken on the way into a block.
func (g *Guards) LocksInto(b *ssa.BasicBlock) []LockCall {
	var out []LockCall
	for _, t := range g.in.wide.into[b] {
		out = append(out, t.LockCall)
	}
	return out
}

// IsLock reports whether a call is an operation on an atomic that is a lock, and
// neither takes nor releases it by itself.
func (g *Guards) IsLock(call ssa.CallInstruction) bool { return g.in.wide.quiet[call] }

// Object is what a method does to its object, which may be a lock to other packages.
func (g *Guards) Object(fn *ssa.Function) (ObjectOp, bool) {
	op, ok := g.in.objects[fn]
	return op, ok
}
