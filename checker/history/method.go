package history

import (
	"fmt"
	"slices"
	"strings"
)

// methodNames are for messages; the words of users are in spellings.
var methodNames = [...]string{
	Insert:        "Insert",
	Remove:        "Remove",
	RemoveEmpty:   "RemoveEmpty",
	Peek:          "Peek",
	PeekEmpty:     "PeekEmpty",
	Add:           "Add",
	AddFailed:     "AddFailed",
	Take:          "Take",
	TakeFailed:    "TakeFailed",
	ContainsTrue:  "ContainsTrue",
	ContainsFalse: "ContainsFalse",
	Write:         "Write",
	Read:          "Read",
	CAS:           "CAS",
	CASFailed:     "CASFailed",
	Swap:          "Swap",
	FetchAdd:      "FetchAdd",
	GetOrPut:      "GetOrPut",
}

// String gives the name of the constant.
func (m Method) String() string {
	if int(m) < len(methodNames) {
		return methodNames[m]
	}
	return "Method(?)"
}

// hasSecond reports whether the method uses the column Second.
func (m Method) hasSecond() bool { return m >= CAS && m <= GetOrPut }

// kindMethods has the methods of each kind in the order of the constants.
var kindMethods = [...][]Method{
	Stack:         {Insert, Remove, RemoveEmpty, Peek, PeekEmpty},
	Queue:         {Insert, Remove, RemoveEmpty, Peek, PeekEmpty},
	PriorityQueue: {Insert, Remove, RemoveEmpty, Peek, PeekEmpty},
	Set:           {Add, AddFailed, Take, TakeFailed, ContainsTrue, ContainsFalse},
	Register:      {Write, Read, CAS, CASFailed, Swap, FetchAdd, GetOrPut},
	Map:           {Write, Read, CAS, CASFailed, Swap, FetchAdd, GetOrPut},
}

// Methods gives the methods that a log of the kind may hold, a fresh slice.
func (k Kind) Methods() []Method { return slices.Clone(kindMethods[k]) }

// A shape says what a method takes and gives, and so which columns hold it.
type shape uint8

const (
	shapeIn     shape = iota // takes a value
	shapeOut                 // gives a value; "otherwise" if there was none
	shapeRead                // gives a value, which may be Absent
	shapeTest                // takes a value, gives whether; "otherwise" if not
	shapeTrue                // takes a value, and the word says that the answer was yes
	shapeFalse               // the same with no
	shapeCAS                 // takes two values, gives whether; "otherwise" if not
	shapeSwap                // takes a value and gives one
	shapeNewSum              // takes a number and gives the sum, not what was before
	shapePut                 // takes a value, and may give the one before
	shapeErase               // takes nothing, and may give the value before: writes Absent
	shapeTake                // takes nothing, gives the value before: swaps Absent in
	shapeCASOut              // takes one value, gives whether: compare-and-swap to Absent
)

// A spelling is one way to call a method of a kind. The first spelling of a
// method and shape is the one that is written.
type spelling struct {
	word      string // in lower case, its parts separated by underscores
	method    Method // if it went well
	otherwise Method // if it did not
	shape     shape
}

// needsAnswer reports whether the word alone does not say how the call ended.
// insert, remove and cas without an answer succeeded.
func (s *spelling) needsAnswer() bool {
	return s.shape == shapeTest && s.method == ContainsTrue
}

// spellings are the words that each kind understands, the canonical first.
// All words of all formats are here: enq is Fastlin's, offer is Java's,
// loadorstore is Go's, dequeue is Jepsen's.
var spellings = [...][]spelling{
	Stack: append(ends("push", "pop"),
		spelling{"put", Insert, Insert, shapeIn},
		spelling{"top", Peek, PeekEmpty, shapeOut},
		spelling{"try_pop", Remove, RemoveEmpty, shapeOut},
		spelling{"try_peek", Peek, PeekEmpty, shapeOut},
	),
	Queue: append(ends("enq", "deq"),
		spelling{"enqueue", Insert, Insert, shapeIn},
		spelling{"dequeue", Remove, RemoveEmpty, shapeOut},
		spelling{"push", Insert, Insert, shapeIn},
		spelling{"pop", Remove, RemoveEmpty, shapeOut},
		spelling{"offer", Insert, Insert, shapeIn},
		spelling{"poll", Remove, RemoveEmpty, shapeOut},
		spelling{"front", Peek, PeekEmpty, shapeOut},
		spelling{"try_dequeue", Remove, RemoveEmpty, shapeOut},
		spelling{"try_peek", Peek, PeekEmpty, shapeOut},
	),
	PriorityQueue: append(ends("insert", "poll"),
		spelling{"push", Insert, Insert, shapeIn},
		spelling{"pop", Remove, RemoveEmpty, shapeOut},
		spelling{"enq", Insert, Insert, shapeIn},
		spelling{"deq", Remove, RemoveEmpty, shapeOut},
		spelling{"add", Insert, Insert, shapeIn},
		spelling{"offer", Insert, Insert, shapeIn},
		spelling{"delete_min", Remove, RemoveEmpty, shapeOut},
		spelling{"delete_max", Remove, RemoveEmpty, shapeOut},
		spelling{"min", Peek, PeekEmpty, shapeOut},
		spelling{"max", Peek, PeekEmpty, shapeOut},
	),
	Set: {
		{"insert", Add, AddFailed, shapeTest},
		{"remove", Take, TakeFailed, shapeTest},
		{"contains", ContainsTrue, ContainsFalse, shapeTest},
		{"contains_true", ContainsTrue, ContainsTrue, shapeTrue},
		{"contains_false", ContainsFalse, ContainsFalse, shapeFalse},
		{"add", Add, AddFailed, shapeTest},
		{"delete", Take, TakeFailed, shapeTest},
		{"has", ContainsTrue, ContainsFalse, shapeTest},
	},
	Register: append(cell("write", "read"),
		spelling{"store", Write, Write, shapeIn},
		spelling{"load", Read, Read, shapeRead},
		spelling{"set", Write, Write, shapeIn},
		spelling{"get", Read, Read, shapeRead},
		spelling{"read_modify_write", CAS, CAS, shapeCAS},
	),
	Map: append(cell("store", "load"),
		spelling{"delete", Write, Write, shapeErase},
		spelling{"load_and_delete", Swap, Swap, shapeTake},
		spelling{"compare_and_delete", CAS, CASFailed, shapeCASOut},
		spelling{"write", Write, Write, shapeIn},
		spelling{"read", Read, Read, shapeRead},
		spelling{"put", Write, Write, shapePut},
		spelling{"get", Read, Read, shapeRead},
		spelling{"set", Write, Write, shapeIn},
		spelling{"remove", Write, Write, shapeErase},
		spelling{"put_if_absent", GetOrPut, GetOrPut, shapeSwap},
		spelling{"replace", CAS, CASFailed, shapeCAS},
	),
}

// ends are the methods of everything that values go into and come out of.
func ends(in, out string) []spelling {
	return []spelling{
		{in, Insert, Insert, shapeIn},
		{out, Remove, RemoveEmpty, shapeOut},
		{"peek", Peek, PeekEmpty, shapeOut},
	}
}

// cell are the methods of a register and of one key of a map.
func cell(write, read string) []spelling {
	return []spelling{
		{write, Write, Write, shapeIn},
		{read, Read, Read, shapeRead},
		{"cas", CAS, CASFailed, shapeCAS},
		{"swap", Swap, Swap, shapeSwap},
		{"fetch_add", FetchAdd, FetchAdd, shapeSwap},
		{"load_or_store", GetOrPut, GetOrPut, shapeSwap},
		{"compare_and_swap", CAS, CASFailed, shapeCAS},
		{"compare_and_set", CAS, CASFailed, shapeCAS},
		{"exchange", Swap, Swap, shapeSwap},
		{"get_and_set", Swap, Swap, shapeSwap},
		{"faa", FetchAdd, FetchAdd, shapeSwap},
		{"fetch_and_add", FetchAdd, FetchAdd, shapeSwap},
		{"get_and_add", FetchAdd, FetchAdd, shapeSwap},
		{"add", FetchAdd, FetchAdd, shapeNewSum},
		{"add_and_get", FetchAdd, FetchAdd, shapeNewSum},
	}
}

// canonicalOf gives the spelling in which a row is written.
func canonicalOf(k Kind, m Method) spelling {
	for _, s := range spellings[k] {
		if s.method == m || s.otherwise == m {
			return s
		}
	}
	return spelling{word: m.String(), method: m, otherwise: m}
}

// wordsOf lists the canonical words of a kind for messages.
func wordsOf(k Kind) string {
	type form struct {
		method Method
		shape  shape
	}
	seen := map[form]bool{}
	var all []string
	for _, s := range spellings[k] {
		switch s.shape {
		case shapeTrue, shapeFalse, shapeCASOut, shapePut, shapeNewSum:
			continue // another way to say what is listed
		}
		if f := (form{s.method, s.shape}); !seen[f] {
			seen[f] = true
			all = append(all, s.word)
		}
	}
	return strings.Join(all, ", ")
}

// A Kind is the abstract type of the object that a history is about.
type Kind uint8

// The kinds that have a monitor. Unknown is every other object: its history
// is decided by the general search and a model of the user's.
const (
	Unknown Kind = iota
	Stack
	Queue
	PriorityQueue
	Set
	Register
	Map
)

var kindNames = [...]string{
	Unknown:       "unknown",
	Stack:         "stack",
	Queue:         "queue",
	PriorityQueue: "priorityqueue",
	Set:           "set",
	Register:      "register",
	Map:           "map",
}

// String gives the kind as a history's header spells it.
func (k Kind) String() string { return kindNames[k] }

// ParseKind is the inverse of String. It fails for "unknown" and for every
// word that names no kind, and says which words do.
func ParseKind(s string) (Kind, error) {
	for k := Stack; k <= Map; k++ {
		if kindNames[k] == s {
			return k, nil
		}
	}
	return Unknown, fmt.Errorf("unknown kind of object %q: want stack, queue, priorityqueue, set, register or map", s)
}
