package monitor

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/mapatom/mapatom/checker/history"
)

// events are the calls and returns of a log in order of time, as ranks: a
// precedes b if and only if ret[a] < call[b]. Instants that are equal in the
// log have different ranks, calls before returns and lower rows first, so
// that what shares an instant is concurrent.
type events struct {
	n         int     // rows
	call, ret []int32 // rank of each row's call and return; ret is 2n if it is pending
	at        []int32 // event at each rank: the row of a call, the complement of the row of a return

	// For containers, what is known of the values: insertOf is, of the rows
	// that speak of a value, the row that put it in, and -1 of others;
	// removeOf is, of a row that put a value in, the one that took it out,
	// -1 if none did, and of others.
	insertOf, removeOf []int32
	// wantOrder says that a linearization is asked for if there is one.
	wantOrder bool
}

// newEvents ranks the events of a log.
func newEvents(l *history.Log) *events { return rank(l.Call, l.Return) }

// rank ranks calls and returns. It takes linear time: a radix sort of the
// returns, and of the calls if they are not in order.
func rank(call, ret []int64) *events {
	n := len(call)
	ev := &events{n: n, call: make([]int32, n), ret: make([]int32, n)}
	var calls []int32
	var sorting sync.WaitGroup
	if !slices.IsSorted(call) {
		sorting.Go(func() { calls = byTime(call) })
	}
	returns := byTime(ret)
	sorting.Wait()
	for len(returns) > 0 && ret[returns[len(returns)-1]] == history.Pending {
		ev.ret[returns[len(returns)-1]] = int32(2 * n)
		returns = returns[:len(returns)-1]
	}
	ev.at = make([]int32, 0, n+len(returns))
	for i := range int32(n) {
		row := i
		if calls != nil {
			row = calls[i]
		}
		for len(returns) > 0 && ret[returns[0]] < call[row] {
			ev.returned(returns[0])
			returns = returns[1:]
		}
		ev.call[row] = int32(len(ev.at))
		ev.at = append(ev.at, row)
	}
	for _, row := range returns {
		ev.returned(row)
	}
	return ev
}

func (ev *events) returned(row int32) {
	ev.ret[row] = int32(len(ev.at))
	ev.at = append(ev.at, ^row)
}

// pending reports whether a row did not return.
func (ev *events) pending(row int32) bool { return ev.ret[row] == int32(2*ev.n) }

// byTime gives the rows in order of their times, equal times in order of
// row, and history.Pending last.
func byTime(times []int64) []int32 {
	rows := make([]int32, len(times))
	low, high := span(times)
	// A key is a time, which Pending follows, above a row number.
	rowBits := bits.Len(uint(len(times)))
	if bits.Len64(uint64(high)-uint64(low)+1)+rowBits > 64 {
		for i := range rows {
			rows[i] = int32(i)
		}
		slices.SortStableFunc(rows, func(a, b int32) int { return compare(times[a], times[b]) })
		return rows
	}
	keys := make([]uint64, len(times))
	for i, t := range times {
		t = min(t, high+1) - low
		keys[i] = uint64(t)<<rowBits | uint64(i)
	}
	keys = radixSort(keys, rowBits)
	for i, k := range keys {
		rows[i] = int32(k & (1<<rowBits - 1))
	}
	return rows
}

// span gives the first and the last of the times that are not Pending. It
// is 0 to 0 if there are none.
func span(times []int64) (low, high int64) {
	low, high = history.Pending, -1
	for _, t := range times {
		low = min(low, t)
		if t != history.Pending {
			high = max(high, t)
		}
	}
	if high < 0 {
		return 0, 0
	}
	return low, high
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Digits of the radix sort. Eleven bits take two passes for the million
// instants of a counter and three for seconds in nanoseconds, and the counts
// of a digit stay in the fastest cache.
const (
	digitBits = 11
	digits    = 1 << digitBits
)

// radixSort sorts keys by the bits from the given one up, and leaves keys
// that are equal there in their order. The result may be in new memory.
func radixSort(keys []uint64, from int) []uint64 {
	if sortedFrom(keys, from) {
		return keys
	}
	var all uint64
	for _, k := range keys {
		all |= k
	}
	spare := make([]uint64, len(keys))
	for shift := from; shift < bits.Len64(all); shift += digitBits {
		var starts [digits]int32
		for _, k := range keys {
			starts[k>>shift&(digits-1)]++
		}
		sum := int32(0)
		for d, count := range starts {
			starts[d] = sum
			sum += count
		}
		for _, k := range keys {
			d := k >> shift & (digits - 1)
			spare[starts[d]] = k
			starts[d]++
		}
		keys, spare = spare, keys
	}
	return keys
}

func sortedFrom(keys []uint64, from int) bool {
	for i := 1; i < len(keys); i++ {
		if keys[i]>>from < keys[i-1]>>from {
			return false
		}
	}
	return true
}
