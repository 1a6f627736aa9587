package sim

import "fmt"

// Plain is a built-in map as a cell. What guards it, which may be nil, makes the steps: nobody
// looks at the map while that is held.
func Plain[V any](m *map[string]V, guard interface{ SimHeld() bool }) MapCell {
	return plain[V]{m, guard}
}

type plain[V any] struct {
	m     *map[string]V
	guard interface{ SimHeld() bool }
}

// SimHeld reports whether a lock keeps others away.
func (p plain[V]) SimHeld() bool { return p.guard != nil && p.guard.SimHeld() }

func (p plain[V]) SimGet(key any) (any, bool) {
	v, ok := (*p.m)[key.(string)]
	if !ok {
		return nil, false
	}
	return v, true
}

func (p plain[V]) SimPut(key, value any) { (*p.m)[key.(string)] = As[V](value) }
func (p plain[V]) SimDrop(key any)       { delete(*p.m, key.(string)) }

func (p plain[V]) SimKeys() (keys []any) {
	for k := range *p.m {
		keys = append(keys, k)
	}
	return keys
}

// Lock is what a lock and a read-write lock are: who holds it.
type Lock struct {
	writing bool
	readers int
}

// Acquire takes the lock, or ends the run: who would have to wait comes at another time, or never.
// Goroutines of one call wait for each other.
func (l *Lock) Acquire(reads bool) {
	Before()
	for l.writing || l.readers > 0 && !reads {
		if cur.threads == nil {
			cur.endless = true
			panic(endless{})
		}
		Before()
	}
	if reads {
		l.readers++
		return
	}
	l.writing = true
}

// Held reports whether somebody changes what the lock guards.
func (l *Lock) Held() bool { return l.writing }

// Release lets it go.
func (l *Lock) Release(reads bool) {
	switch {
	case reads && l.readers > 0:
		l.readers--
	case !reads && l.writing:
		l.writing = false
	default:
		panic(fmt.Sprintf("unlock of unlocked lock: %+v", *l))
	}
}
