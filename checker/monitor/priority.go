package monitor

import (
	"math"
	"math/bits"
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// priorityAnswer decides the history of a priority queue. The height of a
// value is its priority: the largest value comes out first, or the smallest
// if the log says so. A value that comes out, or is seen to be next, only
// needs a gap in which no value of higher priority has to be there.
func priorityAnswer(l *history.Log, ev *events) answer {
	c, a := newContainer(l, ev)
	if c == nil {
		return a
	}
	heights := c.byPriority()
	return c.decide(func() answer {
		p := placement{c: c, heights: heights}
		if stuck, ok := p.place(); !ok {
			return stuck.core(c)
		}
		if !ev.wantOrder {
			return answer{ok: true}
		}
		return answer{ok: true, order: p.order()}
	})
}

// byPriority gives the values from the lowest priority to the highest.
func (c *container) byPriority() []int32 {
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for _, row := range c.insert {
		low, high = min(low, c.l.Value[row]), max(high, c.l.Value[row])
	}
	// A key is a value above its number. If there is no room for all of a
	// value its last bits are left out, and looked at again afterwards.
	numberBits := bits.Len(uint(len(c.insert)))
	cut := max(0, bits.Len64(uint64(high)-uint64(low))+numberBits-64)
	keys := make([]uint64, len(c.insert))
	for v, row := range c.insert {
		keys[v] = (uint64(c.l.Value[row])-uint64(low))>>cut<<numberBits | uint64(v)
	}
	keys = radixSort(keys, numberBits)
	values := make([]int32, len(keys))
	for i, key := range keys {
		values[i] = int32(key & (1<<numberBits - 1))
	}
	if cut > 0 {
		c.sortEqual(values, keys, numberBits)
	}
	if c.l.MinFirst {
		slices.Reverse(values)
	}
	return values
}

// sortEqual sorts values whose keys are the same above the number.
func (c *container) sortEqual(values []int32, keys []uint64, numberBits int) {
	for i := 0; i < len(keys); {
		j := i + 1
		for j < len(keys) && keys[j]>>numberBits == keys[i]>>numberBits {
			j++
		}
		slices.SortFunc(values[i:j], func(a, b int32) int {
			return compare(c.l.Value[c.insert[a]], c.l.Value[c.insert[b]])
		})
		i = j
	}
}
