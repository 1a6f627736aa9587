package goracle

// section makes a critical section on a map that a lock guards. Where the whole function holds
// the lock, it is a part of that one.
func (g *generator) section(f *field, look bool) {
	if g.held {
		g.under(f, look)
		return
	}
	mode := ""
	if look {
		mode = pick(g, "", "R")
	}
	if g.chance(10) {
		g.deferring(f, look, mode)
		return
	}
	g.line("s.mu.%sLock()", mode)
	g.under(f, look)
	g.line("s.mu.%sUnlock()", mode)
}

// deferring is a section in a function literal that ends with it.
func (g *generator) deferring(f *field, look bool, mode string) {
	defer g.literal()()
	g.line("func() {")
	g.block(func() {
		g.line("s.mu.%sLock()", mode)
		g.line("defer s.mu.%sUnlock()", mode)
		g.under(f, look)
	})
	g.line("}()")
}

// under is what is done while the lock is held.
func (g *generator) under(f *field, look bool) {
	if look {
		g.load(f)
		return
	}
	for range 1 + g.r.IntN(3) {
		switch n := g.r.IntN(100); {
		case n < 25:
			g.load(f)
		case n < 45:
			g.changeEntry(f)
		case n < 75:
			g.line("if %s {", g.condition())
			g.block(func() { g.changeEntry(f); g.leave() })
			g.line("}")
		case n < 85 && g.has(Whole):
			g.wholeSection(f)
		case n < 92 && len(g.fields) > 1 && !g.fields[1].guarded():
			g.bind(g.callOn(&g.fields[1]), &g.fields[1])
		default:
			g.absent(f)
		}
	}
}

// leave returns, perhaps, from within a section.
func (g *generator) leave() {
	if g.plain || !g.chance(30) {
		return
	}
	if !g.held {
		g.line("s.mu.Unlock()")
	}
	g.line("return %s", g.resultList())
}

// changeEntry changes one entry.
func (g *generator) changeEntry(f *field) {
	key := g.key()
	switch {
	case g.chance(25):
		g.line("delete(s.%s, %s)", f.name, key)
	case isInteger(f.elem) && g.chance(30):
		g.line("s.%s[%s]%s", f.name, key, pick(g, "++", "--", " += 2"))
	default:
		g.line("s.%s[%s] = %s", f.name, key, g.stored(f))
	}
}

// absent looks whether there is an entry, and puts one there or takes it away.
func (g *generator) absent(f *field) {
	key := g.key()
	g.line("if _, ok := s.%s[%s]; %sok {", f.name, key, pick(g, "!", "!", ""))
	g.block(func() { g.changeEntry(f); g.leave() })
	g.line("}")
}

// wholeSection makes an operation on all of a map.
func (g *generator) wholeSection(f *field) {
	switch g.r.IntN(4) {
	case 0:
		g.line("clear(s.%s)", f.name)
	case 1, 2:
		g.line("if len(s.%s) %s {", f.name, pick(g, "> 0", "== 0", "< 2"))
		g.block(func() { g.changeEntry(f); g.leave() })
		g.line("}")
	default:
		g.line("for key, v := range s.%s {", f.name)
		g.line("\tif v == (%s) {", g.stored(f))
		g.line("\t\tdelete(s.%s, key)", f.name)
		g.line("\t}")
		g.line("}")
	}
}

// holding has the whole function hold the lock, perhaps.
func (g *generator) holding() {
	if len(g.fields) < 2 || !g.fields[0].guarded() || !g.chance(20) {
		return
	}
	g.held = true
	g.line("s.mu.Lock()")
	g.line("defer s.mu.Unlock()")
}

// guardedStore is a map and its lock in a type of its own.
const guardedStore = `type Ustore[V comparable] struct {
	mu sync.RWMutex
	m  map[string]V
}

func (w *Ustore[V]) Load(k string) (V, bool) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	v, ok := w.m[k]
	return v, ok
}

func (w *Ustore[V]) Store(k string, v V) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.m[k] = v
}

func (w *Ustore[V]) Delete(k string) {
	w.mu.Lock()
	delete(w.m, k)
	w.mu.Unlock()
}

func (w *Ustore[V]) LoadOrStore(k string, v V) (V, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if old, ok := w.m[k]; ok {
		return old, true
	}
	w.m[k] = v
	return v, false
}

func (w *Ustore[V]) LoadAndDelete(k string) (V, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	v, ok := w.m[k]
	if ok {
		delete(w.m, k)
	}
	return v, ok
}

func (w *Ustore[V]) CompareAndSwap(k string, old, new V) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if v, ok := w.m[k]; !ok || v != old {
		return false
	}
	w.m[k] = new
	return true
}

func (w *Ustore[V]) CompareAndDelete(k string, old V) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	v, ok := w.m[k]
	if ok && v == old {
		delete(w.m, k)
		return true
	}
	return false
}
`
