package certificate

import (
	"container/heap"
	"fmt"

	"github.com/mapatom/mapatom/checker/history"
)

// An object is a sequential object that the operations of a log are tried on.
type object interface {
	// step does the operation of a row, and says what is wrong with its
	// result; "" if nothing is.
	step(row int) string
}

func newObject(l *history.Log) object {
	switch l.Kind {
	case history.Set:
		return &set{log: l, has: make(map[int64]bool)}
	case history.Register:
		return &memory{log: l, cells: map[int64]int64{0: l.Initial}}
	case history.Map:
		return &memory{log: l, cells: make(map[int64]int64)}
	case history.PriorityQueue:
		return &container{log: l, values: &priorities{minFirst: l.MinFirst}}
	case history.Queue:
		return &container{log: l, values: &line{}}
	case history.Stack:
		return &container{log: l, values: &line{lastFirst: true}}
	}
	return nothing{l.Kind}
}

// nothing is an object of a kind that nothing is known of.
type nothing struct{ kind history.Kind }

func (n nothing) step(int) string { return "nothing is known of objects of kind " + n.kind.String() }

// values is what a container holds.
type values interface {
	put(v int64)
	next() (v int64, ok bool)
	drop()
}

type container struct {
	log    *history.Log
	values values
}

func (c *container) step(row int) string {
	m, v := c.log.Method[row], c.log.Value[row]
	if m == history.Insert {
		c.values.put(v)
		return ""
	}
	next, ok := c.values.next()
	if c.log.Return[row] == history.Pending {
		if ok && (m == history.Remove || m == history.RemoveEmpty) {
			c.values.drop()
		}
		return ""
	}
	switch {
	case (m == history.RemoveEmpty || m == history.PeekEmpty) && ok:
		return fmt.Sprintf("%s is there", c.log.NameOf(next))
	case m == history.RemoveEmpty || m == history.PeekEmpty:
		return ""
	case !ok:
		return "nothing is there"
	case next != v:
		return fmt.Sprintf("%s is next", c.log.NameOf(next))
	}
	if m == history.Remove {
		c.values.drop()
	}
	return ""
}

// line is a queue or a stack.
type line struct {
	lastFirst bool
	held      []int64
}

func (l *line) put(v int64) { l.held = append(l.held, v) }

func (l *line) next() (int64, bool) {
	switch {
	case len(l.held) == 0:
		return 0, false
	case l.lastFirst:
		return l.held[len(l.held)-1], true
	}
	return l.held[0], true
}

func (l *line) drop() {
	if l.lastFirst {
		l.held = l.held[:len(l.held)-1]
	} else {
		l.held = l.held[1:]
	}
}

// priorities is a priority queue.
type priorities struct {
	minFirst bool
	held     []int64
}

func (p *priorities) put(v int64) { heap.Push(p, v) }
func (p *priorities) drop()       { heap.Pop(p) }

func (p *priorities) next() (int64, bool) {
	if len(p.held) == 0 {
		return 0, false
	}
	return p.held[0], true
}

// Len and the methods after it make it a heap.

func (p *priorities) Len() int { return len(p.held) }
func (p *priorities) Less(i, k int) bool {
	if p.minFirst {
		return p.held[i] < p.held[k]
	}
	return p.held[i] > p.held[k]
}

func (p *priorities) Swap(i, k int) { p.held[i], p.held[k] = p.held[k], p.held[i] }
func (p *priorities) Push(v any)    { p.held = append(p.held, v.(int64)) }
func (p *priorities) Pop() any {
	v := p.held[len(p.held)-1]
	p.held = p.held[:len(p.held)-1]
	return v
}

// set is a set.
type set struct {
	log *history.Log
	has map[int64]bool
}

func (s *set) step(row int) string {
	m, v := s.log.Method[row], s.log.Value[row]
	if s.log.Return[row] != history.Pending {
		there := m == history.AddFailed || m == history.Take || m == history.ContainsTrue
		switch {
		case there && !s.has[v]:
			return "it is not there"
		case !there && s.has[v]:
			return "it is there"
		}
	}
	switch m {
	case history.Add, history.AddFailed:
		s.has[v] = true
	case history.Take, history.TakeFailed:
		delete(s.has, v)
	}
	return ""
}

// memory is a map, or a register as its cell 0.
type memory struct {
	log   *history.Log
	cells map[int64]int64
}

func (c *memory) step(row int) string {
	key := int64(0)
	if c.log.Key != nil {
		key = c.log.Key[row]
	}
	now, is := c.cells[key]
	if !is {
		now = history.Absent
	}
	result, next := c.do(row, now)
	c.cells[key] = next
	if c.log.Return[row] == history.Pending || result {
		return ""
	}
	return fmt.Sprintf("the value is %s", c.log.NameOf(now))
}

// do reports whether the operation has the result that it had, and gives the
// value after it.
func (c *memory) do(row int, now int64) (bool, int64) {
	v, w := c.log.Value[row], history.Absent
	if c.log.Second != nil {
		w = c.log.Second[row]
	}
	switch m := c.log.Method[row]; m {
	case history.Write:
		return true, v
	case history.Read:
		return now == v, now
	case history.CAS, history.CASFailed:
		if now == v {
			return m == history.CAS, w
		}
		return m == history.CASFailed, now
	case history.Swap:
		return now == w, v
	case history.FetchAdd:
		if now == history.Absent {
			return false, now
		}
		return now == w, now + v
	case history.GetOrPut:
		if now == history.Absent {
			return w == now, v
		}
		return w == now, now
	}
	return false, now
}
