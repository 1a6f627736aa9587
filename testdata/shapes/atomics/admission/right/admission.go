// Package gate lets so many requests in at once.
package gate

import (
	"net/http"
	"sync/atomic"
)

// Gate stands before a handler.
type Gate struct {
	inside atomic.Int64
	most   int64
	next   http.Handler
}

// New lets most requests in.
func New(most int64, next http.Handler) *Gate { return &Gate{most: most, next: next} }

// ServeHTTP tells who does not get in.
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.inside.Add(1) > g.most {
		g.inside.Add(-1)
		http.Error(w, "full", http.StatusServiceUnavailable)
		return
	}
	defer g.inside.Add(-1)
	g.next.ServeHTTP(w, r)
}
