package register

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Parse reads programs in their text form, any number of them, and checks
// them. name is the file's name for errors, which have the form
//
//	name:line:col: expected X, found Y
//
// or, for a program that can be read but is not well formed, what Check says.
func Parse(name string, src []byte) ([]*Program, error) {
	ps := &parser{file: name, toks: lex(string(src))}
	var progs []*Program
	for ps.skipLines(); ps.tok().kind != tokEOF; ps.skipLines() {
		progs = append(progs, ps.program())
	}
	if ps.err != nil {
		return nil, ps.err
	}
	return progs, nil
}

// parser is a recursive descent over the tokens of one file. The first
// failure is kept and moves it to the end of the input, where everything
// else fails too: only loops need to look at err.
type parser struct {
	file string
	toks []textToken
	next int
	err  error

	prog   *Program
	locals map[string]Local
	types  []declaration
	start  textToken     // the word func of prog
	lines  [][]textToken // first token of each instruction and terminator, by block
}

// The words of the text form, with what they mean.
var (
	opByWord   = invert(OpWords)
	kindByWord = invert(kindWords)
	termByWord = invert(termWords)
)

func invert[K comparable](words map[K]string) map[string]K {
	keys := make(map[string]K, len(words))
	for k, w := range words {
		keys[w] = k
	}
	return keys
}

// program reads from func to the next func or the end.
func (ps *parser) program() *Program {
	ps.prog, ps.locals, ps.types, ps.lines = &Program{}, map[string]Local{}, nil, nil
	ps.start = ps.word("func")
	ps.prog.Name = ps.name("the function's name")
	ps.punct("(")
	for ps.err == nil && !ps.at(")") {
		if len(ps.prog.Params) > 0 {
			ps.punct(",")
		}
		ps.prog.Params = append(ps.prog.Params, ps.local())
	}
	ps.punct(")")
	ps.endLine()
	for ps.atWord("cell") {
		ps.cell()
	}
	for ps.atWord("var") {
		ps.declaration()
	}
	for ps.tok().kind != tokEOF && !ps.atWord("func") {
		ps.block()
	}
	ps.declare()
	ps.check()
	return ps.prog
}

// check turns what Check finds into an error at the line that it is about.
func (ps *parser) check() {
	if ps.err != nil {
		return
	}
	err := Check(ps.prog)
	if err == nil {
		return
	}
	at := ps.start
	var ill *IllFormed
	if errors.As(err, &ill) && ill.Block >= 0 {
		at = ps.lines[ill.Block][ill.Instr]
	}
	ps.failAt(at, err.Error())
}

// cell reads: cell c0 map m[k] of int8 zero nil evicts guarded label "text".
func (ps *parser) cell() {
	ps.word("cell")
	ps.word("c" + strconv.Itoa(len(ps.prog.Cells)))
	c := Cell{Key: NoOperand}
	kind, ok := kindByWord[ps.tok().text]
	if !ok || ps.tok().kind != tokWord {
		ps.fail("map, atomic or latch")
	}
	ps.advance()
	c.Kind = kind
	c.Map = ps.operand()
	if ps.at("[") {
		ps.punct("[")
		c.Key = ps.operand()
		ps.punct("]")
	}
	if ps.tok().isWord("of") {
		ps.advance()
		c.Type = ps.typ()
	}
	ps.word("zero")
	zero, ok := ps.literal()
	if !ok {
		ps.fail("a literal")
	}
	c.Zero = zero
	if ps.tok().isWord("evicts") {
		ps.advance()
		c.Evicts = true
	}
	if ps.tok().isWord("guarded") {
		ps.advance()
		c.Guarded = true
	}
	if ps.tok().isWord("label") {
		ps.advance()
		if ps.tok().kind != tokString {
			ps.fail("a quoted string")
		}
		c.Label = ps.advance().value
	}
	ps.endLine()
	ps.prog.Cells = append(ps.prog.Cells, c)
}

// declaration says that a local, whose name is at a token, has a type.
type declaration struct {
	at  textToken
	typ Type
}

// declaration reads: var x, y uint8 "pkg.T".
func (ps *parser) declaration() {
	ps.word("var")
	first := len(ps.types)
	for ps.err == nil && (len(ps.types) == first || ps.at(",")) {
		if len(ps.types) > first {
			ps.punct(",")
		}
		if t := ps.tok(); t.kind != tokWord || sanitize(t.text) != t.text {
			ps.fail("a local")
		}
		ps.types = append(ps.types, declaration{at: ps.advance()})
	}
	t := ps.typ()
	for i := range ps.types[first:] {
		ps.types[first+i].typ = t
	}
	ps.endLine()
}

// declare gives the locals that the program turned out to have their types.
func (ps *parser) declare() {
	for _, d := range ps.types {
		l, ok := ps.locals[d.at.text]
		switch {
		case ps.err != nil:
		case !ok:
			ps.failAt(d.at, d.at.text+" is declared and occurs nowhere")
		case ps.prog.TypeOf(l) != Type{}:
			ps.failAt(d.at, d.at.text+" is declared twice")
		default:
			ps.prog.Declare(l, d.typ)
		}
	}
}

// atType reports whether the next token is the word of a type's kind.
func (ps *parser) atType() bool {
	_, ok := typeByWord[ps.tok().text]
	return ok && ps.tok().kind == tokWord
}

// typ reads the word of a kind and perhaps a name.
func (ps *parser) typ() Type {
	if !ps.atType() {
		ps.fail("a type")
		return Type{}
	}
	t := Type{Kind: typeByWord[ps.advance().text]}
	if ps.tok().kind == tokString {
		t.Name = ps.advance().value
	}
	return t
}

// block reads a label, instructions and a terminator.
func (ps *parser) block() {
	ps.word("b" + strconv.Itoa(len(ps.prog.Blocks)))
	ps.punct(":")
	ps.endLine()
	blk := &Block{}
	var lines []textToken
	for done := false; ps.err == nil && !done; {
		t := ps.tok()
		lines = append(lines, t)
		kind, ok := termByWord[t.text]
		if done = ok && t.kind == tokWord && !ps.atAssignment(); done {
			blk.Term = ps.term(kind)
		} else {
			blk.Instrs = append(blk.Instrs, ps.instr())
		}
	}
	ps.prog.Blocks = append(ps.prog.Blocks, blk)
	ps.lines = append(ps.lines, lines)
}

// instr reads an instruction and the position after it.
func (ps *parser) instr() Instr {
	var in Instr
	if ps.atAssignment() {
		in.Dst = ps.results()
	}
	op, ok := opByWord[ps.tok().text]
	// A local may have any of the words as its name: x = read.
	named := ok && ps.tok().kind == tokWord && (in.Dst == nil || !ps.peek().ends())
	switch {
	case named:
		in.Op = op
		ps.advance()
	case in.Dst != nil:
		in.Op = Copy
	default:
		ps.fail("an instruction or a terminator")
	}
	ps.instrArgs(&in)
	in.Pos = ps.endLine()
	return in
}

// instrArgs reads what follows the instruction's word.
func (ps *parser) instrArgs(in *Instr) {
	switch in.Op {
	case Enter, Leave:
	case Copy:
		in.Args = []Operand{ps.operand()}
	case Read, Write, CAS:
		if form := forms[in.Op]; form != "" && ps.tok().isWord(form) {
			in.Name = ps.name(form)
		}
		in.Cell = ps.index("c", "a cell")
		for ps.at(",") {
			ps.punct(",")
			in.Args = append(in.Args, ps.operand())
		}
	case Lock, Unlock:
		in.Name = ps.name("r or w")
		in.Args = []Operand{ps.operand()}
	default:
		if in.Called = ps.tok().isWord(calledWord) && !ps.peek().isPunct("("); in.Called {
			ps.advance()
		}
		in.Name = ps.name("a name")
		if ps.atType() {
			in.Type = ps.typ()
		}
		in.Args = ps.arguments()
	}
}

// term reads a terminator and the position after it.
func (ps *parser) term(kind TermKind) Term {
	ps.advance()
	t := Term{Kind: kind}
	switch kind {
	case Jump:
		t.To = []int{ps.index("b", "a block")}
	case Branch:
		t.Cond = ps.operand()
		ps.punct(",")
		yes := ps.index("b", "a block")
		ps.punct(",")
		t.To = []int{yes, ps.index("b", "a block")}
	case Panic:
		t.Label = ps.name("what the panic is")
		t.Vals = ps.arguments()
	case Return:
		t.Label, t.Vals = ps.returned()
	}
	t.Pos = ps.endLine()
	return t
}

// returned reads: v, w or label (v, w).
func (ps *parser) returned() (label string, vals []Operand) {
	if ps.tok().ends() {
		return "", nil
	}
	if ps.peek().isPunct("(") {
		label = ps.name("a label")
		return label, ps.arguments()
	}
	vals = []Operand{ps.operand()}
	for ps.at(",") {
		ps.punct(",")
		vals = append(vals, ps.operand())
	}
	return "", vals
}

// results reads: x, _ =
func (ps *parser) results() []Local {
	var dst []Local
	for ps.err == nil && !ps.at("=") {
		if len(dst) > 0 {
			ps.punct(",")
		}
		if ps.tok().isWord("_") {
			ps.advance()
			dst = append(dst, None)
		} else {
			dst = append(dst, ps.local())
		}
	}
	ps.punct("=")
	return dst
}

// arguments reads: (a, b).
func (ps *parser) arguments() []Operand {
	ps.punct("(")
	var args []Operand
	for ps.err == nil && !ps.at(")") {
		if len(args) > 0 {
			ps.punct(",")
		}
		args = append(args, ps.operand())
	}
	ps.punct(")")
	return args
}

// operand reads a local or a literal.
func (ps *parser) operand() Operand {
	if lit, ok := ps.literal(); ok {
		return Lit(lit)
	}
	if t := ps.tok(); t.kind != tokWord || sanitize(t.text) != t.text {
		ps.fail("a local or a literal")
	}
	return L(ps.local())
}

// literal reads a literal if there is one and gives its canonical text.
func (ps *parser) literal() (text string, ok bool) {
	switch t := ps.tok(); {
	case t.kind == tokString:
		return strconv.Quote(ps.advance().value), true
	case t.kind == tokBraces:
		return ps.advance().value, true
	case t.kind == tokWord && isLiteralWord(t.text):
		return ps.advance().text, true
	default:
		return "", false
	}
}

// local reads a local's name; the first time it makes the local.
func (ps *parser) local() Local {
	t := ps.tok()
	if t.kind != tokWord || sanitize(t.text) != t.text {
		ps.fail("a local")
	}
	ps.advance()
	l, ok := ps.locals[t.text]
	if !ok {
		l = Local(len(ps.prog.Names))
		ps.prog.Names = append(ps.prog.Names, t.text)
		ps.locals[t.text] = l
	}
	return l
}

// name reads a word or a quoted string.
func (ps *parser) name(what string) string {
	switch ps.tok().kind {
	case tokWord:
		return ps.advance().text
	case tokString:
		return ps.advance().value
	default:
		ps.fail(what)
		return ""
	}
}

// index reads b12 or c3. Whether there is such a block or cell is for Check.
func (ps *parser) index(prefix, what string) int {
	t := ps.tok()
	digits, ok := strings.CutPrefix(t.text, prefix)
	n, err := strconv.ParseUint(digits, 10, 31)
	if t.kind != tokWord || !ok || err != nil {
		ps.fail(what)
	}
	ps.advance()
	return int(n)
}

// endLine reads the end of a line, the empty lines after it, and the
// position that the line may carry.
func (ps *parser) endLine() Pos {
	if !ps.tok().ends() {
		ps.fail("the end of the line")
	}
	pos, err := ParsePos(ps.tok().value)
	if err != nil {
		ps.fail("a position")
	}
	ps.skipLines()
	return pos
}

func (ps *parser) skipLines() {
	for ps.tok().kind == tokLine {
		ps.advance()
	}
}

func (ps *parser) tok() textToken { return ps.toks[ps.next] }

// peek is the token after the next one; at the end, the end.
func (ps *parser) peek() textToken { return ps.toks[min(ps.next+1, len(ps.toks)-1)] }

func (ps *parser) advance() textToken {
	t := ps.toks[ps.next]
	ps.next = min(ps.next+1, len(ps.toks)-1)
	return t
}

func (ps *parser) at(punct string) bool { return ps.tok().isPunct(punct) }

// atAssignment reports whether the line starts with a result.
func (ps *parser) atAssignment() bool {
	return ps.tok().kind == tokWord && (ps.peek().isPunct("=") || ps.peek().isPunct(","))
}

// atWord reports whether the next token is this word and not a result.
func (ps *parser) atWord(word string) bool { return ps.tok().isWord(word) && !ps.atAssignment() }

func (ps *parser) word(word string) textToken {
	if !ps.tok().isWord(word) {
		ps.fail(word)
	}
	return ps.advance()
}

func (ps *parser) punct(punct string) {
	if !ps.at(punct) {
		ps.fail(strconv.Quote(punct))
	}
	ps.advance()
}

// fail ends the parse at the next token.
func (ps *parser) fail(expected string) {
	ps.failAt(ps.tok(), "expected "+expected+", found "+ps.tok().String())
}

// failAt keeps the first error and goes to the end of the input.
func (ps *parser) failAt(t textToken, msg string) {
	if ps.err == nil {
		ps.err = fmt.Errorf("%s:%d:%d: %s", ps.file, t.line, t.col, msg)
	}
	ps.next = len(ps.toks) - 1
}
