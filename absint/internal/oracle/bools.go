package oracle

import (
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// bools finds out which values are bools: those that a branch, not or choose
// asks, those that an interpreted function yields, and all that flow into or
// out of those. Registers carry no types, so the classes of values that flow
// into each other are computed by union and find.
type bools struct {
	parent map[class]class
	// strict joins what is surely no bool to isOther, so that one can see
	// whether both kinds mix. In Go they may, in a value of type any.
	strict bool
}

// class names a set of values by what they belong to. step is -1
// for the interrupted program.
type class struct {
	what   string // "local", "cell", "pure", "unknown" or "bool"
	step   int
	name   string // of a function or site
	number int    // of a local, cell or result
}

// isBool is the class of the literals true and false, isOther that of all
// other literals, of identities and of numbers.
var (
	isBool  = class{what: "bool"}
	isOther = class{what: "other"}
)

func localClass(step int, l register.Local) class {
	return class{what: "local", step: step, number: int(l)}
}

func cellClass(cell int) class { return class{what: "cell", number: cell} }

func pureClass(name string, result int) class {
	return class{what: "pure", name: name, number: result}
}

func unknownClass(step int, site string, result int) class {
	return class{what: "unknown", step: step, name: site, number: result}
}

// resultClass is that of a result: all returns of one label give the same type.
func resultClass(step int, label string, i int) class {
	return class{what: "result", step: step, name: label, number: i}
}

func findBools(pr *Problem) *bools {
	b := &bools{parent: map[class]class{}}
	b.problem(pr)
	return b
}

// wellTyped reports whether bools and other values keep apart.
func wellTyped(pr *Problem) bool {
	b := &bools{parent: map[class]class{}, strict: true}
	b.problem(pr)
	return !b.has(isOther)
}

func (b *bools) problem(pr *Problem) {
	cells := make([]int, len(pr.Program.Cells))
	for i, c := range pr.Program.Cells {
		cells[i] = i
		b.operand(register.Lit(c.Zero), -1, cellClass(i))
	}
	for i, vs := range pr.Initial {
		for _, v := range vs {
			b.operand(register.Lit(string(v)), -1, cellClass(i))
		}
	}
	b.program(pr.Program, -1, cells)
	for i, s := range pr.Steps {
		b.program(s.Program, i, s.Cells)
		for k, p := range s.Params {
			if p != Free {
				b.join(localClass(i, s.Program.Params[k]), localClass(-1, pr.Program.Params[p]))
			}
		}
	}
}

func (b *bools) find(c class) class {
	for {
		p, ok := b.parent[c]
		if !ok {
			return c
		}
		c = p
	}
}

func (b *bools) join(x, y class) {
	if x, y = b.find(x), b.find(y); x != y {
		b.parent[x] = y
	}
}

// has reports whether the class is one of bools.
func (b *bools) has(c class) bool { return b.find(c) == b.find(isBool) }

func (b *bools) program(p *register.Program, step int, cells []int) {
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			b.instr(&blk.Instrs[i], step, cells)
		}
		if blk.Term.Kind == register.Branch {
			b.operand(blk.Term.Cond, step, isBool)
		}
		if blk.Term.Kind == register.Return {
			for i, v := range blk.Term.Vals {
				b.operand(v, step, resultClass(step, blk.Term.Label, i))
			}
		}
	}
}

// operand lets o flow into c or back.
func (b *bools) operand(o register.Operand, step int, c class) {
	switch {
	case o.Local != register.None:
		b.join(localClass(step, o.Local), c)
	case o.Lit == register.LitTrue || o.Lit == register.LitFalse:
		b.join(isBool, c)
	case b.strict && o.IsLit() && o != register.Absent:
		b.join(isOther, c)
	}
}

// result lets c flow into the local of result i.
func (b *bools) result(in *register.Instr, i, step int, c class) {
	if i < len(in.Dst) && in.Dst[i] != register.None {
		b.join(localClass(step, in.Dst[i]), c)
	}
}

func (b *bools) instr(in *register.Instr, step int, cells []int) {
	switch in.Op {
	case register.Copy:
		for _, o := range in.Args {
			if len(in.Dst) == 1 && in.Dst[0] != register.None {
				b.operand(o, step, localClass(step, in.Dst[0]))
			}
		}
	case register.Pure:
		b.pure(in, step)
	case register.Fresh:
		if b.strict {
			b.result(in, 0, step, isOther)
		}
	case register.Unknown:
		for i := range in.Dst {
			b.result(in, i, step, unknownClass(step, in.Name, i))
		}
	case register.Read, register.Write, register.CAS:
		if in.Cell < 0 || in.Cell >= len(cells) {
			return // the interpreter will complain
		}
		b.result(in, 0, step, cellClass(cells[in.Cell]))
		b.result(in, 1, step, isBool)
		for _, o := range in.Args {
			b.operand(o, step, cellClass(cells[in.Cell]))
		}
	}
}

func (b *bools) pure(in *register.Instr, step int) {
	switch in.Name {
	case "eq":
		b.sameType(in.Args, step)
		b.result(in, 0, step, isBool)
	case "add", "sub", "and", "or", "xor":
		b.result(in, 0, step, pureClass(in.Name, 0))
		b.numbers(in, step)
	case "lt", "le":
		b.numbers(in, step)
		b.result(in, 0, step, isBool)
		b.join(pureClass(in.Name, 0), isBool) // where it is not folded
	case "not":
		b.result(in, 0, step, isBool)
		for _, o := range in.Args {
			b.operand(o, step, isBool)
		}
	case "choose":
		if len(in.Args) == 3 && len(in.Dst) == 1 && in.Dst[0] != register.None {
			b.operand(in.Args[0], step, isBool)
			b.operand(in.Args[1], step, localClass(step, in.Dst[0]))
			b.operand(in.Args[2], step, localClass(step, in.Dst[0]))
		}
	default:
		for i := range in.Dst {
			b.result(in, i, step, pureClass(in.Name, i))
		}
	}
}

// sameType joins operands that are compared with each other.
func (b *bools) sameType(os []register.Operand, step int) {
	for _, o := range os {
		if o.Local == register.None {
			continue
		}
		for _, other := range os {
			b.operand(other, step, localClass(step, o.Local))
		}
	}
}

// numbers says that the arguments of a function are no bools.
func (b *bools) numbers(in *register.Instr, step int) {
	if !b.strict {
		return
	}
	for _, o := range in.Args {
		b.operand(o, step, isOther)
	}
}
