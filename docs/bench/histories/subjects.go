package main

import (
	"sync"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/puzpuzpuz/xsync/v4"

	"github.com/mapatom/mapatom/checker/history"
)

var subjects = []subject{
	{"sync.Map", history.Map, func(l load) func(*worker) { return onMap(l, typed{new(sync.Map)}) }},
	{"xsync.Map", history.Map, func(l load) func(*worker) { return onMap(l, xsync.NewMap[int64, int64]()) }},
	{"atomic.Int64", history.Register, func(load) func(*worker) { return onRegister(new(atomic.Int64)) }},
	{"xsync.MPMCQueue", history.Queue, func(load) func(*worker) {
		q := xsync.NewMPMCQueue[int64](64)
		return onEnds(q.TryEnqueue, q.TryDequeue)
	}},
	{"golang-lru.Cache", history.Map, func(l load) func(*worker) {
		c, err := lru.New[int64, int64](2 * l.keys)
		if err != nil {
			panic(err)
		}
		return onMap(l, cache{c})
	}},
	{"golang-lru.Cache, full", history.Map, func(l load) func(*worker) {
		c, err := lru.New[int64, int64](l.keys / 2)
		if err != nil {
			panic(err)
		}
		return onMap(l, cache{c})
	}},
	{"channel", history.Queue, func(load) func(*worker) {
		c := make(chan int64, 64)
		return onEnds(func(v int64) bool {
			select {
			case c <- v:
				return true
			default:
				return false
			}
		}, func() (int64, bool) {
			select {
			case v := <-c:
				return v, true
			default:
				return 0, false
			}
		})
	}},
	{"Treiber stack", history.Stack, func(load) func(*worker) {
		s := new(treiber)
		return onEnds(s.push, s.pop)
	}},
	{"k-FIFO queue", history.Queue, func(load) func(*worker) {
		q := newKFIFO(4)
		return onEnds(q.put, q.take)
	}},
}

// A mapping are the methods of a map that are called.
type mapping interface {
	Load(int64) (int64, bool)
	Store(int64, int64)
	LoadOrStore(int64, int64) (int64, bool)
}

// onMap calls a map: half of the calls load, and of the others most store.
func onMap(l load, m mapping) func(*worker) {
	deleter, deletes := m.(interface {
		LoadAndDelete(int64) (int64, bool)
	})
	return func(w *worker) {
		k := w.Int64N(int64(l.keys))
		switch n := w.IntN(20); {
		case n < 10 || n >= 18 && !deletes:
			c := w.Begin("Load", k)
			v, ok := m.Load(k)
			c.End(v, ok)
		case n < 16:
			v := w.fresh()
			c := w.Begin("Store", k, v)
			m.Store(k, v)
			c.End()
		case n < 18:
			v := w.fresh()
			c := w.Begin("LoadOrStore", k, v)
			v, loaded := m.LoadOrStore(k, v)
			c.End(v, loaded)
		default:
			c := w.Begin("LoadAndDelete", k)
			v, loaded := deleter.LoadAndDelete(k)
			c.End(v, loaded)
		}
	}
}

// onRegister reads a number three times as often as it writes one.
func onRegister(n *atomic.Int64) func(*worker) {
	return func(w *worker) {
		if w.IntN(4) > 0 {
			c := w.Begin("Load")
			c.End(n.Load())
			return
		}
		v := w.fresh()
		c := w.Begin("Store", v)
		n.Store(v)
		c.End()
	}
}

// onEnds calls what values go into and come out of. A put that is refused was
// none.
func onEnds(put func(int64) bool, take func() (int64, bool)) func(*worker) {
	return func(w *worker) {
		if w.puts {
			v := w.fresh()
			c := w.Begin("push", v)
			if put(v) {
				c.End()
			} else {
				c.Cancel()
			}
			return
		}
		c := w.Begin("pop")
		v, ok := take()
		c.End(v, ok)
	}
}

// typed is a sync.Map of integers.
type typed struct{ m *sync.Map }

func (t typed) Load(k int64) (int64, bool) { return number(t.m.Load(k)) }
func (t typed) Store(k, v int64)           { t.m.Store(k, v) }
func (t typed) LoadOrStore(k, v int64) (int64, bool) {
	return number(t.m.LoadOrStore(k, v))
}
func (t typed) LoadAndDelete(k int64) (int64, bool) { return number(t.m.LoadAndDelete(k)) }

func number(v any, ok bool) (int64, bool) {
	n, _ := v.(int64)
	return n, ok
}

// cache is a golang-lru cache as a map. What would take out an entry only looks,
// since Remove does not give the value.
type cache struct{ c *lru.Cache[int64, int64] }

func (c cache) Load(k int64) (int64, bool) { return c.c.Get(k) }
func (c cache) Store(k, v int64)           { c.c.Add(k, v) }
func (c cache) LoadOrStore(k, v int64) (int64, bool) {
	found, ok, _ := c.c.PeekOrAdd(k, v)
	if !ok {
		found = v
	}
	return found, ok
}

// A treiber is the stack of Treiber (Systems programming: coping with
// parallelism, 1986): a list whose head is swapped.
type treiber struct{ head atomic.Pointer[node] }

type node struct {
	value int64
	next  *node
}

func (s *treiber) push(v int64) bool {
	n := &node{value: v}
	for {
		n.next = s.head.Load()
		if s.head.CompareAndSwap(n.next, n) {
			return true
		}
	}
}

func (s *treiber) pop() (int64, bool) {
	for {
		n := s.head.Load()
		if n == nil {
			return 0, false
		}
		if s.head.CompareAndSwap(n, n.next) {
			return n.value, true
		}
	}
}

// A kFIFO is a relaxed queue, as that of Kirsch, Lippautz and Payer (Fast and
// scalable, lock-free k-FIFO queues, PaCT 2013) is: a list of segments of k
// places, in each of which values may come out in any order. A lock stands for
// theirs: it is the order that is to be seen.
type kFIFO struct {
	mu       sync.Mutex
	k        int
	segments [][]int64
	turn     int
}

func newKFIFO(k int) *kFIFO { return &kFIFO{k: k} }

func (q *kFIFO) put(v int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	last := len(q.segments) - 1
	if last < 0 || len(q.segments[last]) == q.k {
		q.segments = append(q.segments, nil)
		last++
	}
	q.segments[last] = append(q.segments[last], v)
	return true
}

func (q *kFIFO) take() (int64, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.segments) == 0 {
		return 0, false
	}
	s := q.segments[0]
	q.turn++
	at := q.turn % len(s)
	v := s[at]
	s[at] = s[len(s)-1]
	if q.segments[0] = s[:len(s)-1]; len(s) == 1 {
		q.segments = q.segments[1:]
	}
	return v, true
}
