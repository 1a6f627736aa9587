package verify

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/snapshot"
	"github.com/mapatom/mapatom/internal/checker/snapshot/algorithm"
)

// The naive explorer shares the steps of the programs with the explorer, and
// the automata, which have an oracle of their own. It keeps whole states in a
// map and leaves nothing out: states that behave the same are different, private
// steps are steps, and processes have names. What the explorer is to have
// stored is found out at the end, of everything that was reached: see class.
//
// The program of jayanti is one of normal states only: a process that cannot
// store to X any more does not remember what it has loaded.
type naive struct {
	normal     bool
	machine    *algorithm.Machine
	watch      *automata
	active     []int
	alike      []int
	operations int
	seen       map[string]bool
	todo       []naiveState
}

type naiveState struct {
	bytes []byte // of the machine; the blocks have the floors and the counts too
	state snapshot.State
}

// explore visits all states, and gives the classes of them.
func (n *naive) explore() map[string]bool {
	first := naiveState{bytes: make([]byte, n.machine.StateSize())}
	n.machine.Init(first.bytes)
	n.add(first)
	for len(n.todo) > 0 {
		s := n.todo[len(n.todo)-1]
		n.todo = n.todo[:len(n.todo)-1]
		for _, p := range n.active {
			if n.machine.Idle(s.bytes, p) {
				n.begin(s, p)
			} else {
				next := s.clone()
				got, returned := n.machine.Step(&algorithm.Thread{}, next.bytes, p)
				n.after(next, p, n.machine.Open(s.bytes, p), got, returned)
			}
		}
	}
	classes := map[string]bool{}
	for key := range n.seen {
		if class, ok := n.class(key); ok {
			classes[class] = true
		}
	}
	return classes
}

func (s naiveState) clone() naiveState { return naiveState{slices.Clone(s.bytes), s.state} }

func (n *naive) add(s naiveState) {
	if n.normal {
		n.machine.Normalize(s.bytes)
	}
	key := string([]byte{byte(s.state), byte(s.state >> 8)}) + string(s.bytes)
	if !n.seen[key] {
		n.seen[key] = true
		n.todo = append(n.todo, s)
	}
}

// begin has a process invoke everything that it may in a simple history.
func (n *naive) begin(s naiveState, p int) {
	if int(n.machine.Block(s.bytes, p)[algorithm.BlockCount]) == n.operations {
		return
	}
	which := slices.Index([]int{n.watch.i, n.watch.j}, p)
	ones := s.bytes[headerOnes]
	for _, op := range []algorithm.Operation{algorithm.Update0, algorithm.Update1, algorithm.Scan} {
		next := s.clone()
		block := n.machine.Block(next.bytes, p)
		switch {
		case n.machine.Vacuous(p, op), op == algorithm.Update1 && which < 0, op == algorithm.Update0 && which >= 0 && ones>>which&1 == 1:
			continue
		case op == algorithm.Update1:
			next.state = next.state.Invoke(which)
			next.bytes[headerOnes] |= 1 << which
		case op == algorithm.Scan:
			block[algorithm.BlockUser] = byte(next.state.Floor())
		}
		block[algorithm.BlockCount]++
		got, returned := n.machine.Begin(&algorithm.Thread{}, next.bytes, p, op)
		n.after(next, p, op, got, returned)
	}
}

// after takes up what follows a step. No step of a correct algorithm is wrong.
func (n *naive) after(s naiveState, p int, op algorithm.Operation, got algorithm.View, returned bool) {
	if returned {
		block := n.machine.Block(s.bytes, p)
		switch op {
		case algorithm.Update1:
			s.state = s.state.Return(slices.Index([]int{n.watch.i, n.watch.j}, p))
		case algorithm.Scan:
			var ok bool
			s.state, ok = s.state.Scan(snapshot.Values(block[algorithm.BlockUser]), snapshot.Values(got.Bit(n.watch.i)|got.Bit(n.watch.j)<<1))
			if !ok {
				panic("a correct algorithm goes wrong")
			}
		}
		block[algorithm.BlockUser] = 0
	}
	n.add(s)
}

// class is the state that the explorer stores for one that was reached, if it
// stores any: none if a private step can be made, and one for all that are the
// same after Normalize, or but for the names of processes.
func (n *naive) class(key string) (string, bool) {
	state := []byte(key[2:])
	n.machine.Normalize(state)
	for _, p := range n.active {
		if !n.machine.Idle(state, p) && n.machine.Private(state, p) {
			return "", false
		}
	}
	if len(n.alike) > 1 {
		n.machine.Sort(state, n.alike, make([]uint8, len(n.active)))
	}
	return key[:2] + string(state), true
}

// The states that are stored are those of an explorer as plain as can be, with
// and without what is left out.
func TestNaive(t *testing.T) {
	for _, info := range algorithm.All() {
		for _, o := range []Options{
			{Processes: 2, Operations: 1}, {Processes: 2, Operations: 2}, {Processes: 3, Operations: 1},
			{Processes: 2, Operations: 1, Full: true}, {Processes: 2, Operations: 2, Full: true},
		} {
			if info.Name == "riany" && o.Operations > 1 || testing.Short() && o.Processes > 2 {
				continue // without renumbering, riany has not so many numbers
			}
			o.Algorithm = info.Name
			p, err := o.product([2]int{0, 1}, o.Processes)
			require.NoError(t, err)
			n := &naive{normal: info.Name == "jayanti", machine: p.machine, watch: p.watch.(*automata),
				active: p.order, alike: p.alike, operations: o.Operations, seen: map[string]bool{}}
			classes := n.explore()
			r, err := reach.Explore(t.Context(), p.system(), reach.Options{})
			require.NoError(t, err)
			require.Nil(t, r.Path)
			require.Equal(t, int64(len(classes)), r.Stored, "%s %d×%d full=%t: of %d states", info.Name, o.Processes, o.Operations, o.Full, len(n.seen))
		}
	}
}
