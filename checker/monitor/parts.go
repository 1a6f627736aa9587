package monitor

import (
	"runtime"
	"sync"

	"github.com/mapatom/mapatom/checker/history"
)

// parts are the rows of a log by the element of the set or the key of the
// map that they are about. Parts are linearizable together if each is, since
// an operation on one tells nothing of another.
type parts struct {
	start []int32 // of each part in rows, and the end of the last
	rows  []int32 // of one part after the other, in the order of the log
}

func (p *parts) len() int            { return len(p.start) - 1 }
func (p *parts) of(part int) []int32 { return p.rows[p.start[part]:p.start[part+1]] }

// split sorts rows by a column, by counting.
func split(column []int64) *parts {
	ids := numberValues(column)
	p := &parts{start: make([]int32, ids.count+1), rows: make([]int32, len(column))}
	for _, v := range column {
		p.start[ids.of(v)]++
	}
	sum := int32(0)
	for id, count := range p.start {
		sum += count
		p.start[id] = sum
	}
	for row := len(column) - 1; row >= 0; row-- {
		id := ids.of(column[row])
		p.start[id]--
		p.rows[p.start[id]] = int32(row)
	}
	return p
}

// batch is the number of rows that a worker takes at once: enough to make
// nothing of the taking, few enough for all to end at the same time.
const batch = 1 << 14

// each calls do with ranges of parts that cover all of them, from several
// goroutines. worker tells the goroutines apart.
func (p *parts) each(workers int, do func(worker, from, to int)) {
	workers = workersFor(workers, len(p.rows))
	var taking sync.Mutex
	next := 0
	take := func() (from, to int) {
		taking.Lock()
		defer taking.Unlock()
		from = next
		for next < p.len() && (next == from || p.start[next]-p.start[from] < batch) {
			next++
		}
		return from, next
	}
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			for {
				from, to := take()
				if from == to {
					return
				}
				do(worker, from, to)
			}
		})
	}
	all.Wait()
}

// workersFor gives the number of goroutines that are worth their while.
func workersFor(workers, rows int) int {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return max(1, min(workers, rows/batch+1))
}

// merge puts linearizations of parts together. Each operation takes effect
// at a time in its interval, not before those that are before it in its
// part; ordered by these times, stably, each part keeps its order.
func merge(l *history.Log, orders [][]int32) []int32 {
	n := 0
	for _, order := range orders {
		n += len(order)
	}
	rows, times := make([]int32, 0, n), make([]int64, 0, n)
	for _, order := range orders {
		now := int64(0)
		for _, row := range order {
			now = max(now, l.Call[row])
			rows, times = append(rows, row), append(times, now)
		}
	}
	merged := byTime(times)
	for i, at := range merged {
		merged[i] = rows[at]
	}
	return merged
}
