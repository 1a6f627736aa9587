package register

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The text form is line based:
//
//	func "(*Registry).Get"(r, id)
//	cell c0 map m[id] zero nil label "r.sessions[id]"
//	var id string
//
//	b0:
//	    m = pure &Registry.sessions(r)
//	    v, ok = read c0  ; registry.go:12:3
//	    branch ok, b1, b2
//
// Cells and blocks are numbered in order. A result that nobody uses is _. A
// name of a function, site, callee or label that is not one plain word is
// quoted. What follows a semicolon is the position of the instruction, if it
// looks like one, and a comment otherwise. A type is the word of its kind, and
// its name in quotes if it has one of its own: after the locals that it is
// declared for, after the name of a function that works at it, and after "of"
// for what a cell holds. A literal that is not a plain word
// or a string has braces, see literalText.

// indent starts an instruction's line; posColumn is where positions start,
// unless the instruction is longer.
const (
	indent    = "    "
	posColumn = 44
)

// unprintable stands for an index out of range or a missing operand. It is
// no text that Parse accepts: such a program does not pass Check either.
const unprintable = "<?>"

// opWords are the words of the instructions that have one; Copy has none.
var OpWords = map[Op]string{
	Pure: "pure", Fresh: "fresh", Unknown: "unknown", Read: "read",
	Write: "write", CAS: "cas", Effect: "effect", Enter: "enter",
	Leave: "leave", Lock: "lock", Unlock: "unlock", Blocking: "blocking",
	Call: "call", Omit: "omit",
}

// kindWords are the words of the cell kinds.
var kindWords = map[CellKind]string{Map: "map", Atomic: "atomic", Latch: "latch"}

// termWords are the words of the terminators.
var termWords = map[TermKind]string{Jump: "jump", Branch: "branch", Return: "return", Panic: "panic"}

// Print writes p in the text form that Parse reads.
func Print(w io.Writer, p *Program) error {
	_, err := io.WriteString(w, p.String())
	return err
}

// String is the program in the text form that Parse reads. A program that
// passes Check parses back to the same program, but for the numbers of its
// locals and the names of locals that occur nowhere.
func (p *Program) String() string {
	var b strings.Builder
	b.WriteString("func " + wordOrQuoted(p.Name) + "(" + p.localsText(p.Params) + ")\n")
	for i := range p.Cells {
		b.WriteString(p.cellText(i) + "\n")
	}
	for _, line := range p.typeLines() {
		b.WriteString(line + "\n")
	}
	for i, blk := range p.Blocks {
		fmt.Fprintf(&b, "\nb%d:\n", i)
		for j := range blk.Instrs {
			writeLine(&b, p.InstrText(&blk.Instrs[j]), blk.Instrs[j].Pos)
		}
		writeLine(&b, p.TermText(&blk.Term), blk.Term.Pos)
	}
	return b.String()
}

// typeLines are the lines that declare the types of locals: one for each type,
// in the order in which the first locals have them.
func (p *Program) typeLines() []string {
	var order []Type
	locals := map[Type][]Local{}
	for l := range p.Types[:min(len(p.Types), len(p.Names))] {
		t := p.Types[l]
		if t.Kind == NoType {
			continue
		}
		if locals[t] == nil {
			order = append(order, t)
		}
		locals[t] = append(locals[t], Local(l))
	}
	var lines []string
	for _, t := range order {
		lines = append(lines, "var "+p.localsText(locals[t])+" "+t.Text())
	}
	return lines
}

func writeLine(b *strings.Builder, text string, pos Pos) {
	if !pos.IsZero() {
		width := posColumn - len(indent)
		text = fmt.Sprintf("%-*s  ; %s", width, text, posText(pos))
	}
	b.WriteString(indent + text + "\n")
}

// cellText is the line that declares cell i.
func (p *Program) cellText(i int) string {
	c := &p.Cells[i]
	kind, ok := kindWords[c.Kind]
	if !ok {
		kind = unprintable
	}
	text := fmt.Sprintf("cell c%d %s %s", i, kind, p.OperandText(c.Map))
	if !c.Key.IsNone() {
		text += "[" + p.OperandText(c.Key) + "]"
	}
	if c.Type.Kind != NoType {
		text += " of " + c.Type.Text()
	}
	text += " zero " + literalText(c.Zero)
	if c.Evicts {
		text += " evicts"
	}
	if c.Guarded {
		text += " guarded"
	}
	if c.Label != "" {
		text += " label " + strconv.Quote(c.Label)
	}
	return text
}

// InstrText is one instruction of p in the text form, without its position.
func (p *Program) InstrText(in *Instr) string {
	text := ""
	if len(in.Dst) > 0 {
		text = p.localsText(in.Dst) + " = "
	}
	if in.Op == Copy {
		return text + p.operandsText(in.Args)
	}
	word, ok := OpWords[in.Op]
	if !ok {
		return text + unprintable
	}
	text += word
	switch in.Op {
	case Enter, Leave:
		return text
	case Read:
		return text + " " + p.cellName(in.Cell)
	case Write, CAS:
		if in.Name != "" {
			text += " " + wordOrQuoted(in.Name)
		}
		return text + " " + p.cellName(in.Cell) + ", " + p.operandsText(in.Args)
	case Lock, Unlock:
		return text + " " + wordOrQuoted(in.Name) + " " + p.operandsText(in.Args)
	default:
		name := wordOrQuoted(in.Name)
		switch {
		case in.Called:
			name = calledWord + " " + name
		case name == calledWord && in.Type.Kind != NoType:
			name = strconv.Quote(name)
		}
		text += " " + name
		if in.Type.Kind != NoType {
			text += " " + in.Type.Text()
		}
		return text + "(" + p.operandsText(in.Args) + ")"
	}
}

// TermText is one terminator of p in the text form, without its position.
func (p *Program) TermText(t *Term) string {
	var to []string
	for _, s := range t.To {
		to = append(to, "b"+strconv.Itoa(s))
	}
	vals := p.operandsText(t.Vals)
	switch t.Kind {
	case Jump:
		return "jump " + strings.Join(to, ", ")
	case Branch:
		return "branch " + p.OperandText(t.Cond) + ", " + strings.Join(to, ", ")
	case Panic:
		return "panic " + strconv.Quote(t.Label) + " (" + vals + ")"
	case Return:
		if t.Label != "" {
			return "return " + wordOrQuoted(t.Label) + " (" + vals + ")"
		}
		return strings.TrimSpace("return " + vals)
	default:
		return unprintable
	}
}

// OperandText is an operand of p in the text form.
func (p *Program) OperandText(o Operand) string {
	switch {
	case o.IsNone():
		return unprintable
	case o.IsLit():
		return literalText(o.Lit)
	default:
		return p.localName(o.Local)
	}
}

func (p *Program) operandsText(ops []Operand) string {
	var texts []string
	for _, o := range ops {
		texts = append(texts, p.OperandText(o))
	}
	return strings.Join(texts, ", ")
}

func (p *Program) localsText(locals []Local) string {
	var texts []string
	for _, l := range locals {
		texts = append(texts, p.localName(l))
	}
	return strings.Join(texts, ", ")
}

func (p *Program) localName(l Local) string {
	switch {
	case l == None:
		return "_"
	case l < 0 || int(l) >= len(p.Names):
		return unprintable
	default:
		return p.Names[l]
	}
}

func (p *Program) cellName(c int) string {
	if c < 0 || c >= len(p.Cells) {
		return unprintable
	}
	return "c" + strconv.Itoa(c)
}

// wordOrQuoted quotes s unless it is one word of the text form.
func wordOrQuoted(s string) string {
	if isWord(s) {
		return s
	}
	return strconv.Quote(s)
}

func isWord(s string) bool { return s != "" && wordLength(s) == len(s) }

// wordLength is the length of the word that s begins with. Go's and ssa's names
// for variables, methods of packages and numbered sites are words; those of
// methods of pointers and of instances, which have brackets, are not.
func wordLength(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, func(r rune) bool {
		return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.#&*/$@+-", r))
	}))
}

// literalText writes the text of a literal so that it is neither taken for a
// local nor cut short: constants, numbers, &globals and strings as they are,
// {other constants} as they are if the closing brace can be found, and
// everything else quoted between braces.
func literalText(lit string) string {
	if isLiteralWord(lit) {
		return lit
	}
	if s, err := strconv.Unquote(lit); err == nil && strconv.Quote(s) == lit {
		return lit
	}
	if n := bracedPrefix(lit); n > 0 && n == len(lit) && isPrintable(lit) {
		return lit
	}
	return "{" + strconv.Quote(lit) + "}"
}

// isLiteralWord reports whether the word s is a literal and not a local.
func isLiteralWord(s string) bool {
	switch s {
	case LitNil, LitTrue, LitFalse, LitAbsent:
		return true
	}
	digits := strings.TrimPrefix(s, "-")
	number := digits != "" && digits[0] >= '0' && digits[0] <= '9'
	return isWord(s) && (number || s[0] == '&' && len(s) > 1)
}

// bracedPrefix is the length of the {...} that s starts with, which may hold
// more braces, but on one line; 0 if there is none. {" is for quoted ones.
func bracedPrefix(s string) int {
	if !strings.HasPrefix(s, "{") || strings.HasPrefix(s, `{"`) {
		return 0
	}
	depth := 0
	for i := 0; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func isPrintable(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// posText is a position as a comment. One that does not look like a position
// would be dropped as a remark, so it is quoted.
func posText(pos Pos) string {
	if text := pos.String(); looksLikePos(text) {
		return text
	}
	return strconv.Quote(pos.String())
}

// looksLikePos reports whether s ends in a line and perhaps a column. Of
// blanks, only ' ' inside survives the way to the text and back.
func looksLikePos(s string) bool {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 || s[0] == '"' || s[0] == ' ' || !isPrintable(s) {
		return false
	}
	_, err := strconv.ParseUint(s[i+1:], 10, 31)
	return err == nil
}
