package main

import (
	"github.com/anishathalye/porcupine"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

// An input and an output of a register or of a key that holds a text, for
// both checkers.
type input struct {
	kind     workload.CallKind
	key      int
	from, to int
	text     string
}

type output struct {
	unknown bool // it timed out
	ok      bool
	found   int
	text    string
}

func inputOf(c *workload.Call) input {
	in := input{kind: c.Kind, key: c.Key, from: c.From, to: c.To}
	if c.Kind == workload.Put || c.Kind == workload.Append {
		in.text = c.Text
	}
	return in
}

func outputOf(c *workload.Call) output {
	return output{unknown: c.End == workload.Never, ok: c.OK, found: c.Found, text: c.Text}
}

// theirs are the calls as Porcupine's operations. A call that timed out
// returns after all others, with a result that fits whatever happened: that
// is how Porcupine's own tests have it.
func theirs(calls []workload.Call) []porcupine.Operation {
	last := int64(0)
	for i := range calls {
		last = max(last, calls[i].Start)
		if calls[i].End != workload.Never {
			last = max(last, calls[i].End)
		}
	}
	ops := make([]porcupine.Operation, len(calls))
	for i := range calls {
		c := &calls[i]
		ops[i] = porcupine.Operation{ClientId: c.Client, Input: inputOf(c), Call: c.Start, Output: outputOf(c), Return: min(c.End, last+1)}
	}
	return ops
}

// ours are the calls as operations for a model of a user's.
func ours(calls []workload.Call) []search.Operation[input, output] {
	ops := make([]search.Operation[input, output], len(calls))
	for i := range calls {
		c := &calls[i]
		ops[i] = search.Operation[input, output]{Input: inputOf(c), Output: outputOf(c), Call: c.Start, Return: c.End}
	}
	return ops
}

// stepRegister is the register that both checkers are given.
func stepRegister(now int, in input, out output) (int, bool) {
	switch in.kind {
	case workload.Read:
		return now, out.unknown || out.found == now
	case workload.Write:
		return in.to, true
	}
	if now == in.from {
		return in.to, out.unknown || out.ok
	}
	return now, out.unknown || !out.ok
}

// stepText is the key that both checkers are given.
func stepText(now string, in input, out output) (string, bool) {
	switch in.kind {
	case workload.Get:
		return now, out.unknown || out.text == now
	case workload.Put:
		return in.text, true
	}
	return now + in.text, true
}

var theirRegister = porcupine.Model{
	Partition: theirKeys,
	Init:      func() any { return workload.None },
	Step: func(state, in, out any) (bool, any) {
		next, ok := stepRegister(state.(int), in.(input), out.(output))
		return ok, next
	},
	Hash: func(state any) uint64 { return uint64(state.(int)) },
}

var theirText = porcupine.Model{
	Partition: theirKeys,
	Init:      func() any { return "" },
	Step: func(state, in, out any) (bool, any) {
		next, ok := stepText(state.(string), in.(input), out.(output))
		return ok, next
	},
}

func theirKeys(ops []porcupine.Operation) [][]porcupine.Operation {
	var parts [][]porcupine.Operation
	number := map[int]int{}
	for _, op := range ops {
		n, ok := number[op.Input.(input).key]
		if !ok {
			n = len(parts)
			number[op.Input.(input).key], parts = n, append(parts, nil)
		}
		parts[n] = append(parts[n], op)
	}
	return parts
}

// ourRegister is the same model here, without hints.
var ourRegister = search.Model[int, input, output]{
	Partition: ourKeys,
	Init:      func() int { return workload.None },
	Step:      stepRegister,
	Effects: func(now int, in input) []int {
		next, _ := stepRegister(now, in, output{unknown: true})
		return []int{next}
	},
}

var ourText = search.Model[string, input, output]{
	Partition: ourKeys,
	Init:      func() string { return "" },
	Step:      stepText,
	Effects: func(now string, in input) []string {
		next, _ := stepText(now, in, output{unknown: true})
		return []string{next}
	},
}

func ourKeys(ops []search.Operation[input, output]) [][]int {
	var parts [][]int
	number := map[int]int{}
	for i := range ops {
		n, ok := number[ops[i].Input.key]
		if !ok {
			n = len(parts)
			number[ops[i].Input.key], parts = n, append(parts, nil)
		}
		parts[n] = append(parts[n], i)
	}
	return parts
}

// hinted are the models with the two hints.
func hinted[S any](m search.Model[S, input, output]) search.Model[S, input, output] {
	m.ReadOnly = func(in input, out output) bool {
		return in.kind == workload.Read || in.kind == workload.Get || in.kind == workload.CompareAndSwap && !out.ok
	}
	m.Blind = func(in input, _ output) bool { return in.kind == workload.Write || in.kind == workload.Put }
	return m
}

// asLog gives the calls of registers as a log of a known kind.
func asLog(calls []workload.Call, kind history.Kind) *history.Log {
	l := &history.Log{Kind: kind, Initial: history.Absent}
	for i := range calls {
		c := &calls[i]
		m, v, w := history.Write, int64(c.To), int64(0)
		switch {
		case c.Kind == workload.Read:
			m, v = history.Read, int64(c.Found)
			if c.Found == workload.None {
				v = history.Absent
			}
		case c.Kind == workload.CompareAndSwap && !c.OK && c.End != workload.Never:
			m, v, w = history.CASFailed, int64(c.From), int64(c.To)
		case c.Kind == workload.CompareAndSwap:
			m, v, w = history.CAS, int64(c.From), int64(c.To)
		}
		l.Method, l.Value, l.Second = append(l.Method, m), append(l.Value, v), append(l.Second, w)
		l.Call, l.Return = append(l.Call, c.Start), append(l.Return, c.End)
		if kind == history.Map {
			l.Key = append(l.Key, int64(c.Key))
		}
	}
	return l
}
