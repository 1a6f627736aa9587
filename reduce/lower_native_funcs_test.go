package reduce

import (
	"sync"
	"sync/atomic"
)

// The functions in this file are run twice by TestLowerNative: as Go, and as
// programs by the interpreter. They may use the keys a, b and pair{a, b} of m.

type pair struct{ x, y int }

type nativeFunc func(m *sync.Map, n *atomic.Int64, a, b int) int

var nativeFuncs = map[string]nativeFunc{
	"nativeGetOrCreate": nativeGetOrCreate, "nativeCounter": nativeCounter, "nativeClosure": nativeClosure,
	"nativeNamed": nativeNamed, "nativeDefers": nativeDefers, "nativeStruct": nativeStruct,
	"nativeLoop": nativeLoop, "nativeSwitch": nativeSwitch, "nativeGeneric": nativeGeneric,
	"nativeCallback": nativeCallback, "nativeIterator": nativeIterator, "nativeNested": nativeNested,
	"nativeSwap": nativeSwap, "nativeArray": nativeArray, "nativeAssert": nativeAssert,
	"nativeMethods": nativeMethods, "nativeCAS": nativeCAS, "nativeEarly": nativeEarly,
	"nativeGoto": nativeGoto, "nativeShadow": nativeShadow, "nativeInner": nativeInner,
	"nativeReturned": nativeReturned,
}

func nativeGetOrCreate(m *sync.Map, n *atomic.Int64, a, b int) int {
	if v, ok := m.Load(a); ok {
		return v.(int)
	}
	actual, loaded := m.LoadOrStore(a, b)
	if loaded {
		return -1
	}
	return actual.(int) + 1
}

func nativeCounter(m *sync.Map, n *atomic.Int64, a, b int) int {
	if n.Load() >= int64(a) {
		n.Store(0)
	}
	if n.Add(int64(b)) > 5 {
		return int(n.Swap(-1))
	}
	return int(n.Load())
}

func nativeClosure(m *sync.Map, n *atomic.Int64, a, b int) (sum int) {
	add := func(k int) bool {
		v, ok := m.Load(k)
		if ok {
			sum += v.(int)
		}
		a++
		return ok
	}
	old := a
	if add(b) {
		m.Delete(b)
	}
	return sum*100 + a - old
}

func nativeNamed(m *sync.Map, n *atomic.Int64, a, b int) (v int) {
	defer func() {
		if v > 1 {
			m.Delete(a)
			v = -v
		}
	}()
	if x, ok := m.Load(a); ok {
		return x.(int)
	}
	v = b
	return v - 1
}

func nativeDefers(m *sync.Map, n *atomic.Int64, a, b int) int {
	s := 0
	defer m.Store(a, b)
	if a > b {
		k := a
		defer m.Delete(k)
	}
	defer func() { s++; m.Store(a, s) }()
	if _, ok := m.Load(a); ok {
		s = 10
		return s
	}
	s = 20
	return s + 1
}

func nativeStruct(m *sync.Map, n *atomic.Int64, a, b int) int {
	k := pair{}
	k.x, k.y = b, a
	k = pair{k.y, k.x}
	get := func() (any, bool) { return m.Load(k) }
	if v, ok := get(); ok {
		m.Delete(pair{y: b, x: a})
		return v.(int)
	}
	m.Store(k, k.x-k.y)
	return k.y
}

func nativeLoop(m *sync.Map, n *atomic.Int64, a, b int) int {
	sum := 0
	for i := 0; i < 4; i++ {
		if i == 2 {
			continue
		}
		v, ok := m.Load(a)
		if !ok {
			m.Store(a, i)
			break
		}
		sum += v.(int)
		if sum > 6 {
			m.Delete(a)
		}
	}
	return sum
}

func nativeSwitch(m *sync.Map, n *atomic.Int64, a, b int) int {
	v, _ := m.Load(a)
	switch x := v.(type) {
	case int:
		switch {
		case x > 3:
			m.Store(a, x-1)
			fallthrough
		case x == 2:
			return 1
		}
	case nil:
		m.Store(a, b)
		return 2
	}
	return 3
}

type nativeMap[K comparable, V any] struct{ m *sync.Map }

func (m nativeMap[K, V]) load(k K) (V, bool) {
	v, ok := m.m.Load(k)
	if !ok {
		var zero V
		return zero, false
	}
	return v.(V), true
}

func (m *nativeMap[K, V]) swap(k K, v V) (old V) {
	old, _ = m.load(k)
	m.m.Store(k, v)
	return
}

func nativeGeneric(m *sync.Map, n *atomic.Int64, a, b int) int {
	g := nativeMap[int, int]{m}
	x := g.swap(a, b)
	y, ok := g.load(b)
	if !ok && y == 0 {
		x += 10
	}
	return x*2 - y
}

func nativeApply(k int, f func(int) int) int { return f(k) + f(k) }

func nativeCallback(m *sync.Map, n *atomic.Int64, a, b int) int {
	calls := 0
	sum := nativeApply(b, func(d int) int {
		calls++
		v, ok := m.LoadOrStore(a, d)
		if ok {
			return v.(int)
		}
		return calls
	})
	return sum*10 + calls
}

func nativeSeq(limit int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < limit; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func nativeIterator(m *sync.Map, n *atomic.Int64, a, b int) int {
	sum := 0
	for i := range nativeSeq(5) {
		if i == 1 {
			continue
		}
		if v, ok := m.Load(a); ok && v.(int) < i {
			m.Delete(a)
			return 100 + sum
		}
		if i == 4 {
			break
		}
		sum += i
	}
	return sum
}

func nativeNested(m *sync.Map, n *atomic.Int64, a, b int) int {
	total := 0
	func() {
		inner := func(k int) {
			func() {
				if _, ok := m.Load(k); ok {
					total += k
				}
			}()
		}
		inner(a)
		total *= 2
		inner(b)
	}()
	return total
}

func nativeSwap(m *sync.Map, n *atomic.Int64, a, b int) int {
	x, y, z := 1, 2, 3
	v, _ := m.Load(a)
	for i := 0; v != nil && i < v.(int); i++ {
		x, y, z = y, z, x
	}
	return x*100 + y*10 + z
}

func nativeArray(m *sync.Map, n *atomic.Int64, a, b int) int {
	var p struct {
		in  pair
		out pair
	}
	p.in = pair{a, b}
	p.out.y = p.in.x
	p.in, p.out = p.out, p.in
	f := func() { p.in.x = p.out.x - p.out.y }
	f()
	q := &p.out
	return p.in.x*100 + p.in.y*10 + q.y
}

func nativeAssert(m *sync.Map, n *atomic.Int64, a, b int) int {
	v, _ := m.Load(a)
	x, ok := v.(int)
	if !ok {
		return x - 1
	}
	return x
}

type nativeCounters struct {
	m    *sync.Map
	step int
}

func (c nativeCounters) get(k int) int {
	v, ok := c.m.Load(k)
	if !ok {
		return c.step
	}
	return v.(int)
}

func (c *nativeCounters) bump(k int) { c.m.Store(k, c.get(k)+c.step) }

func nativeMethods(m *sync.Map, n *atomic.Int64, a, b int) int {
	c := nativeCounters{m: m, step: 2}
	f, g := c.get, (*nativeCounters).bump
	g(&c, a)
	return f(a) + nativeCounters.get(c, b)
}

func nativeCAS(m *sync.Map, n *atomic.Int64, a, b int) int {
	v, ok := m.Load(a)
	if !ok {
		return 0
	}
	if !m.CompareAndSwap(a, v, b) || m.CompareAndSwap(a, -1, 0) {
		return 1
	}
	if n.CompareAndSwap(2, 7) {
		m.CompareAndDelete(a, b)
	}
	old, _ := m.Swap(b, v)
	if old == nil {
		m.LoadAndDelete(b)
		return 2
	}
	return 3
}

func nativeEarly(m *sync.Map, n *atomic.Int64, a, b int) int {
	var v any
	var ok bool
	if v, ok = m.Load(a); !ok {
		if v, ok = m.LoadAndDelete(b); !ok {
			return -1
		}
	}
	x := v
	if a > b && x == v {
		return v.(int)
	}
	return -v.(int)
}

func nativeGoto(m *sync.Map, n *atomic.Int64, a, b int) int {
	tries := 0
again:
	tries++
	if v, ok := m.Load(a); ok && tries < 3 {
		if v.(int) > 2 {
			m.Store(a, v.(int)-1)
			goto again
		}
		goto done
	}
	m.Store(a, b)
done:
	return tries
}

func nativeShadow(m *sync.Map, n *atomic.Int64, a, b int) (res int) {
	for i := range 2 {
		k := i
		set := func() { res += k + 1 }
		if v, ok := m.Load(a); ok && v.(int) > k {
			defer set()
			return k
		}
	}
	return 9
}

func nativeInner(m *sync.Map, n *atomic.Int64, a, b int) int {
	visit := func(f func(int) bool) {
		if v, ok := m.Load(a); ok && !f(v.(int)) {
			return
		}
		f(b)
	}
	last := 0
	for v := range visit {
		last = last*10 + v
		if v > 3 {
			break
		}
	}
	return last
}

func nativeMaker(step int) (func() int, func()) {
	return func() int { return step * 2 }, func() {}
}

func nativeReturned(m *sync.Map, n *atomic.Int64, a, b int) int {
	double, done := nativeMaker(b)
	defer done()
	m.Store(a, double())
	return double() + 1
}
