package reduce

import (
	"go/types"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// lowerer is the state of one lower. The SSA values of the function are in
// exactly one of the maps, depending on what they are.
type lowerer struct {
	fn  *ssa.Function
	res calls.Resolver
	*register.Naming
	// funcs are the functions that the program names by key.
	funcs map[string]*ssa.Function
	src   *source
	caps  *captures

	// vals are the values that are an operand.
	vals map[ssa.Value]register.Operand
	// leaves are structs that are known leaf by leaf.
	leaves map[ssa.Value][]register.Operand
	// tuples are the results of calls and the like with several of them.
	tuples map[ssa.Value][]register.Operand
	// there says when an operation found something, by the operand for what it found.
	there map[register.Operand]register.Operand
	// lists are slices made for variadic arguments, element by element.
	lists map[ssa.Value][]ssa.Value
	// vars are the variables: an Alloc or a FreeVar each.
	vars map[ssa.Value]*variable
	// zeros are the parameters that stand for type parameters' zero values.
	zeros map[string]register.Local

	objects map[*ssa.Alloc]*object
	// births are the objects to allocate before an instruction.
	births map[ssa.Instruction][]*object
	// inits are the stores that belong to the birth of an object.
	inits map[*ssa.Store]bool

	// later is not nil if what the function starts is looked at as if it ran when
	// the function is done.
	later Later
	// collected is the sweep that finds one entry; nil if there is none.
	collected *Collected
	gives     bool // the key in the place of the slice
	found     register.Local
	defers    []*deferred
	exits     []exit
	// passed are the defer statements of the block being lowered, so far.
	passed map[*deferred]bool
	// unwinds says that it matters whether deferred calls run where a value panics.
	unwinds bool
	// rescues says that a deferred call recovers, and operates on a cell then.
	rescues bool
	// recovered is what recover gives in this function, and panicking what it gives
	// in the deferred calls being lowered.
	recovered register.Operand
	panicking register.Operand

	block *ssa.BasicBlock // being lowered; nil while running defers
	cur   int             // the block to emit to
	at    register.Pos    // the position to emit at
	first map[*ssa.BasicBlock]int
	last  map[*ssa.BasicBlock]int
	edges map[[2]*ssa.BasicBlock]int

	// nonNil are the operands that were found not nil, by the block from
	// which on that is known.
	nonNil map[*ssa.BasicBlock]map[register.Operand]bool
}

// newBlock adds an empty block.
func (l *lowerer) newBlock() int {
	l.P.Blocks = append(l.P.Blocks, &register.Block{})
	return len(l.P.Blocks) - 1
}

// emit adds an instruction to the current block, at the current position.
func (l *lowerer) emit(in register.Instr) {
	in.Pos = l.at
	b := l.P.Blocks[l.cur]
	b.Instrs = append(b.Instrs, in)
}

// emitted is the last instruction.
func (l *lowerer) emitted() *register.Instr {
	b := l.P.Blocks[l.cur]
	return &b.Instrs[len(b.Instrs)-1]
}

// end ends the current block.
func (l *lowerer) end(t register.Term) {
	t.Pos = l.at
	l.P.Blocks[l.cur].Term = t
}

// jump ends the current block by a jump, and emits there from now on.
func (l *lowerer) jump(to int) {
	l.end(register.Term{Kind: register.Jump, To: []int{to}})
	l.cur = to
}

// branch ends the current block and returns the two blocks it goes to.
func (l *lowerer) branch(cond register.Operand) (yes, no int) {
	yes, no = l.newBlock(), l.newBlock()
	l.end(register.Term{Kind: register.Branch, Cond: cond, To: []int{yes, no}})
	return yes, no
}

// crash ends the current block by a panic. What follows is unreachable.
func (l *lowerer) crash(label string, vals ...register.Operand) {
	l.end(register.Term{Kind: register.Panic, Label: label, Vals: vals})
	l.cur = l.newBlock()
	l.P.Blocks[l.cur].Term = register.Term{Kind: register.Panic, Label: label}
}

// pure emits a pure function with one result.
func (l *lowerer) pure(hint, name string, args ...register.Operand) register.Operand {
	d := l.Local(hint)
	l.emit(register.Instr{Op: register.Pure, Dst: []register.Local{d}, Name: name, Args: args})
	return register.L(d)
}

// unknown emits an unpredictable value; site gets a number of its own.
func (l *lowerer) unknown(hint, site string, args ...register.Operand) register.Operand {
	d := l.Local(hint)
	l.emit(register.Instr{Op: register.Unknown, Dst: []register.Local{d}, Name: l.Site(site), Args: args})
	return register.L(d)
}

// copy emits a copy to a new local.
func (l *lowerer) copy(hint string, from register.Operand) register.Operand {
	d := l.Local(hint)
	l.assign(d, from)
	return register.L(d)
}

func (l *lowerer) assign(d register.Local, from register.Operand) {
	l.emit(register.Instr{Op: register.Copy, Dst: []register.Local{d}, Args: []register.Operand{from}})
}

func (l *lowerer) not(o register.Operand) register.Operand {
	switch o.Lit {
	case register.LitTrue:
		return register.Lit(register.LitFalse)
	case register.LitFalse:
		return register.Lit(register.LitTrue)
	}
	return l.pure("not", "not", o)
}

// A variable is what an Alloc or a FreeVar of the function stands for.
type variable struct {
	typ types.Type
	// locals has one local for each leaf; none if volatile.
	locals []register.Local
	// out says that a captured variable is assigned here.
	out      bool
	volatile bool
}

// An object is an Alloc whose address goes elsewhere. It is born, as a Fresh,
// when that first happens: what was stored to it until then, in a straight
// line from the Alloc, is its contents, by which two objects are compared.
// Stores after that are effects.
type object struct {
	alloc *ssa.Alloc
	// sets are the stores before birth, in order.
	sets []objectSet
	born bool
	self register.Operand
}

// objectSet is a store of a value to the part of an object at a path of
// fields and constant indices.
type objectSet struct {
	path []int
	val  ssa.Value
}

// deferred is one defer statement. Whether it has run is a local, unless it
// has on every way to every exit.
type deferred struct {
	instr ssa.Instruction
	flag  register.Local // None if not needed
	// later is the function that somebody else is to run, after this one; nil for a defer
	// statement and for a goroutine.
	later ssa.Value
}

// exit is a place where deferred calls run: from is the block that ends there,
// and to the one to go on with.
type exit struct {
	block    *ssa.BasicBlock
	from, to int
	at       register.Pos
	// panics is what the function ends with there if nobody recovers; nil if it
	// returns.
	panics *register.Term
	// ran are the defer statements of the block that come before.
	ran map[*deferred]bool
}

// Later says which function an instruction has somebody run later: a call, as a timer does,
// or the literal that is handed out; nil if none.
type Later func(ssa.Instruction) ssa.Value
