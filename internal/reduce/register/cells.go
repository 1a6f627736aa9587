package register

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Numbering is a value numbering of a program's locals that does not look at
// the order of instructions. A local that is assigned in one place, by Copy or
// Pure, has the term of what it is assigned; all others, and parameters, are
// terms of their own.
//
// In a loop such a local holds one value after the other. So equal terms mean
// equal values as long as no local in them is assigned between: within one
// round.
type Numbering struct {
	p *Program
	// def is the only assignment of each local, and index the local's place
	// in its results; nil if it has none or several.
	def   []*Instr
	index []int32
	// ids number the terms; term is that of a local, once it is known.
	ids  map[string]int
	term []string
	// busy are the locals being looked at: a cycle is a term of its own.
	busy []bool
}

// Number numbers the locals of p. Later changes of p are not seen.
func Number(p *Program) *Numbering {
	n := &Numbering{
		p: p, ids: map[string]int{},
		def: make([]*Instr, len(p.Names)), index: make([]int32, len(p.Names)),
	}
	count := make([]int32, len(p.Names))
	for _, l := range p.Params {
		count[l]++
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op == Unknown && in.Name == Undef {
				continue
			}
			for k, d := range in.Dst {
				if d != None {
					count[d]++
					n.def[d], n.index[d] = in, int32(k)
				}
			}
		}
	}
	for l, c := range count {
		if c != 1 || n.def[l] != nil && n.def[l].Op != Copy && n.def[l].Op != Pure {
			n.def[l] = nil
		}
	}
	return n
}

// Term is a text that is the same for operands that hold the same value, as
// far as Number can tell. Otherwise it means nothing.
func (n *Numbering) Term(op Operand) string {
	switch {
	case op.IsNone():
		return ""
	case op.IsLit():
		return op.Lit
	}
	l := op.Local
	if n.term == nil { // many only ask where something is from
		n.term, n.busy = make([]string, len(n.def)), make([]bool, len(n.def))
	}
	if n.term[l] == "" {
		n.term[l] = n.find(l)
	}
	return n.term[l]
}

// find computes the term of a local. Composite terms are numbered, since
// written out they could be exponentially long.
func (n *Numbering) find(l Local) string {
	def := n.def[l]
	if def == nil || n.busy[l] {
		return "%" + strconv.Itoa(int(l))
	}
	n.busy[l] = true
	defer func() { n.busy[l] = false }()
	if def.Op == Copy {
		return n.Term(def.Args[0])
	}
	parts := []string{def.Name, def.Type.Text(), strconv.Itoa(int(n.index[l]))}
	for _, a := range def.Args {
		parts = append(parts, n.Term(a))
	}
	key := strings.Join(parts, "\x00")
	id, ok := n.ids[key]
	if !ok {
		id = len(n.ids)
		n.ids[key] = id
	}
	return "#" + strconv.Itoa(id)
}

// Def is the Pure instruction that op is the only result of, seen through
// copies, with op's place among its results; nil if it is something else.
func (n *Numbering) Def(op Operand) (def *Instr, result int) {
	op = n.Source(op)
	if op.Local == None || n.def[op.Local] == nil || n.def[op.Local].Op != Pure {
		return nil, 0
	}
	return n.def[op.Local], int(n.index[op.Local])
}

// Source is the operand that op was copied from, through any number of
// copies: op itself if it is none.
func (n *Numbering) Source(op Operand) Operand {
	for range n.p.Names { // not more often than there are locals
		if op.Local == None || n.def[op.Local] == nil || n.def[op.Local].Op != Copy {
			break
		}
		op = n.def[op.Local].Args[0]
	}
	return op
}

// MergeCells makes those cells one whose map and key are the same terms, and
// labels them by the terms. It drops cells that nobody uses.
//
// It is for programs without calls: a function that is called may store to what
// the key is loaded from.
func MergeCells(p *Program) {
	n := Number(p)
	objects := ownObjects(p, n)
	collectCells(p, n, func(c Cell) string {
		return strconv.Itoa(int(c.Kind)) + "\x00" + n.Term(c.Map) + "\x00" + keyTerm(p, n, objects, c.Key)
	})
}

// HasUnused reports whether a program has a cell that no operation is on: one whose key has become another one.
func HasUnused(p *Program) bool {
	used := make([]bool, len(p.Cells))
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.IsBase() {
				used[in.Cell] = true
			}
		}
	}
	return slices.Contains(used, false)
}

// labelCells labels the cells of a program that may have calls, and only makes
// those one whose map and key are the same locals.
func LabelCells(p *Program) {
	collectCells(p, Number(p), func(c Cell) string { return fmt.Sprint(c.Kind, c.Map, c.Key) })
}

// collectCells numbers the cells in use by identity, in the order of use.
func collectCells(p *Program, n *Numbering, identity func(Cell) string) {
	number := map[string]int{}
	var cells []Cell
	for _, b := range ReversePostorder(p) { // the first use has it
		blk := p.Blocks[b]
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if !in.IsBase() {
				continue
			}
			c := p.Cells[in.Cell]
			key := identity(c)
			at, ok := number[key]
			if !ok {
				at = len(cells)
				number[key] = at
				c.Label = n.Label(c)
				if c.KeyStart == "" {
					c.KeyStart = n.startOf(c.Key)
				}
				cells = append(cells, c)
			}
			if cells[at].Type.Kind == NoType {
				cells[at].Type = c.Type // what removes an entry does not say
			}
			in.Cell = at
		}
	}
	p.Cells = cells
}

// maxLabel bounds a label; what is longer is cut.
const MaxLabel = 60

// Label is how a person writes a cell: r.sessions[id].
func (n *Numbering) Label(c Cell) string {
	label := n.Shown(c.Map)
	if !c.Key.IsNone() {
		label += "[" + n.Shown(c.Key) + "]"
	}
	return label
}

// Path is the value of op as an access path or an expression of what the function started from. In one function, two
// values with the same path are the same.
func (n *Numbering) Path(op Operand) string { return n.written(op, false) }

// Shown is how a person writes it, who calls the variables of loops by their names.
func (n *Numbering) Shown(op Operand) string { return n.written(op, true) }

func (n *Numbering) written(op Operand, shown bool) string {
	path := n.path(op, 0, shown)
	if len(path) <= MaxLabel {
		return path
	}
	runes := []rune(path)
	return string(runes[:min(len(runes), MaxLabel-1)]) + "…"
}

func (n *Numbering) path(op Operand, depth int, shown bool) string {
	op = n.Source(op)
	if op.Local == None {
		return literalPath(op.Lit)
	}
	def, result := n.Def(op)
	switch {
	case def == nil:
		return n.p.Names[op.Local]
	case depth > 6:
		return "…"
	case shown && def.Named:
		return n.p.Names[op.Local]
	case shown && n.isHidden(def):
		return n.path(n.whole(def.Args[0]), depth+1, shown)
	case result > 0, def.Name == "choose": // Go has no choice: what it is called says more
		return n.p.Names[op.Local]
	}
	var args []string
	for _, a := range def.Args {
		args = append(args, n.path(a, depth+1, shown))
	}
	return n.purePath(def, args)
}

// IsHidden reports whether a value is in one of the parts of an object of another package, which nobody else can name,
// and is shown as that object.
func (n *Numbering) IsHidden(op Operand) bool {
	def, _ := n.Def(n.Source(op))
	return def != nil && n.isHidden(def)
}

func (n *Numbering) isHidden(def *Instr) bool {
	if !def.Foreign || len(def.Args) == 0 {
		return false
	}
	switch def.Memory().Kind {
	case NoMemory:
		return isMethod(def.Name) && !token.IsExported(LastPart(def.Name))
	case Field:
		return n.IsHidden(def.Args[0])
	}
	return true
}

// whole is the object that has a part in a field which others cannot name.
func (n *Numbering) whole(op Operand) Operand {
	for {
		def, _ := n.Def(n.Source(op))
		if def == nil || !def.Foreign || len(def.Args) == 0 || def.Memory().Kind != Field || token.IsExported(LastPart(def.Name)) {
			return op
		}
		op = def.Args[0]
	}
}

// literalPath is a literal as in Go: the value of &pkg.v is v, as far as
// paths go.
func literalPath(lit string) string {
	if strings.HasPrefix(lit, "&") {
		return LastPart(lit[1:])
	}
	return strings.Trim(lit, "{}")
}

// Infix are the operators that Lower's pure functions come from.
var Infix = map[string]string{
	"eq": "==", "add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "lt": "<", "le": "<=",
	"concat": "+", "mul": "*", "quo": "/", "rem": "%",
	"shl": "<<", "shr": ">>", "andnot": "&^", "feq": "==",
}

// purePath writes a pure function of args the way that Go has it.
func (n *Numbering) purePath(def *Instr, args []string) string {
	name := def.Name
	kind, rest, _ := strings.Cut(name, ":")
	all := strings.Join(args, ", ")
	switch {
	case len(args) == 0:
		return name + "()"
	case Infix[name] != "" && len(args) == 2:
		return args[0] + " " + Infix[name] + " " + args[1]
	case name == "not":
		return "!" + args[0]
	case kind == "struct":
		return LastPart(rest) + "{" + all + "}"
	case kind == "field":
		return args[0] + "." + LastPart(rest)
	case name == "convert":
		return def.Type.GoName() + "(" + args[0] + ")"
	case name == "box", name == "unbox":
		return args[0]
	case kind == "convert":
		return rest + "(" + args[0] + ")"
	case kind == "load", name == "slice":
		return all
	case kind == "elem" && len(args) == 2, kind == "lookup" && len(args) == 2, name == "&elem", name == "index":
		return args[0] + "[" + strings.Join(args[1:], ", ") + "]"
	case strings.HasPrefix(name, "&"):
		return args[0] + "." + LastPart(name)
	case len(args) == 1 && IsFieldName(name):
		return args[0] + "." + LastPart(name)
	default:
		return CallText(name, args)
	}
}

// isMethod reports whether a name is that of a method of a type.
func isMethod(name string) bool { return strings.HasPrefix(name, "(") && strings.Contains(name, ").") }

// CallText writes the call of a function or a method the way that Go has it: a method of a type is in front of its
// arguments as (*T).M, and one of an interface as pkg.T.M.
func CallText(name string, args []string) string {
	if !isMethod(name) && !IsFieldName(name) || len(args) == 0 || strings.ContainsAny(args[0], " ") {
		return name + "(" + strings.Join(args, ", ") + ")"
	}
	return args[0] + "." + LastPart(name) + "(" + strings.Join(args[1:], ", ") + ")"
}

// IsFieldName reports whether a pure function is the load of a field, named
// "pkg.T.f" or "struct.f". Functions and methods have one dot less, or
// parentheses.
func IsFieldName(name string) bool {
	if strings.ContainsAny(name, "()") {
		return false
	}
	return strings.Count(name, ".") == 2 || strings.HasPrefix(name, "struct.")
}

// IsFresh reports whether the local is assigned in one place, by Fresh.
func (p *Program) IsFresh(l Local) bool {
	def := p.OnlyDef(l)
	return def != nil && def.Op == Fresh
}

// lastPart is the f of "pkg.T.f".
func LastPart(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}
