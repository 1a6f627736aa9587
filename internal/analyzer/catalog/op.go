package catalog

// Kind says what an operation does to its cell, in one atomic step unless
// stated otherwise.
type Kind int

const (
	// Load reads the cell.
	Load Kind = iota + 1
	// Store writes Value (or Op.Const) whatever was there.
	Store
	// Delete makes the cell absent.
	Delete
	// Insert writes Value if the cell is absent.
	Insert
	// Replace writes Value if the cell is present.
	Replace
	// CAS writes New if the cell holds Old.
	CAS
	// CAD makes the cell absent if it holds Old.
	CAD
	// Update writes Op.FN(content, Delta). An absent cell counts as zero,
	// unless Op.When says that the operation then does nothing.
	Update
	// Compute lets Op.Callback decide, under the map's own lock.
	Compute
	// Whole touches many cells, see Op.Whole.
	Whole
	// Unwrap takes the value (or key) out of an item that another
	// operation returned. It does not touch the cell.
	Unwrap
	// Plain has nothing to do with cells: Stop, Stats, OnEvicted.
	Plain
)

// WholeKind tells operations on the whole map apart.
type WholeKind int

const (
	// Range calls Op.Callback once for each entry, each entry read on its own.
	Range WholeKind = iota + 1
	// Iter returns an iterator or a channel over the entries.
	Iter
	// Read returns something about all entries: a length, keys, a copy.
	Read
	// Clear removes every entry.
	Clear
	// Sweep removes some entries that the library or Op.Callback chooses.
	Sweep
	// Fill writes several entries.
	Fill
)

// When restricts Update and Compute to one state of the cell. In the other
// state the operation changes nothing and no callback runs.
type When int

const (
	Always When = iota
	IfPresent
	IfAbsent
)

// Role says what a parameter or a result stands for.
type Role int

const (
	// Ignored is a parameter without influence on the cell (ttl, context,
	// options), or a result that nothing here predicts.
	Ignored Role = iota

	// CellAddr is a parameter: the address of the cell (&x, sync/atomic).
	CellAddr
	// Key is the key: a parameter, or the result of Unwrap.
	Key
	// Keys is a slice of keys; the operation is done for each in turn.
	Keys
	// Value is what is written. A callback's parameter with this role gets
	// the call's own Value.
	Value
	// Delta is Update's second operand.
	Delta
	// Callback is the function described by Op.Callback.
	Callback

	// Old is, as a parameter, the expected content; as a result or as a
	// callback's parameter, the content before. Where there is none, a
	// result has the zero value of its own type; so have New and Actual.
	Old
	// New is what is to be written, as a parameter or a callback's result;
	// as a result, the content after. A callback that returns New and no
	// flag always writes.
	New
	// Actual is the content before if there was one, else what the call
	// wrote (the zero value if it wrote nothing).
	Actual
	// Last is the content after if there is one, else the content before.
	Last

	// Had says that the cell was present before; NotHad, that it was not.
	Had
	NotHad
	// Present says that the cell is present after.
	Present
	// OK says that the operation took effect; NotOK, that it did not. A
	// Load or a Delete takes effect if the cell was present, a Compute if
	// it is present after.
	OK
	NotOK
	// Err is an error that is nil if and only if OK. As a callback's result
	// it is an error that, if not nil, leaves the cell as it was.
	Err
	// Zero is a result that is always its type's zero value, as far as this
	// tool is concerned (an error that only a closed cache returns).
	Zero

	// ItemOld, ItemNew and ItemActual are pointers to a wrapper around Old,
	// New or Actual: nil if and only if there is no such content. Unwrap
	// operations on the pointer yield the content.
	ItemOld
	ItemNew
	ItemActual

	// DeleteFlag is a callback's result: true makes the cell absent. As a
	// result of the operation it is what the callback answered.
	DeleteFlag
	// CancelFlag is a callback's result: true leaves the cell as it was.
	CancelFlag
	// Opcode is a callback's result: 0 leaves the cell as it was, 1 writes
	// New, 2 makes it absent.
	Opcode
	// More is a Range callback's result: false ends the iteration. Stop is
	// its opposite.
	More
	Stop
)

// CellKind says which contents a cell can have.
type CellKind int

const (
	// MapCell is absent or holds a value, and can be removed.
	MapCell CellKind = iota
	// AtomicCell always holds a value, its type's zero value at first.
	AtomicCell
	// LatchCell (atomic.Value) starts absent, which reads as nil; once it
	// is present it stays present.
	LatchCell
)

// Signature is the shape of a callback.
type Signature struct {
	Params  []Role
	Results []Role
}

// Type is what is known of a map-like type, or of the group of functions
// that take the address of a cell. Where the methods have value receivers
// (concurrent-map), a copy of the receiver is the same map.
type Type struct {
	// Pkg and Name identify it; Name is empty for a group of functions.
	Pkg  string
	Name string
	// Display is how messages name it, e.g. "sync.Map".
	Display string
	Cell    CellKind
	// Evicts says that entries may go away on their own.
	Evicts bool
	// Item says that this is no map but the wrapper type of its values.
	Item bool
}

// Op is one operation of the table.
type Op struct {
	Type *Type
	// Name is the method's or function's name.
	Name string
	Kind Kind
	// Params has one role per parameter, without the receiver; Results one
	// per result. Both are nil when the table says "...": no role is known.
	Params  []Role
	Results []Role
	// FN is Update's function: add, sub, and, or, xor, not (of names that
	// reduce interprets).
	FN string
	// Const is the literal that stands for the missing Value or Delta
	// parameter: "1" for Inc.
	Const string
	When  When
	// Split is zero, or Insert or Store for an Insert or a Compute IfAbsent
	// that is one step by its documentation and two by its code: a read,
	// and if the cell is absent a Split of the value, which a callback
	// computes in between with no lock held.
	Split Kind
	Whole WholeKind
	// Callback is nil if no parameter has the role Callback.
	Callback *Signature
}

// Param returns the index of the first parameter with role r, or -1.
func (o *Op) Param(r Role) int { return indexRole(o.Params, r) }

// Result returns the index of the first result with role r, or -1.
func (o *Op) Result(r Role) int { return indexRole(o.Results, r) }

// String names the operation as a message does, e.g. "sync.Map.Load".
func (o *Op) String() string { return o.Type.Display + "." + o.Name }

func indexRole(roles []Role, r Role) int {
	for i, x := range roles {
		if x == r {
			return i
		}
	}
	return -1
}
