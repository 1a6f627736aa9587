package reduce

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// maxInlined bounds the instructions that inlining adds to a program.
const maxInlined = 2000

// Inline returns a copy of p in which calls are replaced by the programs that
// lookup gives for their keys, up to the given depth of nesting. A call of a
// function that is unknown, or recursive, or too deep, or that would make the
// program too large, becomes an Effect and an Unknown. So the result has no
// calls left. Function values are followed through parameters and results, so
// that a callback is inlined in the function that it is passed to.
//
// Then the loads that one part of it takes for pure and another one writes to
// become unknown, checks for nil that cannot concern a cell are dropped, and
// cells are merged.
func Inline(p *Program, lookup func(key string) *Program, depth int) *Program {
	out := &Program{Name: p.Name, Stored: map[string]bool{}, fields: map[string]int{}}
	in := &inliner{
		naming: newNaming(out), lookup: lookup, depth: depth,
		single: map[Local]bool{}, funcs: map[Local]*function{},
	}
	frame := in.rename(p)
	for _, param := range p.Params {
		out.Params = append(out.Params, frame[param])
	}
	in.splice(p, frame, nil)
	forgetStored(out)
	out.Prune()
	defineAll(out)
	tidy(out) // so that a check sees what it checks
	pruneChecks(out)
	finish(out, MergeCells)
	return out
}

// Calls lists the Call instructions of p in block order.
func Calls(p *Program) []*Instr {
	var calls []*Instr
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if b.Instrs[i].Op == Call {
				calls = append(calls, &b.Instrs[i])
			}
		}
	}
	return calls
}

// inliner builds the program of naming.
type inliner struct {
	*naming
	lookup func(key string) *Program
	depth  int
	stack  []string
	added  int

	// at is the position of the call being inlined, for what has none of
	// its own: what the SSA builder puts into method values and the like.
	at Pos

	// frame gives the locals of the program being copied their new ones,
	// and cells is the number of its first cell.
	frame []Local
	cells int
	cur   *Block
	// defs counts the assignments to each local of that program, and single
	// are the new locals that have one.
	defs   []int
	single map[Local]bool
	// funcs are the functions that locals of the new program hold.
	funcs map[Local]*function
}

// function is a function value: a key, and what it captures. refs are the
// locals that stand for the first of that while it can be called; the function
// assigns them.
type function struct {
	key  string
	args []Operand
	refs []Local
}

// rename makes new locals for those of src.
func (in *inliner) rename(src *Program) []Local {
	frame := make([]Local, len(src.Names))
	for i, name := range src.Names {
		frame[i] = in.local(name)
	}
	return frame
}

// splice copies the blocks of src, with the locals of frame. Where src returns,
// ret is called to end the block; without it, the Return stays. It gives the
// first of the new blocks.
func (in *inliner) splice(src *Program, frame []Local, ret func(vals []Operand, pos Pos)) int {
	outer := *in
	in.frame, in.cells, in.defs = frame, len(in.p.Cells), defCounts(src)
	for l, n := range in.defs {
		in.single[frame[l]] = n == 1
	}
	for _, c := range src.Cells {
		c.Map, c.Key = in.operand(c.Map), in.operand(c.Key)
		in.p.Cells = append(in.p.Cells, c)
	}
	for s := range src.Stored {
		in.p.Stored[s] = true
	}
	maps.Copy(in.p.fields, src.fields)
	first := len(in.p.Blocks)
	for range src.Blocks {
		in.p.Blocks = append(in.p.Blocks, &Block{})
	}
	for b, blk := range src.Blocks {
		in.cur = in.p.Blocks[first+b]
		for i := range blk.Instrs {
			in.instr(&blk.Instrs[i])
		}
		in.term(&blk.Term, first, ret)
	}
	in.frame, in.cells, in.cur, in.defs = outer.frame, outer.cells, outer.cur, outer.defs
	return first
}

// defCounts counts the assignments to each local.
func defCounts(p *Program) []int {
	counts := make([]int, len(p.Names))
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Defs(func(l Local) { counts[l]++ })
		}
	}
	return counts
}

// operand is o in the new program.
func (in *inliner) operand(o Operand) Operand {
	if o.Local != None {
		return L(in.frame[o.Local])
	}
	return o
}

func (in *inliner) operands(ops []Operand) []Operand {
	var out []Operand
	for _, o := range ops {
		out = append(out, in.operand(o))
	}
	return out
}

func (in *inliner) locals(ls []Local) []Local {
	var out []Local
	for _, l := range ls {
		if l != None {
			l = in.frame[l]
		}
		out = append(out, l)
	}
	return out
}

// instr copies one instruction, or the program that it calls.
func (in *inliner) instr(i *Instr) {
	c := *i
	c.Dst, c.Args = in.locals(i.Dst), in.operands(i.Args)
	if c.Pos == "" && i.Op != Copy {
		c.Pos = in.at
	}
	if i.IsBase() {
		c.Cell += in.cells
	}
	if i.Op == Call {
		in.call(c)
		return
	}
	in.emit(c)
	if len(i.Dst) == 1 && i.Dst[0] != None && in.defs[i.Dst[0]] == 1 {
		in.learn(&c)
	}
}

func (in *inliner) emit(i Instr) {
	in.cur.Instrs = append(in.cur.Instrs, i)
}

// learn notes what function a local holds, if the only instruction that
// assigns it says.
func (in *inliner) learn(i *Instr) {
	key, isClosure := strings.CutPrefix(i.Name, closurePrefix)
	switch {
	case i.Op == Pure && isClosure:
		in.funcs[i.Dst[0]] = &function{key: key, args: i.Args}
	case i.Op == Copy:
		in.pass(i.Dst[0], i.Args[0])
	}
}

// pass makes dst the function that src is, if it is one.
func (in *inliner) pass(dst Local, src Operand) {
	if f := in.funcs[src.Local]; src.Local != None && f != nil {
		in.funcs[dst] = f
	}
}

// dynamic turns the call of a function value into that of the function, with
// what it captures; false if that is not known.
func (in *inliner) dynamic(c Instr) (Instr, bool) {
	f := in.funcs[c.Args[0].Local]
	if c.Args[0].Local == None || f == nil {
		return c, false
	}
	args := slices.Clone(f.args)
	copy(args, locals(f.refs))
	c.Name, c.Args = f.key, append(args, c.Args[1:]...)
	c.Dst = slices.Concat(c.Dst, f.refs)
	return c, true
}

// call inlines a call if it can.
func (in *inliner) call(c Instr) {
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
	in.added += size(callee)
	back := in.shareVariables(&c)
	frame := in.rename(callee)
	for i, param := range callee.Params {
		in.emit(Instr{Op: Copy, Dst: []Local{frame[param]}, Args: c.Args[i : i+1], Pos: c.Pos})
		in.pass(frame[param], c.Args[i])
	}
	call, next := in.cur, &Block{Instrs: back}
	in.p.Blocks = append(in.p.Blocks, next)
	to := []int{len(in.p.Blocks) - 1}
	once := returnCount(callee) == 1
	at := in.at
	in.at = cmp.Or(c.Pos, in.at)
	first := in.splice(callee, frame, func(vals []Operand, pos Pos) {
		for i, d := range c.Dst {
			if d != None && i < len(vals) {
				in.emit(Instr{Op: Copy, Dst: []Local{d}, Args: vals[i : i+1], Pos: pos})
				if once && in.single[d] {
					in.pass(d, vals[i])
				}
			}
		}
		in.cur.Term = Term{Kind: Jump, To: slices.Clone(to), Pos: pos}
	})
	in.at = at
	call.Term = Term{Kind: Jump, To: []int{first}, Pos: c.Pos}
	in.stack = in.stack[:len(in.stack)-1]
	in.cur = next
}

// callee is the program to inline for a call; nil if there is none.
func (in *inliner) callee(c Instr) *Program {
	if len(in.stack) >= in.depth || slices.Contains(in.stack, c.Name) {
		return nil
	}
	callee := in.lookup(c.Name)
	if callee == nil || len(callee.Params) != len(c.Args) || in.added+size(callee) > maxInlined {
		return nil
	}
	return callee
}

// shareVariables makes locals for the variables that functions among the
// arguments assign, for as long as the call lasts. The last results of the call
// are these variables; they are cut off, and assigned afterwards by the
// instructions that are returned.
func (in *inliner) shareVariables(c *Instr) (back []Instr) {
	var all []Local
	for _, arg := range c.Args {
		if arg.Local == None || in.funcs[arg.Local] == nil || in.funcs[arg.Local].refs != nil {
			continue
		}
		f := in.funcs[arg.Local]
		if p := in.lookup(f.key); p != nil && p.Outs <= len(f.args) {
			for _, init := range f.args[:p.Outs] {
				ref := in.local(p.Names[p.Params[len(f.refs)]])
				in.emit(Instr{Op: Copy, Dst: []Local{ref}, Args: []Operand{init}, Pos: c.Pos})
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
		if d != None {
			back = append(back, Instr{Op: Copy, Dst: []Local{d}, Args: []Operand{L(all[i])}, Pos: c.Pos})
		}
	}
	c.Dst = c.Dst[:rest]
	return back
}

func returnCount(p *Program) int {
	n := 0
	for _, b := range p.Blocks {
		if b.Term.Kind == Return {
			n++
		}
	}
	return n
}

func size(p *Program) int {
	n := 0
	for _, b := range p.Blocks {
		n += len(b.Instrs)
	}
	return n
}

// opaque is a call of which nothing is known, but that it runs the body of a
// loop over a function any number of times.
func (in *inliner) opaque(c Instr) {
	if name, ok := strings.CutPrefix(c.Name, dynamicPrefix); ok {
		c.Name, c.Args = name, c.Args[1:]
	}
	if i := slices.IndexFunc(c.Args, in.isYield); i >= 0 {
		in.iterate(c, i)
		return
	}
	in.emit(Instr{Op: Effect, Name: c.Name, Args: c.Args, Pos: c.Pos})
	in.forget(c.Dst, c)
}

// forget makes results of c unknown.
func (in *inliner) forget(dst []Local, c Instr) {
	for _, d := range dst {
		if d != None {
			in.emit(Instr{Op: Unknown, Dst: dst, Name: in.site(c.Name), Args: c.Args, Pos: c.Pos})
			return
		}
	}
}

// isYield reports whether an argument is the body of a range over a function.
func (in *inliner) isYield(arg Operand) bool {
	if arg.Local == None || in.funcs[arg.Local] == nil {
		return false
	}
	p := in.lookup(in.funcs[arg.Local].key)
	return p != nil && p.yield
}

// iterate calls an iterator that is not known: it calls the body, its i-th
// argument, with values that cannot be predicted, until it or the body is done.
func (in *inliner) iterate(c Instr, i int) {
	f := in.funcs[c.Args[i].Local]
	back := in.shareVariables(&c)
	n := len(in.lookup(f.key).Params) - len(f.args)
	c.Args = slices.Concat(c.Args[:i], c.Args[i+1:])
	in.emit(Instr{Op: Effect, Name: c.Name, Args: c.Args, Pos: c.Pos})
	head, body, done := in.newBlock(), in.newBlock(), in.newBlock()
	more, again := in.local("more"), in.local("again")
	in.cur.Term = Term{Kind: Jump, To: []int{head}, Pos: c.Pos}

	in.cur = in.p.Blocks[head]
	in.forget([]Local{more}, c)
	in.cur.Term = Term{Kind: Branch, Cond: L(more), To: []int{body, done}, Pos: c.Pos}

	in.cur = in.p.Blocks[body]
	args := slices.Clone(f.args)
	copy(args, locals(f.refs))
	for range n {
		item := in.local("item")
		in.forget([]Local{item}, c)
		args = append(args, L(item))
	}
	call := Instr{Op: Call, Dst: append([]Local{again}, f.refs...), Name: f.key, Args: args, Pos: c.Pos}
	in.call(call)
	in.cur.Term = Term{Kind: Branch, Cond: L(again), To: []int{head, done}, Pos: c.Pos}

	in.cur = in.p.Blocks[done]
	in.cur.Instrs = append(in.cur.Instrs, back...)
	in.forget(c.Dst, c)
}

func (in *inliner) newBlock() int {
	in.p.Blocks = append(in.p.Blocks, &Block{})
	return len(in.p.Blocks) - 1
}

// term copies a terminator to the end of the current block.
func (in *inliner) term(t *Term, first int, ret func([]Operand, Pos)) {
	if t.Kind == Return && ret != nil {
		ret(in.operands(t.Vals), t.Pos)
		return
	}
	c := *t
	if t.Kind == Branch {
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
func forgetStored(p *Program) {
	n := newNaming(p)
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != Pure {
				continue
			}
			name := in.Name
			if name == "load" && len(in.Args) == 1 {
				name = in.Args[0].Lit
			}
			if p.Stored[name] {
				in.Op, in.Name = Unknown, n.site(in.Name)
			}
		}
	}
}
