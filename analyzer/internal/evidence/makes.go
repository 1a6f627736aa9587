package evidence

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// That one of two objects is lost matters if there are two. What is made here is another
// one each time, and so is what callers come with; what an object is asked for may be the
// same as before:
//
//	h = latency.WithLabelValues(name) // finds the one that it has for this name
//	c.byName.Store(name, h)

// losesObject reports whether a value that the step stores is one that nobody else has,
// with a state that its users change.
func (e *Weigher) losesObject(v *violation) bool { return len(e.lost(v)) > 0 }

// lost are the operations that store such a value.
func (e *Weigher) lost(v *violation) []*register.Instr {
	if !v.onMap() && !e.storesMutable(v) {
		return nil
	}
	stores := e.stores(v)
	if at := slices.IndexFunc(stores, func(in *register.Instr) bool { return e.position(in.Pos) == v.x.Pos }); at >= 0 {
		stores = stores[at : at+1] // what is wrong is this one, whatever else the step stores
	}
	return slices.DeleteFunc(stores, func(in *register.Instr) bool {
		if in.Op == register.CAS && (v.x.Several || v.takesWinner(in) || v.loserDrops(in)) {
			return true // who offers one, and another one is there, knows that
		}
		val, _ := judge.StoredOperand(in)
		op, _ := e.ps.Res.OperationAt(in.Pos)
		switch e.madeBy(v, val, map[register.Local]bool{}) {
		case madeHere:
			return !e.ps.Res.OwnState(op.Stored) || isContainer(op.Stored) && !e.changedThere(v, val)
		case madeElsewhere:
			return !e.ps.Res.MutableValue(op.Stored)
		}
		return true
	})
}

// loses reports whether one of the objects that the step loses is of a type of which
// something is so.
func (e *Weigher) loses(v *violation, is func(types.Type) bool) bool {
	return slices.ContainsFunc(e.lost(v), func(in *register.Instr) bool {
		op, _ := e.ps.Res.OperationAt(in.Pos)
		return is(op.Stored)
	})
}

// onlyRemembered reports whether all that anybody puts there is what this function makes, and those who find
// it do no more than look at it.
func (e *Weigher) onlyRemembered(v *violation) bool {
	root := v.Root(v.g.Cells[0])
	if v.x.Several || !e.judge.World.Closed(root) {
		return false
	}
	if slices.ContainsFunc(e.judge.World.Steps[root], func(s *rivals.Step) bool {
		return s.From == nil || someInstr(s.Step.Program, storesValue) && !e.stepOf(v.Fn, s)
	}) {
		return false
	}
	return !e.loses(v, func(made types.Type) bool { return !e.ps.OnlyLookedAt(root, made) })
}

// losesCount reports whether an object is lost on which callers count for as long as they have it, and which nobody finds who tells
// what was counted:
//
//	hits := metrics.Counter("hits") // in another package
//	hits.Inc()
func (e *Weigher) losesCount(v *violation) bool {
	return v.onMap() && !v.x.Several && v.x.Category != absint.InconsistentRead && slices.ContainsFunc(e.stores(v), func(in *register.Instr) bool {
		val, ok := judge.StoredOperand(in)
		op, _ := e.ps.Res.OperationAt(in.Pos)
		return ok && in.Op == register.Write && op.Stored != nil && e.madeBy(v, val, map[register.Local]bool{}) == madeHere && e.ps.Exported(v.Fn) && v.returns(val) && e.ps.Res.Counts(op.Stored)
	})
}

// returns reports whether the function gives its callers a value.
func (v *violation) returns(val register.Operand) bool {
	val = v.N.Source(val)
	return slices.ContainsFunc(v.Prog.Blocks, func(blk *register.Block) bool {
		return blk.Term.Kind == register.Return && slices.ContainsFunc(blk.Term.Vals, func(o register.Operand) bool {
			return o.Local != register.None && slices.Contains(v.madeOf(o, 0), val.Local)
		})
	})
}

// storesValue reports whether an instruction stores something that is no constant: nil is nothing.
func storesValue(in register.Instr) bool {
	val, ok := judge.StoredOperand(&in)
	return ok && !val.IsLit()
}

// isContainer reports whether a type is that of a map or a slice as the language has it: somebody fills one of
// those in every package, so that this says nothing of one that is remembered.
func isContainer(t types.Type) bool {
	switch types.Unalias(t).(type) {
	case *types.Map, *types.Slice:
		return true
	}
	return false
}

// changedThere reports whether somebody changes what he has found in the cell, or the call what it has put
// there:
//
//	room := s.members[id]
//	room[user] = m
func (e *Weigher) changedThere(v *violation, stored register.Operand) bool {
	if someInstr(v.Prog, func(in register.Instr) bool {
		return changes(&in) && v.N.Source(in.Args[0]) == v.N.Source(stored) && v.afterWrite(in.Pos)
	}) {
		return true
	}
	root := v.Root(v.g.Cells[0])
	return slices.ContainsFunc(e.judge.World.Steps[root], func(s *rivals.Step) bool {
		if s.From == nil {
			return false
		}
		found := foundBy(slices.DeleteFunc(slices.Clone(s.Accesses), func(a *register.Access) bool { return s.From.Root(a.Cell) != root })...)
		passOn(s.From.Prog, found, func(in *register.Instr) bool {
			return in.Op == register.Copy || in.Op == register.Pure && !register.IsTest(in.Name)
		})
		return someInstr(s.From.Prog, func(in register.Instr) bool { return changes(&in) && found[s.From.N.Source(in.Args[0]).Local] })
	})
}

// takesWinner reports whether what a compare-and-swap offers is used for nothing else but to choose between that and
// what is there instead: nothing is lost with it.
func (v *violation) takesWinner(cas *register.Instr) bool {
	offered, chosen := v.N.Source(cas.Args[len(cas.Args)-1]), false
	if offered.Local == register.None || len(cas.Dst) < 2 || cas.Dst[0] == register.None {
		return false
	}
	for _, blk := range v.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			uses := slices.ContainsFunc(in.Args, func(a register.Operand) bool { return v.N.Source(a) == offered })
			chooses := in.Op == register.Pure && in.Name == "choose" && in.Args[2] == register.L(cas.Dst[0])
			if uses && in != cas && !chooses && in.Op != register.Copy {
				return false
			}
			chosen = chosen || uses && chooses
		}
		if slices.ContainsFunc(blk.Term.Vals, func(a register.Operand) bool { return v.N.Source(a) == offered }) {
			return false
		}
	}
	return chosen
}

// loserDrops reports whether the call asks whether what a compare-and-swap offers was put there, and has no use
// for it where it was not, until it may offer it again. To close it is none.
func (v *violation) loserDrops(cas *register.Instr) bool {
	if len(cas.Dst) < 2 || cas.Dst[1] == register.None {
		return false
	}
	offered := map[register.Local]bool{v.N.Source(cas.Args[len(cas.Args)-1]).Local: true}
	delete(offered, register.None)
	passOn(v.Prog, offered, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Fresh || in.Op == register.Pure && in.Name != "choose" && !register.IsTest(in.Name)
	})
	asked := false
	for _, blk := range v.Prog.Blocks {
		lost := v.lostTo(blk, cas.Dst[1])
		if lost < 0 {
			continue
		}
		if asked = true; v.usedFrom(lost, cas, offered, map[int]bool{}) {
			return false
		}
	}
	return asked
}

// lostTo is the block to which the end of another one leads if what it asks is whether a compare-and-swap has
// succeeded, and it has not; -1 if it asks something else.
func (v *violation) lostTo(blk *register.Block, won register.Local) int {
	if blk.Term.Kind != register.Branch {
		return -1
	}
	asked, _, lost := v.question(blk)
	if asked != won {
		return -1
	}
	return lost
}

// usedFrom reports whether one of some values is used from a block on, before an instruction, for more than to close it.
func (v *violation) usedFrom(block int, before *register.Instr, some map[register.Local]bool, seen map[int]bool) bool {
	if seen[block] {
		return false
	}
	seen[block] = true
	is := func(a register.Operand) bool { return !a.IsLit() && (some[a.Local] || some[v.N.Source(a).Local]) }
	blk, closed := v.Prog.Blocks[block], register.Pos{}
	for i := range blk.Instrs {
		in := &blk.Instrs[i]
		if in == before {
			return false
		}
		if in.Effect().Kind == register.Called && ssaprog.Ends(in.Effect().Callee) {
			closed = in.Pos
		}
		if in.Op != register.Copy && in.Op != register.Pure && (in.Pos != closed || closed.IsZero()) && slices.ContainsFunc(in.Args, is) {
			return true
		}
	}
	return slices.ContainsFunc(blk.Term.Vals, is) || slices.ContainsFunc(blk.Term.To, func(to int) bool { return v.usedFrom(to, before, some, seen) })
}

// stores are the operations of a step that store something of which the source says the
// type.
func (e *Weigher) stores(v *violation) []*register.Instr {
	var out []*register.Instr
	for _, a := range v.g.Accesses {
		for _, ref := range a.Ops {
			in := &v.Prog.Blocks[ref.Block].Instrs[ref.Instr]
			_, ok := judge.StoredOperand(in)
			if op, known := e.ps.Res.OperationAt(in.Pos); ok && known && op.Stored != nil {
				out = append(out, in)
			}
		}
	}
	return out
}

// overwritesGiven reports whether what a caller gives is overwritten by what another one
// gives, although both have looked whether there is something. Who stores it unless the same is there keeps nothing, if
// he only asks what is there.
func (e *Weigher) overwritesGiven(v *violation) bool {
	if !v.onMap() || v.x.Category != absint.LostUpdate || v.onlySeen() {
		return false
	}
	return slices.ContainsFunc(v.g.Accesses, func(a *register.Access) bool {
		return slices.ContainsFunc(a.Ops, func(ref register.Ref) bool {
			in := &v.Prog.Blocks[ref.Block].Instrs[ref.Instr]
			val, ok := judge.StoredOperand(in)
			return ok && in.Op == register.Write && e.isGiven(v, val, in.Cell) && (v.keepsSome(a) || v.limited() && !v.onlyAsks())
		})
	}) && (v.x.Environment != absint.Package || !e.mildWithout(v, unlooked))
}

// unlooked reports whether a step stores something, or takes it away, whatever there is: it keeps to no rule of who has an entry.
func unlooked(s *rivals.Step) bool {
	looks := func(in register.Instr) (looks bool) {
		if in.IsBase() {
			in.Defs(func(register.Local) { looks = true })
		}
		return looks
	}
	return s.Writes && !someInstr(s.Step.Program, looks)
}

// keepsSome reports whether an access goes by whether something is found there by one before it.
func (v *violation) keepsSome(stores *register.Access) bool {
	return slices.ContainsFunc(v.g.Accesses, func(a *register.Access) bool { return a != stores && v.goesByPresence(a, stores) })
}

// leftUnder is another map in which the value that is stored in an entry is a key, put there in the same critical section: where another
// value takes its place, it is still in that one. It is empty if there is none.
//
//	a.hosts[addr] = host
//	a.addrs[host] = addr
func (v *violation) leftUnder() string {
	if v.x.Several || !v.onMap() || v.x.Category != absint.LostUpdate || v.onlySeen() {
		return ""
	}
	for _, a := range v.g.Accesses {
		for _, ref := range a.Ops {
			val, ok := judge.StoredOperand(&v.Prog.Blocks[ref.Block].Instrs[ref.Instr])
			if !ok || val.IsLit() || val.IsNone() {
				continue
			}
			for _, other := range v.Find.Accesses {
				cell := v.Prog.Cells[other.Cell]
				if other.Cell != a.Cell && other.Writes && !v.TakesAway(other) && cell.Kind == register.Map && v.N.Source(cell.Key) == v.N.Source(val) && !v.apart(other, a) && !v.apart(a, other) {
					return cell.Label
				}
			}
		}
	}
	return ""
}

// isGiven reports whether a value is a caller's, or an object or a struct that is made of what the
// caller says beside the key, and another one may say otherwise:
//
//	k := key{uri, secret}
//	if l, ok := c.logs[k]; ok { return l }
//	c.logs[k] = newLog(uri, secret, agent) // all callers give the agent of c
func (e *Weigher) isGiven(v *violation, val register.Operand, cell int) bool {
	val = v.N.Source(val)
	inKey := v.madeOf(v.Prog.Cells[cell].Key, 0)
	if slices.Contains(v.Prog.Params, val.Local) {
		return !slices.Contains(inKey, val.Local)
	}
	return slices.ContainsFunc(v.madeWith(val, 0), func(arg register.Operand) bool {
		if arg.IsLit() || arg.IsNone() || slices.Contains(inKey, arg.Local) || !slices.Contains(v.Prog.Params, arg.Local) {
			return false
		}
		written := v.Parameter(arg.Local) != nil // and is not the zero value of a type parameter
		return written && v.Prog.TypeOf(arg.Local).Kind != register.Pointer && !e.sameOfAll(v, arg.Local)
	})
}

// madeWith are what an object was made of, or what a struct has in its fields and in the fields of those.
func (v *violation) madeWith(val register.Operand, depth int) (out []register.Operand) {
	def := v.Prog.OnlyDef(v.N.Source(val).Local)
	isStruct := def != nil && def.Op == register.Pure && strings.HasPrefix(def.Name, register.StructOf)
	if def == nil || !isStruct && def.Op != register.Fresh || depth > maxSource {
		return nil
	}
	for _, arg := range def.Args {
		arg = v.N.Source(arg)
		out = append(out, arg)
		if isStruct {
			out = append(out, v.madeWith(arg, depth+1)...)
		}
	}
	return out
}

// madeOf are a value and what it is put together from, as a key that is a structure is.
func (v *violation) madeOf(op register.Operand, depth int) []register.Local {
	op = v.N.Source(op)
	if op.IsLit() || op.IsNone() || depth > maxSource {
		return nil
	}
	out := []register.Local{op.Local}
	if def := v.Prog.OnlyDef(op.Local); def != nil && def.Op == register.Pure && def.Memory().Kind == register.NoMemory {
		for _, arg := range def.Args {
			out = append(out, v.madeOf(arg, depth+1)...)
		}
	}
	return out
}

// sameOfAll reports whether all callers give for a parameter what their own object has, or a constant:
// they have to be in sight.
func (e *Weigher) sameOfAll(v *violation, param register.Local) bool {
	p, ok := v.Parameter(param).(*ssa.Parameter)
	if !ok || p.Parent() != v.Fn || e.ps.Exported(v.Fn) || e.ps.Escapes(v.Fn) || e.ps.Started(v.Fn) {
		return false
	}
	i, calls := slices.Index(v.Fn.Params, p), e.ps.Callers(v.Fn)
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
		args := call.Common().Args
		return i >= len(args) || !isOwnField(args[i], call.Parent())
	})
}

// isOwnField reports whether a value is a constant, or what the object of a method has in a field.
func isOwnField(v ssa.Value, in *ssa.Function) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.UnOp:
		field, ok := v.X.(*ssa.FieldAddr)
		return ok && in.Signature.Recv() != nil && field.X == ssa.Value(in.Params[0])
	}
	return false
}

// onMap reports whether it is about an entry of a map.
func (v *violation) onMap() bool { return v.x.Several || v.x.Region.Cells[0].Kind == register.Map }

// maker says who makes a value.
type maker int

const (
	// madeBefore: it may be one that was there before.
	madeBefore maker = iota
	// madeHere: the call makes it, and what it consists of may be older.
	madeHere
	// madeElsewhere: it is given to the call, or made by a function that it calls.
	madeElsewhere
)

// madeBy says who makes a value; of several ways, the one that says most.
func (e *Weigher) madeBy(v *violation, op register.Operand, seen map[register.Local]bool) maker {
	op = v.N.Source(op)
	if op.IsLit() || op.IsNone() || seen[op.Local] {
		return madeBefore
	}
	seen[op.Local] = true
	best := madeBefore
	if slices.Contains(v.Prog.Params, op.Local) {
		best = madeElsewhere
	}
	for _, blk := range v.Prog.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; defines(in, op.Local) {
				best = max(best, e.madeIn(v, in, op.Local, seen))
			}
		}
	}
	return best
}

// madeIn is madeBy for one of the values that an instruction gives.
func (e *Weigher) madeIn(v *violation, in *register.Instr, of register.Local, seen map[register.Local]bool) maker {
	best := madeBefore
	switch {
	case in.Op == register.Fresh:
		return madeHere
	case in.Op == register.Unknown && (e.callsFunction(in.Pos) || e.gives(e.callAt(in.Pos), slices.Index(in.Dst, of), 0, anybody)):
		return madeElsewhere
	case in.Op == register.Copy, in.Op == register.Pure && in.Memory().Kind == register.NoMemory:
		for _, arg := range in.Args {
			best = max(best, e.madeBy(v, arg, seen))
		}
	}
	return best
}

// makesAnother reports whether what the step stores is an object that a function of the package makes each time, with
// a state that somebody changes: it is not the same for all who ask for it, whatever that function is told.
//
//	func open(name string) *Room { r := &Room{name: name, say: make(chan string)}; go r.run(); return r }
func (e *Weigher) makesAnother(v *violation) bool {
	return e.storesMutable(v) && slices.ContainsFunc(e.stores(v), func(in *register.Instr) bool {
		val, _ := judge.StoredOperand(in)
		val = v.N.Source(val)
		def := v.Prog.OnlyDef(val.Local)
		return def != nil && def.Op == register.Unknown && e.gives(e.callAt(def.Pos), slices.Index(def.Dst, val.Local), 0, itself)
	})
}

// byWhom says who may make what a function gives: itself and others of the package, or any function that it calls.
type byWhom bool

const (
	itself  byWhom = false
	anybody byWhom = true
)

// gives reports whether a function of the package gives, as result i, what it makes, or has made for it, or nothing:
//
//	func (p *Pool) dial(name string) (*sql.DB, error) { … db, err := sql.Open(p.driver, name) … return db, nil }
func (e *Weigher) gives(call *ssa.CallCommon, i, depth int, by byWhom) bool {
	if call == nil || i < 0 || depth > maxSource {
		return false
	}
	fn, some := e.ps.Res.Local(call.StaticCallee()), false
	if fn == nil {
		return false
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || i >= len(ret.Results) || ssaprog.IsNil(ret.Results[i]) {
			continue
		}
		if !e.isMade(ret.Results[i], depth, by) {
			return false
		}
		some = true
	}
	return some
}

// isMade reports whether a value is an object that is made in its function, or by one that is called there.
func (e *Weigher) isMade(v ssa.Value, depth int, by byWhom) bool {
	made := func(call *ssa.CallCommon, i int) bool {
		return by == anybody && !isMethodCall(call) || e.gives(call, i, depth+1, by)
	}
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeChan:
		return true
	case *ssa.MakeInterface:
		return e.isMade(v.X, depth, by)
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		return ok && made(&call.Call, v.Index)
	case *ssa.Call:
		return made(&v.Call, 0)
	}
	return false
}

// losesCloser reports whether the step stores an object with a method Close that may fail, such as a connection, which
// it has made or got from a function that may fail as well, where there was none: the one that is overwritten stays
// open.
//
//	if c, ok := p.conn(addr); ok { return c, nil }
//	c, err := p.dial(addr)
//	…
//	p.conns[addr] = c // in the place of one that somebody else has dialled meanwhile
func (e *Weigher) losesCloser(v *violation) bool {
	if !v.onMap() || v.x.Several || !v.limited() || v.x.Category == absint.InconsistentRead {
		return false
	}
	return slices.ContainsFunc(e.stores(v), func(in *register.Instr) bool {
		val, ok := judge.StoredOperand(in)
		op, _ := e.ps.Res.OperationAt(in.Pos)
		return ok && in.Op == register.Write && e.position(in.Pos) == v.x.Pos && mustClose(op.Stored) && e.opened(v, val)
	})
}

// mustClose reports whether a type has a method Close that gives an error.
func mustClose(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "Close")
	fn, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	sig := fn.Signature()
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 && ssaprog.IsError(sig.Results().At(0).Type())
}

// opened reports whether a value, or what an object that the call has made consists of, is what a call has given that
// can fail.
func (e *Weigher) opened(v *violation, op register.Operand) bool {
	op = v.N.Source(op)
	if op.IsLit() || op.IsNone() {
		return false
	}
	def := v.Prog.OnlyDef(op.Local)
	switch {
	case def == nil:
		return false
	case def.Op == register.Fresh:
		return slices.ContainsFunc(def.Args, func(arg register.Operand) bool { return e.opened(v, arg) })
	case def.Op != register.Unknown:
		return false
	}
	call, i := e.callAt(def.Pos), slices.Index(def.Dst, op.Local)
	return call != nil && canFail(call) && mustClose(call.Signature().Results().At(0).Type()) && (e.callsFunction(def.Pos) || e.gives(call, i, 0, anybody))
}

// Two that draw by lot get different values, as immutable as they are:
//
//	if _, ok := s.secrets.Load(user); !ok {
//		secret := newSecret() // 16 bytes of crypto/rand
//		s.secrets.Store(user, secret)
//		return secret // which is not the one that is checked later
//	}

// losesDrawn reports whether the step stores a value that was drawn by lot, and gives out what it
// has drawn, although another one may have taken its place.
func (e *Weigher) losesDrawn(v *violation) bool {
	if v.x.Category == absint.StaleDelete || v.x.Category == absint.InconsistentRead || v.swaps() || !v.limited() {
		return false
	}
	return slices.ContainsFunc(e.stores(v), func(in *register.Instr) bool {
		val, ok := judge.StoredOperand(in)
		return ok && !val.IsLit() && judge.IsDrawn(v.Prog, val) && v.givesOut(map[register.Local]bool{v.N.Source(val).Local: true, val.Local: true})
	})
}
