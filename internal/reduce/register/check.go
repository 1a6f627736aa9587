package register

import (
	"fmt"
	"slices"
)

// IllFormed says where and why a program is not well formed.
type IllFormed struct {
	// Func is the program's name.
	Func string
	// Block and Instr say where; Instr counts the terminator as the last
	// one. Both are -1 if it is about the program as a whole.
	Block, Instr int
	// Text is the instruction or terminator in the text form.
	Text   string
	Reason string
}

// Error names the function, the block and the instruction.
func (e *IllFormed) Error() string {
	if e.Block < 0 {
		return fmt.Sprintf("%s: %s", e.Func, e.Reason)
	}
	return fmt.Sprintf("%s: b%d, instruction %d (%s): %s", e.Func, e.Block, e.Instr, e.Text, e.Reason)
}

// Check reports the first thing that makes p not well formed, as an
// *IllFormed. A program that passes can be printed and parsed back, and run:
//
//   - locals have unique identifiers as names; parameters are different;
//   - every index is in range: of locals, cells and blocks;
//   - the entry exists and nothing jumps to it;
//   - each instruction has the results and arguments that its Op asks for,
//     none of them missing, and no result twice;
//   - an interpreted function works at a type that it can work at, on operands
//     of that type; literals fit the type that they are of;
//   - absent is written to cells or expected of them, and used nowhere else;
//   - every local that is read has been assigned on every path to there;
//   - Enter and Leave are balanced: each block is always entered at the same
//     depth, Leave has its Enter, and a Return is outside. A Panic may be
//     inside, since it ends everything.
//
// Blocks that cannot be reached are held to all but the last two rules. The
// map and key of a cell need not be assigned where the cell is used: they
// name it, and a region may have lost the code that computed them.
func Check(p *Program) error {
	c := &checker{p: p, block: -1, instr: -1}
	c.program()
	if c.err == nil {
		c.assigned()
	}
	if c.err == nil {
		c.balanced()
	}
	if c.err != nil {
		return c.err
	}
	return nil
}

// checker keeps the first error, and where it is looking.
type checker struct {
	p            *Program
	block, instr int
	err          *IllFormed
}

// fail records that something is wrong at the current place.
func (c *checker) fail(format string, args ...any) {
	if c.err != nil {
		return
	}
	c.err = &IllFormed{Func: c.p.Name, Block: c.block, Instr: c.instr, Reason: fmt.Sprintf(format, args...)}
	if c.block >= 0 {
		blk := c.p.Blocks[c.block]
		if c.instr < len(blk.Instrs) {
			c.err.Text = c.p.InstrText(&blk.Instrs[c.instr])
		} else {
			c.err.Text = c.p.TermText(&blk.Term)
		}
	}
}

// each visits all instructions and terminators, one of in and t being nil.
func (c *checker) each(blocks []int, f func(in *Instr, t *Term)) {
	for _, b := range blocks {
		blk := c.p.Blocks[b]
		c.block = b
		for i := range blk.Instrs {
			c.instr = i
			f(&blk.Instrs[i], nil)
		}
		c.instr = len(blk.Instrs)
		f(nil, &blk.Term)
	}
	c.block, c.instr = -1, -1
}

// program checks all that can be seen without looking at paths.
func (c *checker) program() {
	c.names()
	c.types()
	c.results(c.p.Params)
	if slices.Contains(c.p.Params, None) {
		c.fail("a parameter has no local")
	}
	for i := range c.p.Cells {
		c.cell(i)
	}
	if len(c.p.Blocks) == 0 {
		c.fail("there is no entry block")
	}
	blocks := make([]int, len(c.p.Blocks))
	for b := range blocks {
		if blocks[b] = b; c.p.Blocks[b] == nil {
			c.fail("b%d is missing", b)
			return
		}
	}
	c.each(blocks, func(in *Instr, t *Term) {
		if in != nil {
			c.instruction(in)
		} else {
			c.terminator(t)
		}
	})
}

func (c *checker) names() {
	seen := map[string]bool{}
	for _, n := range c.p.Names {
		if sanitize(n) != n {
			c.fail("%q is no name for a local", n)
		}
		if seen[n] {
			c.fail("two locals have the name %s", n)
		}
		seen[n] = true
	}
}

func (c *checker) cell(i int) {
	cell := &c.p.Cells[i]
	if _, ok := kindWords[cell.Kind]; !ok {
		c.fail("c%d has no kind", i)
	}
	if cell.Zero == "" || cell.Zero == LitAbsent {
		c.fail("c%d has no zero value", i)
	}
	if why := misfit(cell.Type, Lit(cell.Zero)); why != "" {
		c.fail("the zero value of c%d: %s", i, why)
	}
	identity := []Operand{cell.Map}
	if cell.Kind == Map || !cell.Key.IsNone() {
		identity = append(identity, cell.Key)
	}
	for _, o := range identity {
		if why := c.badOperand(o); why != "" {
			c.fail("map and key of c%d: %s", i, why)
		}
	}
}

// results checks locals that are assigned at once.
func (c *checker) results(dst []Local) {
	for i, d := range dst {
		switch {
		case d == None:
		case d < 0 || int(d) >= len(c.p.Names):
			c.fail("local %d does not exist", d)
		case slices.Contains(dst[:i], d):
			c.fail("%s is assigned twice", c.p.Names[d])
		}
	}
}

// badOperand says what is wrong with o as a value, "" if nothing is.
func (c *checker) badOperand(o Operand) string {
	switch {
	case o.IsNone():
		return "a value is missing"
	case o.Local == None && o.Lit == LitAbsent:
		return "absent is not a value"
	case o.Local == None:
		return ""
	case o.Lit != "":
		return fmt.Sprintf("%s is a local and a literal at once", o.Lit)
	case o.Local < 0 || int(o.Local) >= len(c.p.Names):
		return fmt.Sprintf("local %d does not exist", o.Local)
	default:
		return ""
	}
}

func (c *checker) values(ops []Operand) {
	for _, o := range ops {
		if why := c.badOperand(o); why != "" {
			c.fail("%s", why)
		}
	}
}

// anyNumber stands for a count of results or arguments that is open.
const anyNumber = -1

// shapes says how many results and arguments an instruction has, and whether
// it needs a name.
var shapes = map[Op]struct {
	dst, args int
	name      bool
}{
	Copy:     {dst: 1, args: 1},
	Pure:     {dst: anyNumber, args: anyNumber, name: true},
	Fresh:    {dst: 1, args: anyNumber, name: true},
	Unknown:  {dst: anyNumber, args: anyNumber, name: true},
	Read:     {dst: 2},
	Write:    {dst: 2, args: 1},
	CAS:      {dst: 2, args: 2},
	Effect:   {args: anyNumber, name: true},
	Enter:    {},
	Leave:    {},
	Lock:     {args: 1, name: true},
	Unlock:   {args: 1, name: true},
	Blocking: {dst: anyNumber, args: anyNumber, name: true},
	Call:     {dst: anyNumber, args: anyNumber, name: true},
	Omit:     {args: anyNumber, name: true},
}

// forms are the names that operations can have.
var forms = map[Op]string{Write: Every, CAS: Weak}

func (c *checker) instruction(in *Instr) {
	shape, ok := shapes[in.Op]
	if !ok {
		c.fail("there is no such instruction")
		return
	}
	if in.Op == Pure && Interpreted[in.Name] {
		shape.dst, shape.args = 1, arity(in.Name)
	}
	if shape.name && in.Name == "" {
		c.fail("the name is missing")
	}
	if in.Called && in.Op != Pure && in.Op != Unknown && in.Op != Effect {
		c.fail("it is no call")
	}
	if (in.Op == Lock || in.Op == Unlock) && in.Name != "r" && in.Name != "w" {
		c.fail("a lock is taken for r or w, not for %q", in.Name)
	}
	if in.Op == Omit && !slices.Contains([]string{OmitLook, OmitAct, OmitUnwind, OmitCall, OmitLater}, in.Name) {
		c.fail("it is a look or an act, not %q", in.Name)
	}
	if in.IsBase() && in.Name != "" && in.Name != forms[in.Op] {
		c.fail("%q is no form of the operation", in.Name)
	}
	c.count("results", len(in.Dst), shape.dst)
	c.count("arguments", len(in.Args), shape.args)
	c.results(in.Dst)
	if in.IsBase() && (in.Cell < 0 || in.Cell >= len(c.p.Cells)) {
		c.fail("cell %d does not exist", in.Cell)
	}
	if in.Op == Pure && len(in.Dst) == 0 {
		c.fail("a pure function without a result does nothing")
	}
	c.values(withoutAbsent(in))
	c.typed(in)
}

// withoutAbsent lists the arguments that have to be values.
func withoutAbsent(in *Instr) []Operand {
	if in.Op != Write && in.Op != CAS {
		return in.Args
	}
	return slices.DeleteFunc(slices.Clone(in.Args), func(o Operand) bool { return o == Absent })
}

func (c *checker) count(what string, n, want int) {
	if want != anyNumber && n != want {
		c.fail("%d %s, want %d", n, what, want)
	}
}

func (c *checker) terminator(t *Term) {
	want := 0
	switch t.Kind {
	case Jump:
		want = 1
	case Branch:
		want = 2
		c.values([]Operand{t.Cond})
	case Return, Panic:
		c.values(t.Vals)
	default:
		c.fail("there is no such terminator")
		return
	}
	c.count("successors", len(t.To), want)
	for _, s := range t.To {
		switch {
		case s < 0 || s >= len(c.p.Blocks):
			c.fail("block %d does not exist", s)
		case s == 0:
			c.fail("the entry block is jumped to")
		}
	}
}

// assigned checks that locals are assigned before they are read. At a block,
// those count that are assigned at the end of all blocks before it.
func (c *checker) assigned() {
	order := ReversePostorder(c.p)
	in := make([]LocalSet, len(c.p.Blocks))
	known := make([]bool, len(c.p.Blocks)) // in is, of some block before it
	in[0], known[0] = NewLocalSet(len(c.p.Names)), true
	for _, l := range c.p.Params {
		in[0].Add(l)
	}
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			out := in[b].clone()
			for i := range c.p.Blocks[b].Instrs {
				c.p.Blocks[b].Instrs[i].Defs(out.Add)
			}
			for _, s := range c.p.Blocks[b].Term.To {
				if !known[s] {
					in[s], known[s], changed = out.clone(), true, true
				} else if in[s].intersect(out) {
					changed = true
				}
			}
		}
	}
	c.each(order, func(i *Instr, t *Term) {
		set := in[c.block]
		use := func(l Local) {
			if !set.Has(l) {
				c.fail("%s may not have been assigned", c.p.Names[l])
			}
		}
		if i == nil {
			t.Uses(use)
			return
		}
		i.Uses(use)
		i.Defs(set.Add) // in is not needed after this
	})
}

// balanced checks the nesting of Enter and Leave. In reverse postorder, a
// block's depth is known from some predecessor when its turn comes.
func (c *checker) balanced() {
	depths := make([]int, len(c.p.Blocks))
	for b := range depths {
		depths[b] = -1
	}
	depths[0] = 0
	depth := 0
	c.each(ReversePostorder(c.p), func(in *Instr, t *Term) {
		if c.instr == 0 {
			depth = depths[c.block]
		}
		switch {
		case in != nil && in.Op == Enter:
			depth++
		case in != nil && in.Op == Leave:
			if depth--; depth < 0 {
				c.fail("leave without enter")
			}
		case in == nil && t.Kind == Return && depth > 0:
			c.fail("return without leave")
		case in == nil:
			for _, s := range t.To {
				if depths[s] >= 0 && depths[s] != depth {
					c.fail("b%d is entered at different depths of enter and leave", s)
				}
				depths[s] = depth
			}
		}
	})
}
