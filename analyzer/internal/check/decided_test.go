package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/analyzer/config"
)

// TestLoopsWithLocks: what a loop between two operations locks and unlocks again in each
// round keeps nobody from anything, so the loop is of no more consequence than one without.
func TestLoopsWithLocks(t *testing.T) {
	const boxes = `
type box struct {
	mu   sync.Mutex
	n    int
	full map[string]int
}

func (b *box) Put(k string) {
	b.mu.Lock()
	b.full[k]++
	b.n++
	b.mu.Unlock()
}

func sum(boxes []*box) int {
	all := 0
	for _, b := range boxes {
		b.mu.Lock()
		if b.n > 3 {
			all += b.n
		}
		for _, n := range b.full {
			all += n
		}
		b.mu.Unlock()
	}
	return all
}
`
	got := sequences(t, 0, boxes, `
func Lost(k string, boxes []*box) {
	if _, ok := m.Load(k); !ok {
		m.Store(k, sum(boxes))
	}
}

func Kept(k string, boxes []*box) any {
	v, ok := m.Load(k)
	if !ok {
		v, _ = m.LoadOrStore(k, sum(boxes))
	}
	return v
}
`)
	assert.Equal(t, absint.Violation.String(), got["Lost"])
	assert.Equal(t, absint.Verified.String(), got["Kept"])
}

// TestLargeStep: a function of the package that has too many ways to be walked may do
// anything to the cells that it changes. What is right then is right.
func TestLargeStep(t *testing.T) {
	var ways strings.Builder
	for i := range 20 {
		fmt.Fprintf(&ways, "\tif ask(%d) {\n\t\tn += %d\n\t}\n", i, 1<<i)
	}
	const types = `
type table struct {
	mu sync.RWMutex
	m  map[string]int
}

var ask func(int) bool
`
	large := "\nfunc (r *table) Large(k string) {\n\tr.mu.Lock()\n\tdefer r.mu.Unlock()\n\tn := 0\n" + ways.String() + "\tr.m[k] = n\n}\n"
	got := sequences(t, 0, types, large, `
func (r *table) Twice(k string) int {
	r.mu.RLock()
	v, ok := r.m[k]
	r.mu.RUnlock()
	if ok {
		return v
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if v, ok := r.m[k]; ok {
		return v
	}
	v = len(k)
	r.m[k] = v
	return v
}

func (r *table) Once(k string) int {
	r.mu.RLock()
	v, ok := r.m[k]
	r.mu.RUnlock()
	if ok {
		return v
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	v = len(k)
	r.m[k] = v
	return v
}
`)
	assert.Equal(t, absint.Verified.String(), got["(*table).Twice"], got)
	assert.Equal(t, absint.Violation.String(), got["(*table).Once"], got)
}

// TestManyEffects: that a call could have come in another order is told by what it
// leaves behind, however many orders of its effects there are.
func TestManyEffects(t *testing.T) {
	var ways strings.Builder
	for range 12 {
		ways.WriteString("\tif ask() {\n\t\tv.n++\n\t\tnote(v)\n\t}\n")
	}
	const types = `
type item struct{ n int }

var ask func() bool

var note func(*item)

func Put(k string, v *item) {
	if v != nil {
		m.Store(k, v)
	}
}

func Take(k string) {
	if x, ok := m.LoadAndDelete(k); ok {
		note(x.(*item))
	}
}
`
	got := sequences(t, 0, types, "\nfunc Move(k string) {\n\tx, ok := m.Load(k)\n\tif !ok {\n\t\treturn\n\t}\n\tv := x.(*item)\n"+
		ways.String()+"\tm.Delete(k)\n}\n")
	assert.Equal(t, absint.Violation.String(), got["Move"])
}

// TestToldBesideWhatWasGiven: a number that was found and is passed on is told, unless it is nothing; what the call was given
// itself, and passes on beside it, is not.
func TestToldBesideWhatWasGiven(t *testing.T) {
	got := verdicts(New(programs(t, `package counters

import "sync/atomic"

func Kept(name string, v *uint32, send func(string, float64, uint32)) {
	n := atomic.LoadUint32(v)
	atomic.CompareAndSwapUint32(v, n, 0)
	send(name, float64(n), n)
}

func Lost(name string, v *uint32, send func(string, float64, uint32)) {
	n := atomic.LoadUint32(v)
	atomic.StoreUint32(v, 0)
	send(name, float64(n), n)
}
`), Options{Env: config.EnvOpen}, nil))
	assert.Equal(t, absint.Verified.String(), got["Kept"], got)
	assert.Equal(t, absint.Violation.String(), got["Lost"], got)
}
