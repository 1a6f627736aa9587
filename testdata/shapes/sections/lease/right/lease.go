// Package lease gives the work to one node at a time, as long as it renews its claim.
package lease

import (
	"net/http"
	"sync"
	"time"
)

// Lease is held by a node until it runs out.
type Lease struct {
	mu     sync.RWMutex
	holder string
	until  time.Time
}

func (l *Lease) free(now time.Time) bool { return l.holder == "" || now.After(l.until) }

// Claim makes node the holder if there is none.
func (l *Lease) Claim(node string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.free(now) {
		return false
	}
	l.holder = node
	l.until = now.Add(time.Minute)
	return true
}

// ServeHTTP answers who asks for it.
func (l *Lease) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !l.Claim(r.FormValue("node"), time.Now()) {
		w.WriteHeader(http.StatusConflict)
	}
}
