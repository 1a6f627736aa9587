package snapshot

import (
	"context"
	"slices"
	"unsafe"

	"github.com/mapatom/mapatom/checker/search"
)

// A picture is the values of all segments, as bytes so that it can be compared.
type picture string

// at gives the value of a segment.
func (p picture) at(segment int32) int32 {
	b := p[4*segment:]
	return int32(b[0]) | int32(b[1])<<8 | int32(b[2])<<16 | int32(b[3])<<24
}

// with is the picture after some writes.
func (p picture) with(writes []Cell) picture {
	b := []byte(p)
	for _, c := range writes {
		b[4*c.Segment], b[4*c.Segment+1] = byte(c.Value), byte(c.Value>>8)
		b[4*c.Segment+2], b[4*c.Segment+3] = byte(c.Value>>16), byte(c.Value>>24)
	}
	return picture(unsafe.String(unsafe.SliceData(b), len(b)))
}

// shows reports whether the picture has what was read.
func (p picture) shows(reads []Cell) bool {
	for _, c := range reads {
		if p.at(c.Segment) != c.Value {
			return false
		}
	}
	return true
}

// search decides the history by search.
func (h *History) search(ctx context.Context, o search.Options) (Result, error) {
	first := picture(make([]byte, 4*len(h.Segments)))
	for s, v := range h.Initial {
		first = first.with([]Cell{{int32(s), v}})
	}
	model := search.Model[picture, *Operation, struct{}]{
		Init: func() picture { return first },
		Step: func(p picture, op *Operation, _ struct{}) (picture, bool) {
			if !p.shows(op.Reads) {
				return p, false
			}
			return p.with(op.Writes), true
		},
		Effects: func(p picture, op *Operation) []picture {
			if !p.shows(op.Reads) {
				return nil
			}
			return []picture{p.with(op.Writes)}
		},
		ReadOnly: func(op *Operation, _ struct{}) bool { return len(op.Writes) == 0 },
		Blind: func(op *Operation, _ struct{}) bool {
			return len(h.Segments) == 1 && len(op.Writes) == 1 && len(op.Reads) == 0
		},
	}
	ops := make([]search.Operation[*Operation, struct{}], len(h.Operations))
	for i := range ops {
		op := &h.Operations[i]
		ops[i] = search.Operation[*Operation, struct{}]{Input: op, Call: op.Call, Return: op.Return}
	}
	o.Shrink = true
	found, err := model.Check(ctx, ops, o)
	r := Result{Verdict: found.Verdict, Reason: found.Reason, Method: BySearch, Order: found.Linearization, Core: found.Core}
	slices.Sort(r.Core)
	return r, err
}
