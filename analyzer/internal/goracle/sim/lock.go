package sim

import "fmt"

// Lock is what a lock and a read-write lock are: who holds it.
type Lock struct {
	writing bool
	readers int
	// by are the calls, by their goroutines, that hold it, and how often.
	by map[*threads]int
}

// Acquire takes the lock, or ends the run: who would have to wait comes at another time, or never.
// Goroutines of one call wait for each other.
func (l *Lock) Acquire(reads bool) {
	Before()
	for l.writing || l.readers > 0 && !reads {
		cur.endless = cur.endless || cur.threads == nil || len(l.by) > 1 || l.by[cur.threads] == 0
		if cur.threads == nil {
			panic(endless{})
		}
		Before()
	}
	if l.by == nil {
		l.by = map[*threads]int{}
	}
	l.by[cur.threads]++
	cur.touchContents()
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
	cur.touchContents()
	switch {
	case reads && l.readers > 0:
		l.readers--
	case !reads && l.writing:
		l.writing = false
	default:
		panic(fmt.Sprintf("unlock of unlocked lock: %+v", *l))
	}
	if l.by[cur.threads]--; l.by[cur.threads] <= 0 {
		delete(l.by, cur.threads)
	}
}
