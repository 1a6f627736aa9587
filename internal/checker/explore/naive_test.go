package explore

import (
	"bytes"
	"fmt"
	"slices"
)

// The naive explorer shares with the explorer what a small step does, and
// nothing else: it keeps whole states and whole histories in a map, finds out
// which states differ only in names by trying all orders of the threads and
// writing down what is reachable, and decides histories by trying all orders.

// NaiveResult is what the naive explorer counts.
type NaiveResult struct {
	Stored, Matched, Histories int64
	Wrong                      bool
}

type naive struct {
	m      *Model
	mode   Mode
	merge  bool
	seen   map[string]bool
	result NaiveResult
}

type naiveNode struct {
	state   []byte
	history []Event
}

// Naive explores a model in the mode Internal or External. Merge is whether
// states that differ in names only are one, and steps are merged.
func Naive(m *Model, mode Mode, merge bool) (NaiveResult, error) {
	if err := m.prepare(); err != nil {
		return NaiveResult{}, err
	}
	n := &naive{m: m, mode: mode, merge: merge, seen: map[string]bool{}}
	todo := []naiveNode{{state: m.start()}}
	n.seen[n.key(todo[0])] = true
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, next := range n.successors(node) {
			if !n.linearizable(next.history) {
				n.result.Wrong = true
				continue
			}
			if n.m.complete(next.state) {
				n.result.Histories++
			}
			if k := n.key(next); n.seen[k] {
				n.result.Matched++
			} else {
				n.seen[k] = true
				todo = append(todo, next)
			}
		}
	}
	n.result.Stored = int64(len(n.seen))
	return n.result, nil
}

// successors are the nodes one step further.
func (n *naive) successors(node naiveNode) []naiveNode {
	var all []naiveNode
	for t := range n.m.Bounds.Threads {
		at := n.m.base(t)
		if node.state[at] != 0 {
			all = append(all, n.proceed(node, t, false)...)
			continue
		}
		for _, c := range n.m.mayCall(t, int(node.state[at+1])) {
			begun := n.begin(node, t, c)
			if n.merge {
				all = append(all, n.proceed(begun, t, false)...)
			} else {
				all = append(all, begun)
			}
		}
	}
	return all
}

func (n *naive) begin(node naiveNode, t int, c Call) naiveNode {
	next := naiveNode{slices.Clone(node.state), slices.Clone(node.history)}
	at := n.m.base(t)
	method := n.m.methods[c.Method]
	argument := c.Argument
	if method.argument.fresh {
		argument = byte(n.m.preset + 1)
		for u := range n.m.Bounds.Threads {
			argument += node.state[n.m.base(u)+1]
		}
	}
	next.state[at], next.state[at+2] = byte(method.entry), argument
	next.state[at+1]++
	next.history = append(next.history, Event{Thread: uint8(t), Method: c.Method, Argument: argument})
	return next
}

// proceed takes small steps of a thread: one, or if they are merged as many
// as there are around one atomic step.
func (n *naive) proceed(node naiveNode, t int, atomic bool) []naiveNode {
	at := n.m.base(t)
	pc := node.state[at]
	if pc == 0 || n.merge && atomic && n.m.program[pc].atomic {
		return []naiveNode{node}
	}
	var all []naiveNode
	for _, next := range n.small(node, t) {
		if n.merge {
			all = append(all, n.proceed(next, t, atomic || n.m.program[pc].atomic)...)
		} else {
			all = append(all, next)
		}
	}
	return all
}

// small takes one small step in every way.
func (n *naive) small(node naiveNode, t int) []naiveNode {
	at := n.m.base(t)
	in := n.m.program[node.state[at]]
	var all []naiveNode
	for first := 0; ; first++ { // steps choose at most once
		x := &Thread{m: n.m, state: slices.Clone(node.state), id: t, base: at, step: Label(node.state[at]), choices: []branch{{taken: first}}}
		x.next = x.step + 1
		in.do(x)
		history := slices.Clone(node.history)
		if x.returned {
			history = append(history, Event{Kind: Returned, Thread: uint8(t), Method: in.method, Argument: x.Argument(), Result: x.event.Result})
			called := x.state[at+1]
			clear(x.state[at : at+n.m.threadSize()])
			x.state[at+1] = called
		} else {
			x.state[at] = byte(x.next)
		}
		if !x.blocked {
			all = append(all, naiveNode{x.state, history})
		}
		if x.chosen == 0 || first+1 == x.choices[0].of {
			return all
		}
	}
}

// key is the same for nodes that are to be one state.
func (n *naive) key(node naiveNode) string {
	history := node.history
	if n.mode == External {
		history = nil
	}
	if !n.merge {
		return fmt.Sprint(node.state, history)
	}
	var best []byte
	permute(n.m.Bounds.Threads, func(order []int) {
		k := n.describe(node.state, history, order)
		if best == nil || bytes.Compare(k, best) < 0 {
			best = k
		}
	})
	return string(best)
}

func permute(n int, do func([]int)) {
	var rec func([]int)
	rec = func(order []int) {
		if len(order) == n {
			do(order)
			return
		}
		for i := range n {
			if !slices.Contains(order, i) {
				rec(append(slices.Clone(order), i))
			}
		}
	}
	rec(nil)
}

// describe writes down a state and a history with the threads in an order,
// and nodes and values by when they are met. Nodes are written where they are
// met first.
func (n *naive) describe(state []byte, history []Event, order []int) []byte {
	m := n.m
	values, nodes := map[byte]byte{0: 0}, map[byte]byte{0: 0}
	var out []byte
	var write func(k Kind, w byte)
	write = func(k Kind, w byte) {
		switch k {
		case Value:
			if _, ok := values[w]; !ok {
				values[w] = byte(len(values))
			}
			out = append(out, values[w])
		case Pointer:
			if name, ok := nodes[w]; ok {
				out = append(out, name)
				return
			}
			nodes[w] = byte(len(nodes))
			out = append(out, nodes[w])
			for _, f := range m.heap.fields {
				write(m.shared[f.at-1], state[f.Of(w).at-1])
			}
		default:
			out = append(out, w)
		}
	}
	for i, k := range m.shared {
		if m.heap == nil || !m.heap.owns(i) {
			write(k, state[i])
		}
	}
	for _, t := range order {
		words := state[m.base(t):]
		out = append(out, words[0], words[1])
		if words[0] != 0 && m.methods[m.program[words[0]].method].argument.fresh {
			write(Value, words[2])
		} else {
			out = append(out, words[2])
		}
		for i, k := range m.private {
			write(k, words[headerSize+i])
		}
	}
	if n.mode == Internal { // what a history means depends on where the values were at the start
		for _, w := range m.object.Initial {
			write(m.object.Words, w)
		}
	}
	for _, e := range history {
		method := m.methods[e.Method]
		out = append(out, 0xff, byte(e.Kind), byte(slices.Index(order, int(e.Thread))), byte(e.Method))
		if method.argument.fresh {
			write(Value, e.Argument)
		} else {
			out = append(out, e.Argument)
		}
		for i := range e.Result.Len() {
			write(method.result, e.Result.At(i))
		}
	}
	return out
}

// linearizable tries all orders.
func (n *naive) linearizable(history []Event) bool {
	type operation struct {
		call, end int // end is past the history if it did not return
		e         Event
	}
	var ops []operation
	for i, e := range history {
		if e.Kind == Called {
			ops = append(ops, operation{i, len(history), e})
			continue
		}
		for j := len(ops) - 1; ; j-- {
			if ops[j].e.Thread == e.Thread {
				ops[j].end, ops[j].e = i, e
				break
			}
		}
	}
	var search func(done uint64, state []byte) bool
	search = func(done uint64, state []byte) bool {
		left := false
		for i, o := range ops {
			if done&(1<<i) != 0 {
				continue
			}
			left = left || o.e.Kind == Returned
			first := true
			for j, p := range ops {
				first = first && (done&(1<<j) != 0 || p.end > o.call)
			}
			if !first {
				continue
			}
			next, result := n.m.methods[o.e.Method].apply(state, o.e.Argument)
			if o.e.Kind == Returned && result != o.e.Result {
				continue
			}
			if search(done|1<<i, next) {
				return true
			}
		}
		return !left
	}
	return search(0, n.m.object.Initial)
}
