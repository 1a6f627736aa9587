package main

import (
	"github.com/anishathalye/porcupine"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
)

// An input and an output of a register or of a key that holds a text, for
// both checkers.
type input struct {
	kind     callKind
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

func (c *call) input() input {
	in := input{kind: c.kind, key: c.key, from: c.from, to: c.to}
	if c.kind == put || c.kind == add {
		in.text = c.text
	}
	return in
}

func (c *call) output() output {
	return output{unknown: c.end == never, ok: c.ok, found: c.found, text: c.text}
}

// theirs are the calls as Porcupine's operations. A call that timed out
// returns after all others, with a result that fits whatever happened: that
// is how Porcupine's own tests have it.
func theirs(calls []call) []porcupine.Operation {
	last := int64(0)
	for i := range calls {
		last = max(last, calls[i].start)
		if calls[i].end != never {
			last = max(last, calls[i].end)
		}
	}
	ops := make([]porcupine.Operation, len(calls))
	for i := range calls {
		c := &calls[i]
		ops[i] = porcupine.Operation{ClientId: c.client, Input: c.input(), Call: c.start, Output: c.output(), Return: min(c.end, last+1)}
	}
	return ops
}

// ours are the calls as operations for a model of a user's.
func ours(calls []call) []search.Operation[input, output] {
	ops := make([]search.Operation[input, output], len(calls))
	for i := range calls {
		c := &calls[i]
		ops[i] = search.Operation[input, output]{Input: c.input(), Output: c.output(), Call: c.start, Return: c.end}
	}
	return ops
}

// stepRegister is the register that both checkers are given.
func stepRegister(now int, in input, out output) (int, bool) {
	switch in.kind {
	case read:
		return now, out.unknown || out.found == now
	case write:
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
	case get:
		return now, out.unknown || out.text == now
	case put:
		return in.text, true
	}
	return now + in.text, true
}

var theirRegister = porcupine.Model{
	Partition: theirKeys,
	Init:      func() any { return none },
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
	Init:      func() int { return none },
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
		return in.kind == read || in.kind == get || in.kind == swap && !out.ok
	}
	m.Blind = func(in input, _ output) bool { return in.kind == write || in.kind == put }
	return m
}

// asLog gives the calls of registers as a log of a known kind.
func asLog(calls []call, kind history.Kind) *history.Log {
	l := &history.Log{Kind: kind, Initial: history.Absent}
	for i := range calls {
		c := &calls[i]
		m, v, w := history.Write, int64(c.to), int64(0)
		switch {
		case c.kind == read:
			m, v = history.Read, int64(c.found)
			if c.found == none {
				v = history.Absent
			}
		case c.kind == swap && !c.ok && c.end != never:
			m, v, w = history.CASFailed, int64(c.from), int64(c.to)
		case c.kind == swap:
			m, v, w = history.CAS, int64(c.from), int64(c.to)
		}
		l.Method, l.Value, l.Second = append(l.Method, m), append(l.Value, v), append(l.Second, w)
		l.Call, l.Return = append(l.Call, c.start), append(l.Return, c.end)
		if kind == history.Map {
			l.Key = append(l.Key, int64(c.key))
		}
	}
	return l
}
