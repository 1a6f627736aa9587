// Package algorithm has snapshot algorithms of the literature as programs of
// atomic steps, correct and each with a bug, for package verify to explore.
//
// A step is one access to shared memory and the local computation that comes
// after it. The values of the segments are 0 and 1, which is enough, since no
// algorithm looks at them (data independence, definition in section 2 of the
// paper of package snapshot). A set of values is a [View], a bit a segment.
//
// Counters are not kept as numbers, which would never repeat, but as what the
// algorithm can learn of them: see Afek and Riany.
package algorithm

import (
	"bytes"
	"fmt"
)

// MaxProcesses is the largest number of processes of a machine.
const MaxProcesses = 16

// A View is what a scan returns: bit p is the value of segment p.
type View uint16

// An Operation is what a process is asked to do.
type Operation uint8

// The operations. Update0 and Update1 write the process's own segment.
const (
	Update0 Operation = iota
	Update1
	Scan
)

// String gives the operation without the process.
func (o Operation) String() string { return [...]string{"update(0)", "update(1)", "scan"}[o] }

// Options say which machine is wanted.
type Options struct {
	_ struct{}

	Processes int
	Buggy     bool
	// Segments are those that can be other than 0, ascending; nil stands for
	// all. Commands that only write 0 where there is 0 or read it are left
	// out of the program (section 6 of the paper: redundant command omission).
	Segments []int
	// Full turns off what merges states and steps for no other reason than
	// that it makes no difference.
	Full bool
}

// An Info describes an algorithm.
type Info struct {
	Name   string // of the flag
	Title  string // authors and where it was published
	Bug    string // what the variant with a bug does wrong
	create func(*layout) program
}

// All are the algorithms in the order of the paper's tables.
func All() []Info {
	return []Info{bowmanInfo, jayantiInfo, afekBoundedInfo, afekUnboundedInfo, rianyInfo}
}

// A program is the code of an algorithm.
type program interface {
	// init sets the registers that are not 0 at first.
	init(state []byte)
	// step executes the next step of a process: x.pc says which it is, 0 that
	// the process begins the operation x.op.
	step(x *Thread)
	// idle reports whether updates of a process have no effect at all, so
	// that there is no need to have them called.
	idle(process int) bool
}

// A normalizer is a program some of whose states behave the same. It changes a
// state into the one that stands for them.
type normalizer interface{ normalize(state []byte) }

// A merger is a program some of whose steps may be done at once.
type merger interface {
	// private reports whether the next step of a process, which does not
	// return from the operation, comes to the same whether it is done now or
	// after anything that the other processes may do before it.
	private(state []byte, p int) bool
}

// A renamer is a program that does not care which process is which, but for
// those of Options.Segments.
type renamer interface {
	// rename adapts the registers that name processes: old process p is now
	// to[p]. What belongs to processes is moved already.
	rename(state []byte, to []uint8)
}

// Bytes of a process's block that all programs have. Own registers and local
// variables follow.
const (
	blockPC = iota
	blockOp
	// BlockUser and BlockCount are two bytes for whoever explores the machine.
	// BlockUser is 0 when an operation begins and after it returned.
	BlockUser
	BlockCount
	blockOwn
)

// A layout says where things are in the state of a machine: the header, which
// belongs to whoever explores it, the shared registers, and a block for each
// process. All begin at multiples of 8, so that a step changes few words.
type layout struct {
	Options
	segments      []int
	shared, block int // offset and size in bytes
	first         int // offset of the first block
	own, local    int // bytes in a block
	size          int
	acting        View // processes that ever do anything
}

// HeaderSize is the number of bytes at the beginning of a state that no
// program touches.
const HeaderSize = 8

// fix computes the offsets for so many bytes of shared registers, and of
// registers and local variables of each process.
func (l *layout) fix(shared, own, local int) {
	round := func(n int) int { return (n + 7) &^ 7 }
	l.shared, l.own, l.local = HeaderSize, own, local
	l.first = l.shared + round(shared)
	l.block = round(blockOwn + own + local)
	l.size = l.first + l.Processes*l.block
}

// ownOf gives the registers of a process.
func (l *layout) ownOf(state []byte, p int) []byte {
	at := l.first + p*l.block + blockOwn
	return state[at : at+l.own : at+l.own]
}

// A Machine is an algorithm ready to run.
type Machine struct {
	layout
	program
	info Info
}

// New gives the machine of an algorithm.
func New(name string, o Options) (*Machine, error) {
	if o.Processes < 2 || o.Processes > MaxProcesses {
		return nil, fmt.Errorf("%d processes, want 2 to %d", o.Processes, MaxProcesses)
	}
	for _, info := range All() {
		if info.Name == name {
			m := &Machine{info: info, layout: layout{Options: o, segments: o.Segments}}
			if m.segments == nil {
				for p := range o.Processes {
					m.segments = append(m.segments, p)
				}
			}
			m.acting = 1<<o.Processes - 1
			m.program = info.create(&m.layout)
			return m, nil
		}
	}
	return nil, fmt.Errorf("unknown algorithm %q", name)
}

// StateSize is the length of the machine's states in bytes, a multiple of 8.
func (m *Machine) StateSize() int { return m.size }

// Init sets the initial state. The state has to be 0.
func (m *Machine) Init(state []byte) { m.init(state) }

// Block gives what belongs to a process in a state.
func (m *Machine) Block(state []byte, p int) []byte {
	at := m.first + p*m.block
	return state[at : at+m.block]
}

// Idle reports whether a process has no operation open.
func (m *Machine) Idle(state []byte, p int) bool { return m.Block(state, p)[blockPC] == 0 }

// Open gives the operation that a process has open.
func (m *Machine) Open(state []byte, p int) Operation { return Operation(m.Block(state, p)[blockOp]) }

// Vacuous reports whether an operation does nothing that anybody could notice,
// so that it need not be called.
func (m *Machine) Vacuous(p int, op Operation) bool { return op != Scan && m.idle(p) }

// Begin has a process that is idle invoke an operation; Step has it go on. Both
// execute one step and report whether the operation returned, and with what.
func (m *Machine) Begin(x *Thread, state []byte, p int, op Operation) (View, bool) {
	m.Block(state, p)[blockOp] = byte(op)
	return m.Step(x, state, p)
}

// Step executes one step of a process that has an operation open. x is memory
// that can be used again and again, and remembers what the step did if it is
// asked to.
func (m *Machine) Step(x *Thread, state []byte, p int) (View, bool) {
	block := m.Block(state, p)
	x.p, x.state, x.block = p, state, block
	x.shared = state[m.shared:m.first]
	x.own, x.local = block[blockOwn:blockOwn+m.own], block[blockOwn+m.own:]
	x.op, x.pc = Operation(block[blockOp]), block[blockPC]
	x.returned, x.said = false, ""
	m.step(x)
	block[blockPC] = x.pc
	if x.returned {
		clear(x.local)
		block[blockPC], block[blockOp] = 0, 0
	}
	return x.view, x.returned
}

// Restrict says that only some processes ever invoke anything.
func (m *Machine) Restrict(processes []int) {
	m.acting = 0
	for _, p := range processes {
		m.acting |= 1 << p
	}
}

// Private reports whether the next step of a process that has an operation open
// may be done at once: whatever the others do before it could as well be done
// after it.
func (m *Machine) Private(state []byte, p int) bool {
	program, ok := m.program.(merger)
	return ok && !m.Full && program.private(state, p)
}

// Interchangeable reports whether processes without a segment that can change
// may be exchanged for each other.
func (m *Machine) Interchangeable() bool {
	_, ok := m.program.(renamer)
	return ok
}

// Sort exchanges processes so that their blocks are in order, and sets to[p] to
// where process p went.
func (m *Machine) Sort(state []byte, processes []int, to []uint8) {
	for p := range to {
		to[p] = uint8(p)
	}
	var buffer [256]byte
	moved := false
	// What a place has now came from the process at[place].
	for k := 1; k < len(processes); k++ {
		for i := k; i > 0; i-- {
			a, b := processes[i-1], processes[i]
			x, y := m.Block(state, a), m.Block(state, b)
			if bytes.Compare(x, y) <= 0 {
				break
			}
			n := copy(buffer[:], x)
			copy(x, y)
			copy(y, buffer[:n])
			for p, q := range to {
				switch int(q) {
				case a:
					to[p] = uint8(b)
				case b:
					to[p] = uint8(a)
				}
			}
			moved = true
		}
	}
	if moved {
		m.program.(renamer).rename(state, to)
	}
}

// Normalize makes the state the one that stands for all that behave the same.
func (m *Machine) Normalize(state []byte) {
	if n, ok := m.program.(normalizer); ok {
		n.normalize(state)
	}
}

// A Thread is a process that executes a step.
type Thread struct {
	// Verbose has steps be said in words.
	Verbose bool

	p          int
	op         Operation
	pc         byte
	state      []byte
	block      []byte
	shared     []byte
	own, local []byte
	returned   bool
	view       View
	said       string
}

// Said is the last step in words, if the thread is verbose.
func (x *Thread) Said() string { return x.said }

// say tells what the step did.
func (x *Thread) say(format string, args ...any) {
	if x.Verbose {
		x.said = fmt.Sprintf(format, args...)
	}
}

// finish ends the operation.
func (x *Thread) finish(v View) { x.returned, x.view = true, v }

// at gives the view in two bytes of a register or a variable, and put sets it.
func at(b []byte, i int) View     { return View(b[i]) | View(b[i+1])<<8 }
func put(b []byte, i int, v View) { b[i], b[i+1] = byte(v), byte(v>>8) }

// With is the view with a segment set to a value.
func (v View) With(segment int, value byte) View {
	return v&^(1<<segment) | View(value)<<segment
}

// Text gives the values of the first segments: [0 1 0].
func (v View) Text(processes int) string {
	values := make([]byte, processes)
	for p := range values {
		values[p] = v.Bit(p)
	}
	return fmt.Sprint(values)
}

// Bit is the value of a segment.
func (v View) Bit(segment int) byte { return byte(v >> segment & 1) }
