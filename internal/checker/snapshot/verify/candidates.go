package verify

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/mapatom/mapatom/internal/checker/snapshot/algorithm"
)

// candidates are the watch of the other two modes: what an atomic snapshot
// object can be like after what was seen of the operations. A candidate is the
// array and, of each process, the open operation: whether it has taken effect,
// and what it has to return if it has. This is the subset construction that
// refinement checkers do.
//
// An open operation takes effect in a candidate only when another one returns
// that comes after it: later is always possible, and changes nothing for those
// that come between.
//
// Sets of candidates have numbers, which are the marks.
type candidates struct {
	clients
	simple    bool // the clients make simple histories
	processes int

	mu      sync.Mutex // of what is below
	sets    [][]candidate
	numbers map[string]int32
	known   map[transition]int32

	memory atomic.Int64 // about how many bytes it takes
}

// rejected is the number of the empty set.
const rejected = int32(-1)

// A candidate is the array, and a status for every process.
type candidate struct {
	array  algorithm.View
	status [algorithm.MaxProcesses]status
}

// A status is 0 for a process without an operation; else the operation, and, if
// it took effect, that and the array then.
type status uint32

const (
	opened     status = 1 << 24
	tookEffect status = 1 << 25
)

func begun(op algorithm.Operation) status { return opened | status(op)<<16 }

func (s status) op() algorithm.Operation { return algorithm.Operation(s >> 16 & 0xff) }

// A transition is one of the automaton that the sets of candidates are.
type transition struct {
	set     int32
	process uint8
	returns bool
	op      algorithm.Operation
	got     algorithm.View
}

func newCandidates(c clients, simple bool, processes int) *candidates {
	w := &candidates{clients: c, simple: simple, processes: processes, numbers: map[string]int32{}, known: map[transition]int32{}}
	w.number([]candidate{{}})
	return w
}

func (w *candidates) start() int32 { return 0 }

func (w *candidates) may(header []byte, p int, op algorithm.Operation) bool {
	return !w.simple || w.clients.may(header, p, op)
}

func (w *candidates) invoke(mark int32, header, _ []byte, p int, op algorithm.Operation) int32 {
	if w.simple {
		w.note(header, p, op)
	}
	return w.follow(transition{set: mark, process: uint8(p), op: op})
}

func (w *candidates) returns(mark int32, _ []byte, p int, op algorithm.Operation, got algorithm.View) (int32, bool) {
	if op != algorithm.Scan {
		got = 0
	}
	next := w.follow(transition{set: mark, process: uint8(p), returns: true, op: op, got: got})
	return next, next != rejected
}

// follow makes a transition, which is computed once.
func (w *candidates) follow(t transition) int32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	next, ok := w.known[t]
	if !ok {
		next = w.number(w.compute(t))
		w.known[t] = next
		w.memory.Add(2 * int64(unsafe.Sizeof(t)))
	}
	return next
}

// compute gives the candidates after a transition.
func (w *candidates) compute(t transition) []candidate {
	var after []candidate
	for _, c := range w.sets[t.set] {
		if !t.returns {
			c.status[t.process] = begun(t.op)
			after = append(after, c)
			continue
		}
		after = w.until(c, t, after)
	}
	return after
}

// until appends what a candidate can become when the operation of a process
// returns: itself, if that has taken effect, or what it becomes by open
// operations that take effect, in any order, the process's last.
func (w *candidates) until(c candidate, t transition, after []candidate) []candidate {
	if s := c.status[t.process]; s&tookEffect != 0 {
		if t.op == algorithm.Scan && algorithm.View(s) != t.got {
			return after
		}
		c.status[t.process] = 0
		return append(after, c)
	}
	for p := range w.processes {
		s := c.status[p]
		if s == 0 || s&tookEffect != 0 {
			continue
		}
		next := c
		switch s.op() {
		case algorithm.Scan:
			s |= status(c.array)
		default:
			next.array = c.array.With(p, byte(s.op()))
		}
		next.status[p] = s | tookEffect
		after = w.until(next, t, after)
	}
	return after
}

func (w *candidates) states() int64 { return int64(len(w.sets)) }
func (w *candidates) bytes() int64  { return w.memory.Load() }

// number gives the number of a set.
func (w *candidates) number(set []candidate) int32 {
	if len(set) == 0 {
		return rejected
	}
	slices.SortFunc(set, func(a, b candidate) int { return slices.Compare(a.words(w.processes), b.words(w.processes)) })
	set = slices.Compact(set)
	var key []byte
	for _, c := range set {
		for _, word := range c.words(w.processes) {
			key = binary.LittleEndian.AppendUint32(key, uint32(word))
		}
	}
	if n, ok := w.numbers[string(key)]; ok {
		return n
	}
	n := int32(len(w.sets))
	w.sets = append(w.sets, set)
	w.numbers[string(key)] = n
	w.memory.Add(int64(cap(set))*int64(unsafe.Sizeof(candidate{})) + 2*int64(len(key)))
	return n
}

// words are what tells candidates apart.
func (c *candidate) words(processes int) []status {
	return append(append(make([]status, 0, processes+1), status(c.array)), c.status[:processes]...)
}
