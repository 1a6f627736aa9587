package sim

import "fmt"

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
