package reduce

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Inline returns a copy of p in which calls are replaced by the programs that
// lookup gives for their keys, up to the given depth of nesting. A call of a
// function that is unknown, or recursive, or too deep, or that would add more than
// so many instructions in sum, becomes an Effect and an Unknown. So the result has no
// calls left. Function values are followed through parameters and results, so
// that a callback is inlined in the function that it is passed to.
//
// Then the loads that one part of it takes for pure and another one writes to
// become unknown, checks for nil that cannot concern a cell are dropped, cells are merged,
// and what is done to each entry of a map is done to those that are known.
func Inline(p *register.Program, lookup func(key string) *register.Program, depth, most int) *register.Program {
	out := &register.Program{Name: p.Name, Stored: map[string]bool{}, FieldPlaces: map[string]int{}}
	in := &inliner{
		Naming: register.NewNaming(out), lookup: lookup, depth: depth, most: most,
		single: map[register.Local]bool{}, funcs: map[register.Local]*function{},
	}
	frame := in.rename(p)
	for _, param := range p.Params {
		out.Params = append(out.Params, frame[param])
	}
	in.splice(p, frame, nil)
	forgetStored(out)
	out.Prune()
	register.DefineAll(out)
	register.Compact(out)
	register.Tidy(out) // so that a check sees what it checks
	if register.FindStored(out) {
		register.Tidy(out)
	}
	pruned := pruneChecks(out)
	register.LookWhereCounted(out)
	if settled := settleSections(out); pruned || settled {
		register.Tidy(out)
	}
	register.CountCleared(out)
	register.ForgetRefilled(out)
	register.ShareEvery(out)
	register.Finish(out, register.MergeCells)
	for range maxMerges {
		if !register.HasUnused(out) {
			break
		}
		register.Finish(out, register.MergeCells)
	}
	register.SpreadEvery(out)
	if register.VisitKnown(out) {
		register.Tidy(out)
	}
	register.StoreOnceSeen(out)
	return out
}

// maxMerges bounds how often cells are merged again: with a key that is only known once those cells are gone
// which had it by another name, as long as it was not.
const maxMerges = 3

// inliner builds the program of naming.
type inliner struct {
	*register.Naming
	lookup func(key string) *register.Program
	depth  int
	stack  []string
	// added are the instructions that inlining has added, and most is how many it may.
	added, most int

	// at is the position of the call being inlined, for what has none of
	// its own: what the SSA builder puts into method values and the like.
	at register.Pos

	// frame gives the locals of the program being copied their new ones,
	// and cells is the number of its first cell.
	frame []register.Local
	cells int
	cur   *register.Block
	// defs counts the assignments to each local of that program, and single
	// are the new locals that have one.
	defs   []int
	single map[register.Local]bool
	// funcs are the functions that locals of the new program hold.
	funcs map[register.Local]*function
}

// function is a function value: a key, and what it captures. refs are the
// locals that stand for the first of that while it can be called; the function
// assigns them.
type function struct {
	key  string
	args []register.Operand
	refs []register.Local
}

// rename makes new locals for those of src.
func (in *inliner) rename(src *register.Program) []register.Local {
	frame := make([]register.Local, len(src.Names))
	for i, name := range src.Names {
		frame[i] = in.Typed(name, src.TypeOf(register.Local(i)))
	}
	return frame
}

// splice copies the blocks of src, with the locals of frame. Where src returns,
// ret is called to end the block; without it, the Return stays. It gives the
// first of the new blocks.
func (in *inliner) splice(src *register.Program, frame []register.Local, ret func(vals []register.Operand, pos register.Pos)) int {
	outer := *in
	in.frame, in.cells, in.defs = frame, len(in.P.Cells), register.DefCounts(src)
	for l, n := range in.defs {
		in.single[frame[l]] = n == 1
	}
	for _, c := range src.Cells {
		c.Map, c.Key = in.operand(c.Map), in.operand(c.Key)
		in.P.Cells = append(in.P.Cells, c)
	}
	for s := range src.Stored {
		in.P.Stored[s] = true
	}
	maps.Copy(in.P.FieldPlaces, src.FieldPlaces)
	first := len(in.P.Blocks)
	for range src.Blocks {
		in.P.Blocks = append(in.P.Blocks, &register.Block{})
	}
	for b, blk := range src.Blocks {
		in.cur = in.P.Blocks[first+b]
		in.cur.Instrs = make([]register.Instr, 0, len(blk.Instrs))
		for i := range blk.Instrs {
			in.instr(&blk.Instrs[i])
		}
		in.term(&blk.Term, first, ret)
	}
	in.frame, in.cells, in.cur, in.defs = outer.frame, outer.cells, outer.cur, outer.defs
	return first
}

// operand is o in the new program.
func (in *inliner) operand(o register.Operand) register.Operand {
	if o.Local != register.None {
		return register.L(in.frame[o.Local])
	}
	return o
}

func (in *inliner) operands(ops []register.Operand) []register.Operand {
	if len(ops) == 0 {
		return nil
	}
	out := make([]register.Operand, len(ops))
	for i, o := range ops {
		out[i] = in.operand(o)
	}
	return out
}

func (in *inliner) locals(ls []register.Local) []register.Local {
	if len(ls) == 0 {
		return nil
	}
	out := make([]register.Local, len(ls))
	for i, l := range ls {
		out[i] = l
		if l != register.None {
			out[i] = in.frame[l]
		}
	}
	return out
}

// instr copies one instruction, or the program that it calls.
func (in *inliner) instr(i *register.Instr) {
	c := *i
	c.Dst, c.Args = in.locals(i.Dst), in.operands(i.Args)
	if c.Pos.IsZero() && i.Op != register.Copy {
		c.Pos = in.at
	}
	if i.IsBase() {
		c.Cell += in.cells
	}
	if i.Op == register.Call {
		in.call(c)
		return
	}
	if at := strings.LastIndexByte(c.Name, '#'); at > 0 && (c.Op == register.Fresh || c.Op == register.Unknown) {
		c.Name = in.Site(c.Name[:at]) // a function that is called twice makes two objects
	}
	in.emit(c)
	if len(i.Dst) == 1 && i.Dst[0] != register.None && in.defs[i.Dst[0]] == 1 {
		in.learn(&c)
	}
}

func (in *inliner) emit(i register.Instr) {
	in.cur.Instrs = append(in.cur.Instrs, i)
}

// learn notes what function a local holds, if the only instruction that
// assigns it says.
func (in *inliner) learn(i *register.Instr) {
	key, isClosure := strings.CutPrefix(i.Name, register.Closure)
	switch {
	case i.Op == register.Pure && isClosure:
		in.funcs[i.Dst[0]] = &function{key: key, args: i.Args}
	case i.Op == register.Copy:
		in.pass(i.Dst[0], i.Args[0])
	}
}

// pass makes dst the function that src is, if it is one.
func (in *inliner) pass(dst register.Local, src register.Operand) {
	if f := in.funcs[src.Local]; src.Local != register.None && f != nil {
		in.funcs[dst] = f
	}
}

// dynamic turns the call of a function value into that of the function, with
// what it captures; false if that is not known.
func (in *inliner) dynamic(c register.Instr) (register.Instr, bool) {
	f := in.funcs[c.Args[0].Local]
	if c.Args[0].Local == register.None || f == nil {
		return c, false
	}
	args := slices.Clone(f.args)
	copy(args, locals(f.refs))
	c.Name, c.Args = f.key, append(args, c.Args[1:]...)
	c.Dst = slices.Concat(c.Dst, f.refs)
	return c, true
}

// call inlines a call if it can.
func (in *inliner) call(c register.Instr) {
	if strings.HasPrefix(c.Name, dynamicPrefix) {
		d, ok := in.dynamic(c)
		if !ok {
			in.opaque(c)
			return
		}
		c = d
	}
	callee := in.callee(c)
	if callee == nil {
		in.opaque(c)
		return
	}
	in.stack = append(in.stack, c.Name)
	in.added += callee.Size()
	back := in.shareVariables(&c)
	frame := in.rename(callee)
	for i, param := range callee.Params {
		in.emit(register.Instr{Op: register.Copy, Dst: []register.Local{frame[param]}, Args: c.Args[i : i+1], Pos: c.Pos})
		in.pass(frame[param], c.Args[i])
	}
	call, next := in.cur, &register.Block{Instrs: back}
	in.P.Blocks = append(in.P.Blocks, next)
	to := []int{len(in.P.Blocks) - 1}
	once := returnCount(callee) == 1
	at := in.at
	in.at = cmp.Or(c.Pos, in.at)
	first := in.splice(callee, frame, func(vals []register.Operand, pos register.Pos) {
		for i, d := range c.Dst {
			if d != register.None && i < len(vals) {
				in.emit(register.Instr{Op: register.Copy, Dst: []register.Local{d}, Args: vals[i : i+1], Pos: pos})
				if once && in.single[d] {
					in.pass(d, vals[i])
				}
			}
		}
		in.cur.Term = register.Term{Kind: register.Jump, To: slices.Clone(to), Pos: pos}
	})
	in.at = at
	call.Term = register.Term{Kind: register.Jump, To: []int{first}, Pos: c.Pos}
	in.stack = in.stack[:len(in.stack)-1]
	in.cur = next
}

// callee is the program to inline for a call; nil if there is none.
func (in *inliner) callee(c register.Instr) *register.Program {
	callee := in.lookup(c.Name)
	if callee == nil {
		return nil
	}
	if len(in.stack) >= in.depth || slices.Contains(in.stack, c.Name) || len(callee.Params) != len(c.Args) || in.added+callee.Size() > in.most {
		in.P.Refused = append(in.P.Refused, c.Name)
		in.emit(register.Instr{Op: register.Omit, Name: register.OmitCall, Pos: c.Pos})
		return nil
	}
	return callee
}

// shareVariables makes locals for the variables that functions among the
// arguments assign, for as long as the call lasts. The last results of the call
// are these variables; they are cut off, and assigned afterwards by the
// instructions that are returned.
func (in *inliner) shareVariables(c *register.Instr) (back []register.Instr) {
	var all []register.Local
	for _, arg := range c.Args {
		if arg.Local == register.None || in.funcs[arg.Local] == nil || in.funcs[arg.Local].refs != nil {
			continue
		}
		f := in.funcs[arg.Local]
		if p := in.lookup(f.key); p != nil && p.Outs <= len(f.args) {
			for _, init := range f.args[:p.Outs] {
				ref := in.Local(p.Names[p.Params[len(f.refs)]])
				in.emit(register.Instr{Op: register.Copy, Dst: []register.Local{ref}, Args: []register.Operand{init}, Pos: c.Pos})
				f.refs = append(f.refs, ref)
			}
		}
		all = append(all, f.refs...)
	}
	if len(all) > len(c.Dst) {
		return nil
	}
	rest := len(c.Dst) - len(all)
	for i, d := range c.Dst[rest:] {
		if d != register.None {
			back = append(back, register.Instr{Op: register.Copy, Dst: []register.Local{d}, Args: []register.Operand{register.L(all[i])}, Pos: c.Pos})
		}
	}
	c.Dst = c.Dst[:rest]
	return back
}

func returnCount(p *register.Program) int {
	n := 0
	for _, b := range p.Blocks {
		if b.Term.Kind == register.Return {
			n++
		}
	}
	return n
}

// opaque is a call of which nothing is known, but that it runs the body of a
// loop over a function any number of times.
func (in *inliner) opaque(c register.Instr) {
	if name, ok := strings.CutPrefix(c.Name, dynamicPrefix); ok {
		c.Name, c.Args = name, c.Args[1:]
	}
	if i := slices.IndexFunc(c.Args, in.isYield); i >= 0 {
		in.iterate(c, i)
		return
	}
	in.emit(register.Instr{Op: register.Effect, Name: c.Name, Args: c.Args, Asks: c.Asks, Pos: c.Pos}.AsCall())
	in.forget(c.Dst, c)
}

// forget makes results of c unknown.
func (in *inliner) forget(dst []register.Local, c register.Instr) {
	for _, d := range dst {
		if d != register.None {
			in.emit(register.Instr{Op: register.Unknown, Dst: dst, Name: in.Site(c.Name), Args: c.Args, Pos: c.Pos}.AsCall())
			return
		}
	}
}

// isYield reports whether an argument is the body of a range over a function.
func (in *inliner) isYield(arg register.Operand) bool {
	if arg.Local == register.None || in.funcs[arg.Local] == nil {
		return false
	}
	p := in.lookup(in.funcs[arg.Local].key)
	return p != nil && p.Yield
}

// iterate calls an iterator that is not known: it calls the body, its i-th
// argument, with values that cannot be predicted, until it or the body is done.
func (in *inliner) iterate(c register.Instr, i int) {
	f := in.funcs[c.Args[i].Local]
	back := in.shareVariables(&c)
	n := len(in.lookup(f.key).Params) - len(f.args)
	c.Args = slices.Concat(c.Args[:i], c.Args[i+1:])
	in.emit(register.Instr{Op: register.Effect, Name: c.Name, Args: c.Args, Asks: c.Asks, Pos: c.Pos}.AsCall())
	head, body, done := in.newBlock(), in.newBlock(), in.newBlock()
	more, again := in.Local("more"), in.Local("again")
	in.cur.Term = register.Term{Kind: register.Jump, To: []int{head}, Pos: c.Pos}

	in.cur = in.P.Blocks[head]
	in.forget([]register.Local{more}, c)
	in.cur.Term = register.Term{Kind: register.Branch, Cond: register.L(more), To: []int{body, done}, Pos: c.Pos}

	in.cur = in.P.Blocks[body]
	args := slices.Clone(f.args)
	copy(args, locals(f.refs))
	for range n {
		item := in.Local("item")
		in.forget([]register.Local{item}, c)
		args = append(args, register.L(item))
	}
	call := register.Instr{Op: register.Call, Dst: append([]register.Local{again}, f.refs...), Name: f.key, Args: args, Pos: c.Pos}
	in.call(call)
	in.cur.Term = register.Term{Kind: register.Branch, Cond: register.L(again), To: []int{head, done}, Pos: c.Pos}

	in.cur = in.P.Blocks[done]
	in.cur.Instrs = append(in.cur.Instrs, back...)
	in.forget(c.Dst, c)
}

func (in *inliner) newBlock() int {
	in.P.Blocks = append(in.P.Blocks, &register.Block{})
	return len(in.P.Blocks) - 1
}

// term copies a terminator to the end of the current block.
func (in *inliner) term(t *register.Term, first int, ret func([]register.Operand, register.Pos)) {
	if t.Kind == register.Return && ret != nil {
		ret(in.operands(t.Vals), t.Pos)
		return
	}
	c := *t
	if t.Kind == register.Branch {
		c.Cond = in.operand(t.Cond)
	}
	c.Vals = in.operands(t.Vals)
	c.To = nil
	for _, s := range t.To {
		c.To = append(c.To, first+s)
	}
	in.cur.Term = c
}

// forgetStored turns the pure loads of memory that some part of p writes to
// into unknown ones.
func forgetStored(p *register.Program) {
	n := register.NewNaming(p)
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != register.Pure || in.Called {
				continue
			}
			name := in.Name
			if name == "load" && len(in.Args) == 1 {
				name = in.Args[0].Lit
			}
			if p.Stored[name] {
				in.Op, in.Name = register.Unknown, n.Site(in.Name)
			}
		}
	}
}
