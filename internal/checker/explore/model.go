package explore

import (
	"errors"
	"fmt"
)

// Bounds say how much of a model's behaviour is explored.
type Bounds struct {
	Threads    int // at most 15
	Operations int // of each thread, at most 15
}

// Check says what is wrong with the bounds.
func (b Bounds) Check() error {
	if b.Threads < 1 || b.Threads > maxThreads || b.Operations < 1 || b.Operations > maxOperations {
		return fmt.Errorf("%d threads with %d operations each: want 1 to %d threads and 1 to %d operations",
			b.Threads, b.Operations, maxThreads, maxOperations)
	}
	return nil
}

const (
	maxThreads    = 15
	maxOperations = 15
	maxValues     = 63 // names of values fit into a mask
	maxNodes      = 63
)

// A Model is a concurrent object as a program of small steps. Threads run it:
// each calls methods, with nondeterministic choice, until it has made as many
// calls as the bounds allow.
//
// Declare words, then methods, and behind each method the steps of its code.
// What is wrong with the declarations is reported by [Explore].
type Model struct {
	Name   string
	Bounds Bounds

	object  Object
	preset  int    // how many values the object holds at the start
	shared  []Kind // words that all threads see, the fields of nodes among them
	private []Kind // words of each thread, behind its header
	roots   []int  // shared words that are not fields of nodes
	heap    *Heap
	methods []method
	program []instruction // [0] is what an idle thread is at
	clients func(thread, called int) []Call
	calls   []Call // what may be called if there are no clients
	initial func(*Thread)
	err     error
}

// A method is an entry point of the program.
type method struct {
	name     string
	argument Argument
	result   Kind
	entry    Label
	apply    Sequential
}

// An instruction is one small step.
type instruction struct {
	text   string
	method MethodID
	atomic bool
	do     func(*Thread)
}

// A MethodID is the number of a method, in order of declaration.
type MethodID uint8

// A Label is a place in a model's program.
type Label uint8

// A Call is what a client does: a method, and its argument. The argument of a
// method that takes a fresh value is chosen by the explorer.
type Call struct {
	Method   MethodID
	Argument byte
}

// An Argument says what a method is called with.
type Argument struct {
	fresh   bool
	options []byte
}

var (
	// NoArgument is that of a method that takes none.
	NoArgument = Argument{}
	// Fresh is a value that is nowhere in the object yet. That it is enough to
	// explore calls with distinct values is Wolper's argument: neither model
	// nor object looks into a value.
	Fresh = Argument{fresh: true}
)

// UpToArgument is an argument that is a number from 1 to most.
func UpToArgument(most byte) Argument {
	a := Argument{}
	for n := byte(1); n <= most; n++ {
		a.options = append(a.options, n)
	}
	return a
}

// Words of a thread before those that the model declares.
const (
	headerPC = iota // Label of the next step, 0 between operations
	headerCalled
	headerArgument
	headerSize
)

// NewModel starts a model of an object. The bounds are to pass Check. The object may be the zero Object if
// the model is to be explored with an observer that needs none.
func NewModel(name string, b Bounds, o Object) *Model {
	m := &Model{Name: name, Bounds: b, object: o, preset: len(o.Initial), program: []instruction{{text: "idle"}}}
	if o.Words != Value {
		m.preset = 0
	}
	if err := b.Check(); err != nil {
		m.fail("%w", err)
	}
	return m
}

// fail keeps the first thing that is wrong with the model.
func (m *Model) fail(format string, args ...any) {
	if m.err == nil {
		m.err = fmt.Errorf("model %s: %w", m.Name, fmt.Errorf(format, args...))
	}
}

// A Variable is a word of the state, or several in a row. The zero Variable
// is no word, and using it an error of the model.
type Variable struct {
	at     int16 // from 1
	length int16
	own    bool // of each thread
}

// At is the i-th word of an array.
func (v Variable) At(i int) Variable {
	if i < 0 || i >= int(v.length) {
		return Variable{}
	}
	return Variable{at: v.at + int16(i), length: 1, own: v.own}
}

// Of is the field of a node. That of nil is no word.
func (v Variable) Of(node byte) Variable { return v.At(int(node) - 1) }

// Shared declares a word that all threads see. It is 0 at the start.
func (m *Model) Shared(kind Kind) Variable { return m.SharedArray(1, kind) }

// SharedArray declares n words.
func (m *Model) SharedArray(n int, kind Kind) Variable {
	v := Variable{at: int16(len(m.shared) + 1), length: int16(n)}
	for range n {
		m.shared = append(m.shared, kind)
	}
	return v
}

// Local declares a register of each thread. It is 0 when an operation starts.
func (m *Model) Local(kind Kind) Variable {
	m.private = append(m.private, kind)
	return Variable{at: int16(headerSize + len(m.private)), length: 1, own: true}
}

// A Heap is the memory that nodes are allocated from. A node that nothing
// refers to can be allocated again. So can one that was freed, whatever still
// refers to it.
type Heap struct {
	m      *Model
	nodes  int
	fields []Variable
	freed  Variable // 1 while the node is free
}

// Heap declares a heap. A model has at most one, with at most 63 nodes.
func (m *Model) Heap(nodes int) *Heap {
	if m.heap != nil {
		m.fail("a second heap")
	}
	if nodes < 1 || nodes > maxNodes {
		m.fail("a heap of %d nodes: want 1 to %d", nodes, maxNodes)
	}
	m.heap = &Heap{m: m, nodes: nodes}
	return m.heap
}

// Field declares a word that every node has. It is 0 in a new node.
func (h *Heap) Field(kind Kind) Variable {
	v := h.m.SharedArray(h.nodes, kind)
	h.fields = append(h.fields, v)
	return v
}

// Manual gives the model the means to free nodes: there is no collector that
// keeps a node from being reused while a thread still refers to it.
func (h *Heap) Manual() { h.freed = h.Field(UpTo(1)) }

// Init sets the state to start in, other than all words 0.
func (m *Model) Init(set func(*Thread)) { m.initial = set }

// Clients replaces the choice of calls: what a thread may call after it has
// called so many operations; nothing means that it is done. Threads are then
// not interchangeable.
func (m *Model) Clients(choose func(thread, called int) []Call) { m.clients = choose }

// Method declares a method. The steps declared next are its code, the first
// of them its first. The words of its result are all of one kind.
func (m *Model) Method(name string, a Argument, result Kind) MethodID {
	id := MethodID(len(m.methods))
	apply := m.object.Methods[name]
	if apply == nil && m.object.Methods != nil {
		m.fail("the object has no method %q", name)
	}
	m.methods = append(m.methods, method{name, a, result, Label(len(m.program)), apply})
	switch {
	case a.fresh || a.options == nil:
		m.calls = append(m.calls, Call{Method: id})
	default:
		for _, o := range a.options {
			m.calls = append(m.calls, Call{id, o})
		}
	}
	return id
}

// Atomic declares a step that reads or changes what other threads see. Text
// is what it does, for counterexamples.
func (m *Model) Atomic(text string, do func(*Thread)) Label { return m.step(text, true, do) }

// Private declares a step that neither reads nor changes anything that
// another thread can see or that can keep it from being enabled: registers,
// and fields of nodes that were not published.
func (m *Model) Private(text string, do func(*Thread)) Label { return m.step(text, false, do) }

func (m *Model) step(text string, atomic bool, do func(*Thread)) Label {
	if len(m.methods) == 0 || len(m.program) > 255 {
		m.fail("step %q: it belongs to no method, or there are more than 255 steps", text)
		return 0
	}
	m.program = append(m.program, instruction{text, MethodID(len(m.methods) - 1), atomic, do})
	return Label(len(m.program) - 1)
}

// symmetric reports whether threads are interchangeable.
func (m *Model) symmetric() bool { return m.clients == nil }

// mayCall is what a thread may call next.
func (m *Model) mayCall(thread, called int) []Call {
	switch {
	case m.clients != nil:
		return m.clients(thread, called)
	case called < m.Bounds.Operations:
		return m.calls
	}
	return nil
}

// values is how many values there can be at once.
func (m *Model) values() int { return m.preset + m.Bounds.Threads*m.Bounds.Operations }

// threadSize is how many words a thread has.
func (m *Model) threadSize() int { return headerSize + len(m.private) }

// base is where the words of a thread start.
func (m *Model) base(thread int) int { return len(m.shared) + thread*m.threadSize() }

// kinds are the kinds of all words of a state.
func (m *Model) kinds() []Kind {
	all := append([]Kind(nil), m.shared...)
	for range m.Bounds.Threads {
		all = append(all, UpTo(uint8(len(m.program)-1)), UpTo(maxOperations), argument)
		all = append(all, m.private...)
	}
	return all
}

// most is the greatest word of a kind.
func (m *Model) most(k Kind) uint8 {
	switch k {
	case Value:
		return uint8(m.values())
	case Pointer:
		if m.heap != nil {
			return uint8(m.heap.nodes)
		}
		return 0
	case argument:
		most := uint8(0)
		for i := range m.methods {
			a := &m.methods[i].argument
			if a.fresh {
				most = max(most, uint8(m.values()))
			}
			for _, o := range a.options {
				most = max(most, o)
			}
		}
		return most
	}
	return uint8(k)
}

// prepare gets the model ready for exploring, and says what is wrong with it.
func (m *Model) prepare() error {
	for i := range m.methods {
		end := Label(len(m.program))
		if i+1 < len(m.methods) {
			end = m.methods[i+1].entry
		}
		if m.methods[i].entry == end {
			m.fail("method %s has no steps", m.methods[i].name)
		}
	}
	if len(m.methods) == 0 {
		m.fail("it has no methods")
	}
	if m.values() > maxValues {
		m.fail("up to %d values, at most %d can be told apart", m.values(), maxValues)
	}
	m.roots = m.roots[:0]
	for i := range m.shared {
		if m.heap == nil || !m.heap.owns(i) {
			m.roots = append(m.roots, i)
		}
	}
	return m.err
}

// errNoObject is why a model without an object cannot be explored in a mode.
var errNoObject = errors.New("the model says nothing of what its methods are to do: it needs an observer")
