package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// A call is one operation of a generated history, in a form that both
// checkers' operations are made of.
type call struct {
	client    int
	kind      callKind
	key       int
	from, to  int    // of a compare-and-swap; to is what is written
	text      string // put, appended, or found
	found     int    // by a read; none if there was nothing
	ok        bool   // of a compare-and-swap
	start     int64
	end       int64 // never if it timed out
	takesHold int64 // when it took effect
}

type callKind uint8

const (
	read callKind = iota
	write
	swap
	get
	put
	add // append
)

const (
	none  = -1
	never = math.MaxInt64
)

// A shape says what history to generate.
type shape struct {
	clients, operations, keys int
	values                    int     // registers: written values are below it; 0 makes every one unique
	swaps                     bool    // registers: a third of the operations are compare-and-swaps
	texts                     bool    // keys hold texts that grow
	timeouts                  float64 // part of the writes that never return
	stale                     float64 // part of the reads that find an old value
	latency, gap              int64   // longest time that a call takes, and between two calls
	seed                      uint64
}

// generate simulates clients that call, one operation after the other, an
// object on which every call takes effect at some time before it returns. A
// client whose call has timed out goes on under a new name.
func (s shape) generate() []call {
	r := rand.New(rand.NewPCG(s.seed, uint64(s.operations)))
	calls := make([]call, s.operations)
	at := make([]int64, s.clients)
	for i := range calls {
		c := soonest(at)
		start := at[c] + 1 + r.Int64N(s.gap)
		end := start + 1 + r.Int64N(s.latency)
		calls[i] = call{client: c, start: start, end: end, takesHold: start + r.Int64N(end-start)}
		s.choose(r, &calls[i], i)
		at[c] = end
	}
	s.happen(r, calls)
	slices.SortStableFunc(calls, func(a, b call) int { return int(a.start - b.start) })
	return calls
}

func soonest(at []int64) int { return slices.Index(at, slices.Min(at)) }

func (s shape) choose(r *rand.Rand, c *call, i int) {
	c.key, c.found = r.IntN(max(1, s.keys)), none
	c.to = i
	if s.values > 0 {
		c.from, c.to = r.IntN(s.values), r.IntN(s.values)
	}
	switch n := r.IntN(3); {
	case s.texts:
		// As in Porcupine's logs.
		switch n := r.IntN(20); {
		case n < 9:
			c.kind = get
		case n < 19:
			c.kind = add
		default:
			c.kind = put
		}
		c.text = fmt.Sprintf("x %d %d y", c.client, i)
	case s.swaps:
		c.kind = []callKind{read, write, swap}[n]
	default:
		c.kind = []callKind{read, write}[r.IntN(2)]
	}
}

// happen gives the calls the results that their order of taking effect
// yields.
func (s shape) happen(r *rand.Rand, calls []call) {
	order := make([]*call, len(calls))
	for i := range calls {
		order[i] = &calls[i]
	}
	slices.SortStableFunc(order, func(a, b *call) int { return int(a.takesHold - b.takesHold) })
	now, before := map[int]int{}, map[int]int{}
	texts := map[int]string{}
	for _, c := range order {
		old, known := now[c.key]
		switch c.kind {
		case read:
			if known {
				c.found = old
			}
			if v, ok := before[c.key]; ok && r.Float64() < s.stale {
				c.found = v
			}
		case write:
			before[c.key], now[c.key] = old, c.to
		case swap:
			if c.ok = known && old == c.from; c.ok {
				before[c.key], now[c.key] = old, c.to
			}
		case get:
			c.text = texts[c.key]
			if r.Float64() < s.stale && len(c.text) > 8 {
				c.text = c.text[:len(c.text)-4]
			}
		case put:
			texts[c.key] = c.text
		case add:
			texts[c.key] += c.text
		}
		if c.kind != read && c.kind != get && r.Float64() < s.timeouts {
			c.end = never
		}
	}
}
