// Package replays takes each number of a request once.
package replays

import (
	"net/http"
	"sync"
	"time"
)

// Guard knows the numbers that were used.
type Guard struct{ used sync.Map }

func (g *Guard) isNew(number string) bool {
	if _, ok := g.used.Load(number); ok {
		return false
	}
	g.used.Store(number, time.Now())
	return true
}

// Wrap lets requests through that are not sent again.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.isNew(r.Header.Get("X-Number")) {
			http.Error(w, "sent again", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
