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

// TestLimits: one more than there is room for is told of, and nothing is said of who counts where he puts it there as well, or asks
// something else there that has changed if anything has; of one key that only one can have; and under a lock over both.
func TestLimits(t *testing.T) {
	got := sequences(t, 0, `
type table struct {
	outer, mu sync.RWMutex
	m         map[string]int
	id        string
	max, ver  int
}

func (r *table) len() int { r.mu.RLock(); defer r.mu.RUnlock(); return len(r.m) }

func (r *table) put(k string) { r.mu.Lock(); defer r.mu.Unlock(); r.m[k] = 1; r.ver++ }

func (r *table) Drop(k string) { r.mu.Lock(); defer r.mu.Unlock(); delete(r.m, k); r.ver++ }
`, `
func (r *table) TooMany(k string) bool {
	if r.len() >= r.max {
		return false
	}
	r.put(k)
	return true
}

func (r *table) Again(k string) bool {
	if r.len() >= r.max {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.m) >= r.max {
		return false
	}
	r.m[k] = 1
	r.ver++
	return true
}

func (r *table) Version(k string) bool {
	for {
		r.mu.RLock()
		n, ver := len(r.m), r.ver
		r.mu.RUnlock()
		if n >= r.max {
			return false
		}
		r.mu.Lock()
		if r.ver == ver {
			r.m[k] = 1
			r.ver++
			r.mu.Unlock()
			return true
		}
		r.mu.Unlock()
	}
}

func (r *table) Under(k string) bool {
	r.outer.Lock()
	defer r.outer.Unlock()
	if r.len() >= r.max {
		return false
	}
	r.put(k)
	return true
}
`)
	assert.Equal(t, absint.Violation.String(), got["(*table).TooMany"], got)
	assert.NotEqual(t, absint.Violation.String(), got["(*table).Again"], got)
	assert.NotEqual(t, absint.Violation.String(), got["(*table).Version"], got)
	assert.NotContains(t, got, "(*table).Under")
	lead := sequences(t, 0, `
type table struct {
	mu sync.RWMutex
	m  map[string]int
	id string
}

func (r *table) len() int { r.mu.RLock(); defer r.mu.RUnlock(); return len(r.m) }
`, `
func (r *table) Lead() bool {
	if r.len() > 0 {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.m["leader"]; ok {
		return false
	}
	r.m["leader"] = 1
	return true
}

func (r *table) Leave() { r.mu.Lock(); defer r.mu.Unlock(); delete(r.m, "leader") }
`)
	assert.NotContains(t, lead, "(*table).Lead")
}

// TestReplaced: a struct that is replaced as a whole is one memory, also where a part of it is read; one of which a part is a map, that is
// changed in place, is none.
func TestReplaced(t *testing.T) {
	got := sequences(t, 0, `
type news struct {
	n  int
	of []string
}

type paper struct {
	mu  sync.RWMutex
	cur news
}

func (p *paper) number() int { p.mu.RLock(); defer p.mu.RUnlock(); return p.cur.n }

func (p *paper) put(s news) { p.mu.Lock(); defer p.mu.Unlock(); p.cur = s }

type names struct {
	n int
	m map[string]int
}

type book struct {
	mu  sync.RWMutex
	cur names
}

func (b *book) n() int { b.mu.RLock(); defer b.mu.RUnlock(); return b.cur.n }

func (b *book) Set(s names) { b.mu.Lock(); defer b.mu.Unlock(); b.cur = s }

func (b *book) drop(k string) { b.mu.Lock(); defer b.mu.Unlock(); delete(b.cur.m, k) }
`, `
func (p *paper) Print(of []string) int {
	n := p.number() + 1
	p.put(news{n: n, of: of})
	return n
}

func (b *book) Del(k string) {
	if b.n() > 0 {
		b.drop(k)
	}
}
`)
	assert.Equal(t, absint.Violation.String(), got["(*paper).Print"], got)
	assert.NotContains(t, got, "(*book).Del")
}

// TestReplacedLock: a lock that is reached through a pointer which somebody replaces is another one by then, and keeps nobody away; one that
// is only set where the object is made does.
func TestReplacedLock(t *testing.T) {
	const code = `
func (t *table) look(k string) bool { t.mu.Lock(); defer t.mu.Unlock(); _, ok := t.m[k]; return ok }

func (t *table) put(k string) { t.nu.Lock(); defer t.nu.Unlock(); t.n[k] = 1 }

func (t *table) Set(k string) { t.mu.Lock(); defer t.mu.Unlock(); t.m[k] = 1 }

func (t *table) Add(k string) {
	t.o.Lock()
	defer t.o.Unlock()
	if t.look(k) {
		t.put(k)
	}
}

func (t *table) Remove(k string) {
	t.o.Lock()
	defer t.o.Unlock()
	t.mu.Lock()
	t.nu.Lock()
	delete(t.m, k)
	delete(t.n, k)
	t.nu.Unlock()
	t.mu.Unlock()
}
`
	const types = `
type table struct {
	mu, nu sync.Mutex
	m, n   map[string]int
	o      *sync.Mutex
}

func newTable(o *sync.Mutex) *table { return &table{m: map[string]int{}, n: map[string]int{}, o: o} }
`
	assert.Equal(t, absint.Verified.String(), sequences(t, 0, types, code)["(*table).Add"])
	swaps := sequences(t, 0, types, code, "\nfunc (t *table) Swap(o *sync.Mutex) { t.o = o }\n")
	assert.Equal(t, absint.Violation.String(), swaps["(*table).Add"])
}
