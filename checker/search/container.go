package search

import "github.com/mapatom/mapatom/checker/history"

// A container is what a stack, a queue and a priority queue have in common:
// values go in, and one of those inside, or none, is next to come out. States
// are not changed by the functions.
type container[S any] struct {
	discipline discipline
	empty      S
	push       func(s S, v int64) S
	next       func(s S) (v int64, ok bool)
	pop        func(s S) S
	equal      func(a, b S) bool
	hash       func(s S) uint64
	size       func(s S) int64 // memory that one more state costs
}

// containerSpec makes the specification of a container with the rows of a
// log.
func containerSpec[S any](l *history.Log, c container[S]) *spec[S] {
	return &spec[S]{
		init: func() []S { return []S{c.empty} },
		step: func(s S, row int32, buf []S) []S {
			if l.Method[row] == history.Insert {
				return append(buf, c.push(s, l.Value[row]))
			}
			v, ok := c.next(s)
			switch m := l.Method[row]; {
			case m == history.Remove && ok && v == l.Value[row]:
				return append(buf, c.pop(s))
			case m == history.Peek && ok && v == l.Value[row],
				(m == history.RemoveEmpty || m == history.PeekEmpty) && !ok:
				return append(buf, s)
			}
			return buf
		},
		// A removal that did not return may have removed what was next, or have
		// found nothing.
		effects: func(s S, row int32, buf []S) []S {
			switch _, ok := c.next(s); {
			case l.Method[row] == history.Insert:
				return append(buf, c.push(s, l.Value[row]))
			case l.Method[row].Called() == history.Remove && ok:
				return append(buf, c.pop(s))
			}
			return append(buf, s)
		},
		equal: c.equal, hash: c.hash, size: c.size,
		traits: func(row int32, isPending bool) trait { return containerTrait(l.Method[row], isPending) },
		settles: func(row int32) (S, bool) {
			m := l.Method[row]
			return c.empty, m == history.RemoveEmpty || m == history.PeekEmpty
		},
		alike:      alikeRows(l),
		discipline: c.discipline,
		content:    func(row int32, isPending bool) content { return contentOf(l, row, isPending) },
		groups:     func(rows []int32) [][]int32 { return containerGroups(l, rows) },
		call:       l.Call, ret: l.Return,
	}
}

// containerTrait: looking changes nothing, and so does a removal that found
// nothing. Nothing is blind: what is inside always matters later.
func containerTrait(m history.Method, isPending bool) trait {
	switch {
	case m == history.Peek, m == history.PeekEmpty, m == history.RemoveEmpty && !isPending:
		return readOnly
	}
	return 0
}

// contentOf says what the row does to the contents. A removal that found nothing
// may have removed something for all that is known before it returned, which is
// what a prefix of the history knows.
func contentOf(l *history.Log, row int32, isPending bool) content {
	c := content{value: l.Value[row]}
	switch m := l.Method[row]; {
	case m == history.Insert:
		c.puts = true
	case m == history.Remove, m == history.RemoveEmpty && isPending:
		c.takes = true
	case m == history.Peek && !isPending:
		c.watches = true
	}
	return c
}

// containerGroups puts the operations of each value together: containers are
// closed under leaving out all operations of a value. A pending removal has
// no value, and stays: one that removed a value that is left out takes no
// effect.
func containerGroups(l *history.Log, rows []int32) [][]int32 {
	var values unionFind
	return values.groups(rows, func(row int32) (int64, bool) {
		switch m := l.Method[row]; {
		case m == history.RemoveEmpty, m == history.PeekEmpty:
			return 0, false
		case l.Return[row] == history.Pending && m != history.Insert:
			return 0, false
		}
		return l.Value[row], true
	})
}
