package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// A Call is one operation of a client, in a form that the operations of any
// checker can be made of.
type Call struct {
	Client    int
	Kind      CallKind
	Key       int
	From, To  int    // of a compare-and-swap; To is what is written
	Text      string // put, appended, or found
	Found     int    // by a read; None if there was nothing
	OK        bool   // of a compare-and-swap
	Start     int64
	End       int64 // Never if it timed out
	takesHold int64 // when it took effect
}

// A CallKind is what a call does.
type CallKind uint8

// The first three are of registers, the others of keys that hold a text.
const (
	Read CallKind = iota
	Write
	CompareAndSwap
	Get
	Put
	Append
)

const (
	None  = -1
	Never = math.MaxInt64
)

// Clients of a service call, one operation after the other, an object on which
// every call takes effect at some time before it returns. One whose call has timed
// out goes on under a new name.
type Clients struct {
	Number, Operations, Keys int
	Values                   int     // registers: written values are below it; 0 makes every one unique
	Swaps                    bool    // registers: a third of the operations are compare-and-swaps
	Texts                    bool    // keys hold texts that grow
	Timeouts                 float64 // part of the writes that never return
	Stale                    float64 // part of the reads that find an old value
	Latency, Gap             int64   // longest time that a call takes, and between two calls
	Seed                     uint64
}

// Calls are what they do, in order of start.
func (s Clients) Calls() []Call {
	r := rand.New(rand.NewPCG(s.Seed, uint64(s.Operations)))
	calls := make([]Call, s.Operations)
	at := make([]int64, s.Number)
	for i := range calls {
		c := soonest(at)
		start := at[c] + 1 + r.Int64N(s.Gap)
		end := start + 1 + r.Int64N(s.Latency)
		calls[i] = Call{Client: c, Start: start, End: end, takesHold: start + r.Int64N(end-start)}
		s.choose(r, &calls[i], i)
		at[c] = end
	}
	s.happen(r, calls)
	slices.SortStableFunc(calls, func(a, b Call) int { return int(a.Start - b.Start) })
	return calls
}

func soonest(at []int64) int { return slices.Index(at, slices.Min(at)) }

func (s Clients) choose(r *rand.Rand, c *Call, i int) {
	c.Key, c.Found = r.IntN(max(1, s.Keys)), None
	c.To = i
	if s.Values > 0 {
		c.From, c.To = r.IntN(s.Values), r.IntN(s.Values)
	}
	switch n := r.IntN(3); {
	case s.Texts:
		// As in Porcupine's logs.
		switch n := r.IntN(20); {
		case n < 9:
			c.Kind = Get
		case n < 19:
			c.Kind = Append
		default:
			c.Kind = Put
		}
		c.Text = fmt.Sprintf("x %d %d y", c.Client, i)
	case s.Swaps:
		c.Kind = []CallKind{Read, Write, CompareAndSwap}[n]
	default:
		c.Kind = []CallKind{Read, Write}[r.IntN(2)]
	}
}

// happen gives the calls the results that their order of taking effect
// yields.
func (s Clients) happen(r *rand.Rand, calls []Call) {
	order := make([]*Call, len(calls))
	for i := range calls {
		order[i] = &calls[i]
	}
	slices.SortStableFunc(order, func(a, b *Call) int { return int(a.takesHold - b.takesHold) })
	now, before := map[int]int{}, map[int]int{}
	texts := map[int]string{}
	for _, c := range order {
		old, known := now[c.Key]
		switch c.Kind {
		case Read:
			if known {
				c.Found = old
			}
			if v, ok := before[c.Key]; ok && r.Float64() < s.Stale {
				c.Found = v
			}
		case Write:
			before[c.Key], now[c.Key] = old, c.To
		case CompareAndSwap:
			if c.OK = known && old == c.From; c.OK {
				before[c.Key], now[c.Key] = old, c.To
			}
		case Get:
			c.Text = texts[c.Key]
			if r.Float64() < s.Stale && len(c.Text) > 8 {
				c.Text = c.Text[:len(c.Text)-4]
			}
		case Put:
			texts[c.Key] = c.Text
		case Append:
			texts[c.Key] += c.Text
		}
		if c.Kind != Read && c.Kind != Get && r.Float64() < s.Timeouts {
			c.End = Never
		}
	}
}
