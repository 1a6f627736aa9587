package sections

import "sync"

// Lender lends what it guards to functions, under its lock.
type Lender[T any] struct {
	mu sync.RWMutex
	v  T
}

func NewLender[T any](v T) *Lender[T] { return &Lender[T]{v: v} }

func (g *Lender[T]) With(f func(*T)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(&g.v)
}

func (g *Lender[T]) Read(f func(T)) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	f(g.v)
}

type worker struct {
	addr  string
	tasks chan string
}

// Workers are lent as a pointer to a map.
type Workers struct{ g *Lender[map[string]*worker] }

func NewWorkers() *Workers { return &Workers{NewLender(map[string]*worker{})} }

func (w *Workers) Torn(addr string) *worker {
	var found *worker
	w.g.With(func(m *map[string]*worker) { found = (*m)[addr] })
	if found == nil {
		found = &worker{addr: addr, tasks: make(chan string)}
		w.g.With(func(m *map[string]*worker) { (*m)[addr] = found }) // want "lost-update|duplicate-instance"
	}
	return found
}

func (w *Workers) Whole(addr string) *worker {
	var found *worker
	w.g.With(func(m *map[string]*worker) {
		if found = (*m)[addr]; found == nil {
			found = &worker{addr: addr, tasks: make(chan string)}
			(*m)[addr] = found
		}
	})
	return found
}

func (w *Workers) Leave(addr string) {
	w.g.With(func(m *map[string]*worker) { delete(*m, addr) })
}

// Lines are lent as a map, by another guard.
type lender struct {
	mu sync.RWMutex
	m  map[string]*worker
}

func (l *lender) read(f func(map[string]*worker)) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	f(l.m)
}

func (l *lender) write(f func(map[string]*worker)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(l.m)
}

type Lines struct{ l lender }

func NewLines() *Lines { return &Lines{lender{m: map[string]*worker{}}} }

func (l *Lines) Torn(addr string) *worker {
	var found *worker
	l.l.read(func(m map[string]*worker) { found = m[addr] })
	if found != nil {
		return found
	}
	found = &worker{addr: addr, tasks: make(chan string)}
	l.l.write(func(m map[string]*worker) { m[addr] = found }) // want "lost-update|duplicate-instance"
	return found
}

func (l *Lines) Looked(addr string) *worker {
	var found *worker
	l.l.read(func(m map[string]*worker) { found = m[addr] })
	if found != nil {
		return found
	}
	l.l.write(func(m map[string]*worker) {
		if found = m[addr]; found == nil {
			found = &worker{addr: addr, tasks: make(chan string)}
			m[addr] = found
		}
	})
	return found
}

func (l *Lines) Leave(addr string) {
	l.l.write(func(m map[string]*worker) { delete(m, addr) })
}

// LentTotal is lent as a pointer to a number.
type LentTotal struct{ g Lender[int] }

func (t *LentTotal) Torn(n int) {
	var had int
	t.g.With(func(v *int) { had = *v })
	t.g.With(func(v *int) { *v = had + n }) // want "lost-update"
}

func (t *LentTotal) Whole(n int) {
	t.g.With(func(v *int) { *v += n })
}

// keeper also gives the map away, to who knows whom: what is done to it is not seen.
type keeper struct {
	mu sync.Mutex
	m  map[string]*worker
	f  func(*map[string]*worker)
}

func (k *keeper) with(f func(*map[string]*worker)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f(&k.m)
}

func (k *keeper) kept() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.f(&k.m)
}

type Kept struct{ k keeper }

func NewKept(f func(*map[string]*worker)) *Kept {
	return &Kept{keeper{m: map[string]*worker{}, f: f}}
}

func (k *Kept) Run() { k.k.kept() }

func (k *Kept) Unknown(addr string) *worker {
	var found *worker
	k.k.with(func(m *map[string]*worker) { found = (*m)[addr] })
	if found == nil {
		found = &worker{addr: addr, tasks: make(chan string)}
		k.k.with(func(m *map[string]*worker) { (*m)[addr] = found })
	}
	return found
}
