package calls

import (
	"go/types"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// Memory is what a Resolver also implements that knows of plain memory which a lock
// guards. It must answer alike when asked twice.
type Memory interface {
	// Cell says whether an instruction reads or writes guarded memory, and which:
	// the address of the field or variable, that of the map for its entries.
	Cell(instr ssa.Instruction) (addr ssa.Value, ok bool)
	// Length says whether a call asks how many entries a guarded map has, and gives its address.
	Length(call ssa.CallInstruction) (addr ssa.Value, ok bool)
	// Whole says whether a load gives a guarded map to somebody who may look at all of it, and gives its
	// address.
	Whole(load *ssa.UnOp) (addr ssa.Value, ok bool)
	// Plain says whether an instruction other than a call reads or writes what is an atomic elsewhere, and gives
	// its address.
	Plain(instr ssa.Instruction) (addr ssa.Value, ok bool)
	// Drops says whether a store makes an element of guarded memory nothing before it is cut off.
	Drops(st *ssa.Store) bool
}

// Locks is what a Resolver also implements that knows of locks which are no mutexes: a
// channel with one token, an atomic that is free or taken.
type Locks interface {
	// LockAt says whether an instruction other than a call takes or releases one.
	LockAt(instr ssa.Instruction) (LockStep, bool)
	// LocksInto are those that are taken on the way into a block.
	LocksInto(b *ssa.BasicBlock) []LockStep
	// TableAt says whether a map that is looked at is a table as in Table, and
	// gives its address.
	TableAt(look *ssa.Lookup) (addr ssa.Value, ok bool)
	// LockWithin is what is held whenever a literal runs, by whoever calls it: down
	// these fields from a variable that it captures; nil if nothing is.
	LockWithin(fn *ssa.Function) (owner *ssa.FreeVar, fields []*types.Var)
}

// LockStep takes or releases a lock.
type LockStep struct {
	Op register.Op // Lock or Unlock
	// Mutex is the lock: a channel, or an address.
	Mutex ssa.Value
	// Key chooses one of the locks that Mutex has; nil if it is one.
	Key ssa.Value
	// Guard is as in Info.
	Guard bool
}
