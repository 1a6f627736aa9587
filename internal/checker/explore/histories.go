package explore

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// histories is the observer of the mode Internal, whose state is the history
// itself. With each history goes what candidates says of it.
type histories struct {
	m          *Model
	candidates *candidates
	table      table[historyNode]
	start      int32
}

// A historyNode is a history: one event more than another.
type historyNode struct {
	before     int32 // -1 of the empty history
	event      Event
	candidates int32
	values     uint64
}

func newHistories(m *Model) *histories {
	h := &histories{m: m, candidates: newCandidates(m, false)}
	h.start = h.empty(h.candidates.start)
	return h
}

// empty is the empty history. There is one for each way to name the values
// that the object holds at the start.
func (h *histories) empty(set int32) int32 {
	key := binary.LittleEndian.AppendUint32(nil, uint32(set))
	return h.table.number(string(key), func() historyNode {
		return historyNode{before: -1, candidates: set, values: h.candidates.Values(set)}
	})
}

func (h *histories) Start() int32 { return h.start }

func (h *histories) Next(state int32, e Event) int32 {
	if e.Kind == TookEffect {
		return state
	}
	var key [8 + maxWords]byte
	binary.LittleEndian.PutUint32(key[:], uint32(state))
	key[4] = byte(e.Kind)<<4 | e.Thread
	key[5], key[6], key[7] = byte(e.Method), e.Argument, e.Result.n
	n := 8 + copy(key[8:], e.Result.w[:e.Result.n])
	if next, ok := h.table.find(string(key[:n])); ok {
		return next
	}
	before := h.table.get(state)
	set := h.candidates.Next(before.candidates, e)
	if set == Wrong {
		return Wrong
	}
	return h.table.number(string(key[:n]), func() historyNode {
		values := before.values
		see := func(v byte) byte { values |= 1 << v; return v }
		event := e
		h.renameEvent(&event, see)
		return historyNode{state, event, set, values &^ 1}
	})
}

// renameEvent replaces the values in an event.
func (h *histories) renameEvent(e *Event, rename func(byte) byte) {
	m := &h.m.methods[e.Method]
	if m.argument.fresh {
		e.Argument = rename(e.Argument)
	}
	if m.result == Value {
		e.Result.each(rename)
	}
}

// events is the history, and the candidates before it.
func (h *histories) events(state int32) ([]Event, int32) {
	var all []Event
	n := h.table.get(state)
	for ; n.before >= 0; n = h.table.get(n.before) {
		all = append(all, n.event)
	}
	slices.Reverse(all)
	return all, n.candidates
}

func (h *histories) Values(state int32) uint64 { return h.table.get(state).values }

func (h *histories) Rename(state int32, r *Renaming) int32 {
	value := func(v byte) byte { return r.Value[v] }
	events, start := h.events(state)
	next := h.empty(h.candidates.Rename(start, r))
	for _, e := range events {
		e.Thread = r.Thread[e.Thread]
		h.renameEvent(&e, value)
		next = h.Next(next, e)
	}
	return next
}

func (h *histories) Compare(a, b int32) int {
	if a == b {
		return 0
	}
	x, startX := h.events(a)
	y, startY := h.events(b)
	return cmp.Or(h.candidates.Compare(startX, startY), slices.CompareFunc(x, y, compareEvents))
}

func compareEvents(a, b Event) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Method, b.Method),
		cmp.Compare(a.Argument, b.Argument), slices.Compare(a.Result.w[:a.Result.n], b.Result.w[:b.Result.n]))
}

// bytes is about how much memory the observer needs.
func (h *histories) bytes() int64 { return h.table.size() + h.candidates.bytes() }
