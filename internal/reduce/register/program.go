package register

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Program is a register program: a control-flow graph over mutable locals
// whose only shared state is a set of cells, touched by atomic operations.
//
// It is used in two forms. In function form the cells are still written as
// the function wrote them, one per pair of map and key operands, and the
// program covers a whole function. In region form (see Region) the cells
// are resolved, equal ones are one, and the program covers one extension.
type Program struct {
	// Name is the function's name as go doc prints it, e.g. "(*Registry).Get".
	Name string
	// Params are the locals that are defined on entry, in order.
	Params []Local
	// Names gives every local a printable, unique identifier.
	Names []string
	// Types are the declared types of the first locals: of those whose value
	// does not say what it is, which are parameters, results that cannot be
	// predicted, and those of functions that are not interpreted.
	Types []Type
	Cells []Cell
	// Outs is how many of the first Params are variables that a closure
	// assigns. Each Return gives their new values after its results. Only
	// Inline asks; it is no part of the text form.
	Outs int
	// Blocks[0] is the entry. Nothing jumps to it.
	Blocks []*Block
	// Stored names the pure loads that the function may not repeat, because
	// it writes to such memory itself: fields "T.f", "load:T", "elem:T",
	// "lookup:T" and globals "&pkg.v". Inline unites it. It is no part of
	// the text form and empty in a region.
	Stored map[string]bool
	// fields are the places of fields "T.f" in their structs.
	FieldPlaces map[string]int
	// Refused are the functions that were not inlined although they could be: for the size
	// of the program, or the depth of their calls. They are no part of the text form.
	Refused []string
	// yield says that this is the body of a range over a function.
	Yield bool
	// Settled says that this is a region, or a step: which of its operations are on one cell is known,
	// whatever their keys were copied from. It is no part of the text form.
	Settled bool
}

// Local names a variable of a Program: an index into Program.Names.
type Local int

// None is the absence of a local: a result that nobody uses.
const None Local = -1

// Cell is one (map identity, key) pair.
type Cell struct {
	Kind CellKind
	// Map is the map's identity: a local that holds a pure term such as
	// "&Registry.sessions(r)", or a literal such as "&pkg.sessions".
	Map Operand
	// Key is the key; the zero Operand (no local, no literal) for an atomic.
	Key Operand
	// KeyType is the key's type, empty if that is not known: keys of two
	// types are not equal. The text of a program does not have it.
	KeyType string
	// KeyStart is what the key begins with, if it is a text: two that begin differently are not equal.
	// It is empty if that is not known, and no part of the text of a program either.
	KeyStart string
	// Type is that of what the cell holds.
	Type Type
	// Zero is what a read of the absent cell yields: "nil", "0", `""`.
	// An Atomic cell holds it at the start.
	Zero string
	// Evicts says that the library may remove the entry on its own.
	Evicts bool
	// Guarded says that it is plain memory that is only touched under a lock.
	Guarded bool
	// Counted says that it is any one of the entries that the program counts, which it does nothing else to. The text of a program
	// does not have it.
	Counted bool
	// Label is how a message names the cell, e.g. "r.sessions[id]".
	Label string
}

// Content is the type of what the cell holds, as far as it is known.
func (c *Cell) Content() Type {
	if c.Type.Kind == NoType && c.Zero == string(LitFalse) {
		return Type{Kind: Bool}
	}
	return c.Type
}

// CellKind says which contents a cell can have.
type CellKind int

const (
	// Map cells are absent or hold a value, and can be removed.
	Map CellKind = iota
	// Atomic cells always hold a value; at the start their zero value.
	Atomic
	// Latch cells (atomic.Value) start absent and cannot be removed.
	Latch
)

// Operand is a local, a literal, or nothing.
type Operand struct {
	// Local is the local read; None for a literal.
	Local Local
	// Lit is the literal's canonical text: nil, true, false, absent, a
	// number, a quoted string, &global, or {other constant}.
	Lit string
}

// L is the operand that reads a local.
func L(l Local) Operand { return Operand{Local: l} }

// Lit is the operand for a literal, given as its canonical text.
func Lit(text string) Operand { return Operand{Local: None, Lit: text} }

// Str is the operand for a string literal.
func Str(s string) Operand { return Lit(strconv.Quote(s)) }

// Weak is the Name of a CAS that a specification may let fail.
const Weak = "weak"

// Every is the Name of a Write that is one to each entry of a map: its cell is any of them.
const Every = "every"

// calledWord comes before the name of an instruction that is Called, in the text form.
const calledWord = "call"

// Literals with a meaning of their own.
const (
	LitNil    = "nil"
	LitTrue   = "true"
	LitFalse  = "false"
	LitAbsent = "absent"
	// LitUnseen stands for what an operation would have given that a step
	// did not come to.
	LitUnseen = "{unseen}"
)

// Absent is the operand that stands for "no entry" in a write or a cas.
var Absent = Lit(LitAbsent)

// NoOperand is the operand that is nothing: the key of an atomic.
var NoOperand = Operand{Local: None}

// IsLit reports whether o is a literal.
func (o Operand) IsLit() bool { return o.Local == None && o.Lit != "" }

// IsNone reports whether o is neither a local nor a literal.
func (o Operand) IsNone() bool { return o.Local == None && o.Lit == "" }

// Block is a straight line of instructions and one terminator.
type Block struct {
	Instrs []Instr
	Term   Term
}

// Op is the kind of an instruction.
type Op int8

const (
	// Copy: Dst[0] = Args[0].
	Copy Op = iota
	// Pure: Dst... = Name(Args...), deterministic, without effect. A few
	// names are interpreted, see Interpreted; all others are uninterpreted
	// functions, result i of which is a function of its own.
	Pure
	// Fresh: Dst[0] = a new identity unlike any other, allocated at site
	// Name with contents Args. The part of Name before '#' is its type.
	Fresh
	// Unknown: Dst... = results that cannot be predicted. Name is the site.
	Unknown
	// Read: Dst = old, had. Of an absent cell: Zero, false.
	Read
	// Write: Dst = old, had; then the cell holds Args[0] (or is absent). Name is "" or Every.
	Write
	// CAS: Dst = old, ok; if the cell equals Args[0] (a value, or absent)
	// it becomes Args[1] (a value, or absent). old is the content before,
	// Zero if absent; ok says whether it was replaced. A value never equals
	// an absent cell, but for nil and a Latch: what was loaded from one that
	// has nothing is what has to be expected of it. Name is "" or Weak: an atomic run that serves as a
	// specification may let a weak one fail, which says that somebody else
	// was faster, and that the caller is content with that.
	CAS
	// Effect: an observable step Name(Args...) on a published value, or on
	// whatever it is if Name begins with Then.
	Effect
	// Enter begins, and Leave ends, a part that no other goroutine
	// interrupts: a callback that runs under the map's own lock, or a
	// critical section that the environment honours. They nest.
	Enter
	Leave
	// Lock and Unlock take and release the lock Args[0]; Name is "w" or
	// "r". They only mark the function form: Region drops them or turns
	// them into Enter and Leave.
	Lock
	Unlock
	// Blocking marks a step that waits for another goroutine (a channel
	// operation, WaitGroup.Wait, Cond.Wait): a value without effect here.
	Blocking
	// Call: Dst... = Callee(Args...), a call still to be inlined. Name is
	// the callee's key for Inline's lookup.
	Call
	// Omit marks something that the program does to a map and that registers do not
	// tell: Name is OmitLook for a look at all entries of the map Args[0], or at what
	// another goroutine does, OmitAct for a change, and OmitUnwind for what is deferred
	// and runs where a call that comes now panics, and OmitCall for all that a call does
	// which is too deep or too large to be inlined. It means nothing to a run. What
	// is verified without it is not verified: see Omits. OmitLater is where the function is
	// over, and what it has somebody run later begins.
	Omit
)

// The names of an Omit.
const (
	OmitLook   = "look"
	OmitAct    = "act"
	OmitUnwind = "unwind"
	OmitCall   = "call"
	OmitLater  = "later"
)

// Then begins the name of an effect in the tail of a region: what the function
// goes on to do once its operations are over. It always counts.
const Then = "then "

// IsTail reports whether an effect with that name is one in the tail of a region.
func IsTail(name string) bool { return strings.HasPrefix(name, Then) }

// Other begins the name of an Unknown that is what an operation on a cell of another
// region finds.
const Other = "other#"

// Panics ends the name of an Unknown that says whether a function panics.
const Panics = " panics"

// Later ends the name of an Unknown that goes by a clock: another call is told something else there, whatever it asks.
const Later = " later"

// OfEntry is Other for a cell that is a part of what is in one of the region's own: of
// another entry it may be another one. It is told which cell that is.
const OfEntry = "entry#"

// Instr is one instruction. Which fields count depends on Op. There are millions of them:
// the small fields come first, next to each other.
type Instr struct {
	Op Op
	// Called says that it is a call of a function, although its name alone would be that of
	// memory: of a function value called load, or of a method of an interface. See AsCall.
	Called bool
	// Asks says of a call of a function that is not known, be it a Call or the Effect that
	// becomes of it, that it is made for what it gives: that its caller uses more of that
	// than an error. It is no part of the text form.
	Asks bool
	// Fails says of a call that its last result is an error, whatever it is given. It is no part of the text form.
	Fails bool
	// Drawn says of an Unknown that it is drawn by lot, another one at each call, and of an Effect that it fills
	// memory so. It is no part of the text form.
	Drawn bool
	// Reads says of a Pure that what it gives goes by the state of what it is given, or by a clock: one call asks for that
	// once, and another call may be told something else. Clock says that it is by a clock. They are no part of the text form.
	Reads, Clock bool
	// Counts says of an Effect that an outcome decides about, as it does about a write after it,
	// that it counts whatever it concerns. It is no part of the text form.
	Counts bool
	// Guard says that a Lock or Unlock is that of guarded cells. Inline puts
	// Enter and Leave there; it is no part of the text form.
	Guard bool
	// Named says of a Pure that what it gives is a variable of a loop, so that its name says more than how it was found.
	// It is no part of the text form.
	Named bool
	// Foreign says that it is from the program of a function of another package. It is no part of the text form.
	Foreign bool
	// AtBirth says of the load of a field that its package assigns it only where it makes
	// the object. It is no part of the text form.
	AtBirth bool
	// Beside is how many of the last arguments of an Effect only tell what it follows from:
	// it is done to the others. It is no part of the text form.
	Beside uint16
	// Owners is how many of the last arguments of an Effect are there only because others are parts
	// of them, or calculated from them. It is no part of the text form.
	Owners uint16
	// Part is one more than the place of a field in its struct, if this takes it out of a struct, or loads one
	// that nobody changes once its object is made: it holds what the object was made with.
	// It is no part of the text form.
	Part int32
	Dst  []Local // None where a result is not used
	Name string
	// Type is what an interpreted function works at: that of its operands for
	// a comparison, the one asked for by is, and else that of its result.
	Type Type
	Args []Operand
	Cell int // Read, Write, CAS
	// Held are the critical sections around an operation on a guarded cell, by number
	// and in order; two operations of one program with the same ones are in one
	// section. A Lock has the one that begins there. Inline finds them; it is no part
	// of the text form.
	Held []int
	Pos  Pos
}

// TermKind is the kind of a terminator.
type TermKind int

const (
	Jump TermKind = iota
	Branch
	Return
	Panic
)

// Term ends a block.
type Term struct {
	Kind TermKind
	// Cond is Branch's condition; true goes to To[0], false to To[1].
	Cond Operand
	// To are the successors: one for Jump, two for Branch.
	To []int
	// Label tells exits of a region apart ("" for the function's own
	// return), or says what a Panic is ("nil dereference").
	Label string
	// Vals are the results of Return, or what a Panic carries.
	Vals []Operand
	Pos  Pos
}

// Panicked is the label of a panic that the code asks for.
const Panicked = "panic"

// IsBase reports whether the instruction is an operation on a cell.
func (in *Instr) IsBase() bool { return in.Op == Read || in.Op == Write || in.Op == CAS }

// Yields reports whether other goroutines can come in just before the
// instruction, outside of any Enter and Leave: before an operation on a cell,
// and before the wait for a lock. When a read takes place that nothing comes of, is
// nobody's concern.
func (in *Instr) Yields() bool {
	return in.Op == Enter || in.Op == Lock || in.IsBase() && (in.Op != Read || in.isUsed())
}

func (in *Instr) isUsed() bool {
	used := false
	in.Defs(func(Local) { used = true })
	return used
}

// NewLocal adds a local whose name is derived from hint and unique in p.
func (p *Program) NewLocal(hint string) Local {
	base := sanitize(hint)
	// Names get numbers in turn, so only base and its numbered forms matter.
	taken := map[string]bool{}
	for _, n := range p.Names {
		if strings.HasPrefix(n, base) {
			taken[n] = true
		}
	}
	name := base
	for i := 2; taken[name]; i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	p.Names = append(p.Names, name)
	return Local(len(p.Names) - 1)
}

// sanitize turns hint into an identifier of the text form.
func sanitize(hint string) string {
	var b strings.Builder
	for i, r := range hint {
		switch {
		case r == '_' || unicode.IsLetter(r), i > 0 && unicode.IsDigit(r):
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	switch s := b.String(); s {
	case "", "_":
		return "t"
	case LitNil, LitTrue, LitFalse, LitAbsent:
		return s + "_"
	default:
		return s
	}
}

// Clone copies a program so far that its blocks, with where they lead, instructions,
// parameters, names and cells can be changed; instructions share their operands.
func (p *Program) Clone() *Program {
	q := *p
	q.Params, q.Names, q.Cells = slices.Clone(p.Params), slices.Clone(p.Names), slices.Clone(p.Cells)
	q.Types = slices.Clone(p.Types)
	q.Blocks = make([]*Block, len(p.Blocks))
	for i, blk := range p.Blocks {
		b := *blk
		b.Instrs = slices.Clone(blk.Instrs)
		b.Term.To, b.Term.Vals = slices.Clone(blk.Term.To), slices.Clone(blk.Term.Vals)
		q.Blocks[i] = &b
	}
	return &q
}
