package snapshot

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// ranged takes up what was visited; fill adds the rest.
func (c *converter) ranged(op *Operation, in *history.Operation) *Error {
	for _, pair := range pairs(in.Results) {
		key, value, ok := splitPair(pair)
		if !ok {
			return &Error{Found: fmt.Sprintf("result %s of %s", pair, in.Method), Want: "[SEGMENT,VALUE] for each that was visited"}
		}
		cell := Cell{c.segment(key), c.value(value)}
		if slices.ContainsFunc(op.Reads, func(r Cell) bool { return r.Segment == cell.Segment }) {
			return &Error{Found: fmt.Sprintf("%s that visits %s twice", in.Method, key), Want: "each segment once"}
		}
		op.Reads = append(op.Reads, cell)
	}
	return nil
}

// pairs are the results of a range: one each, or all in one, as a function that
// returns a list or a map gives them.
func pairs(results []history.Value) []history.Value {
	if len(results) != 1 {
		return results
	}
	var list []json.RawMessage
	if json.Unmarshal([]byte(results[0]), &list) == nil {
		return listed(results, list)
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(results[0]), &object) != nil {
		return results
	}
	var out []history.Value
	for _, key := range slices.Sorted(maps.Keys(object)) {
		name, _ := json.Marshal(key)
		out = append(out, history.Value(fmt.Sprintf("[%s,%s]", name, object[key])))
	}
	return out
}

// listed is a list of pairs, or the only pair that is one itself.
func listed(results []history.Value, list []json.RawMessage) []history.Value {
	var out []history.Value
	for _, raw := range list {
		if _, _, ok := splitPair(history.Value(raw)); !ok {
			return results
		}
		out = append(out, history.Value(raw))
	}
	return out
}

// fill adds the segments that a range did not visit.
func (c *converter) fill(op *Operation) {
	visited := op.Reads
	op.Reads = make([]Cell, len(c.Segments))
	for s := range op.Reads {
		op.Reads[s] = Cell{int32(s), Absent}
	}
	for _, cell := range visited {
		op.Reads[cell.Segment] = cell
	}
}

// splitPair splits a JSON array of two.
func splitPair(v history.Value) (key, value history.Value, ok bool) {
	text := string(v)
	if len(text) < 2 || text[0] != '[' {
		return "", "", false
	}
	text = text[1 : len(text)-1]
	depth, quoted, comma := 0, false, -1
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '[' || b == '{':
			depth++
		case b == ']' || b == '}':
			depth--
		case b == ',' && depth == 0:
			if comma >= 0 {
				return "", "", false
			}
			comma = i
		}
	}
	if comma <= 0 || comma == len(text)-1 {
		return "", "", false
	}
	return history.Value(text[:comma]), history.Value(text[comma+1:]), true
}
