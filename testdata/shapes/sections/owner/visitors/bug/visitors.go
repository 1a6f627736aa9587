// Package visitors slows down clients that ask too often.
package visitors

import (
	"net"
	"net/http"
	"sync"
	"time"
)

type bucket struct {
	mu     sync.Mutex
	tokens int
	filled time.Time
}

func (b *bucket) take(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d := int(now.Sub(b.filled) / time.Second); d > 0 {
		b.tokens = min(10, b.tokens+d)
		b.filled = now
	}
	if b.tokens == 0 {
		return false
	}
	b.tokens--
	return true
}

var (
	visitorsMu sync.Mutex
	visitors   = make(map[string]*bucket)
)

func lookup(ip string) *bucket {
	visitorsMu.Lock()
	defer visitorsMu.Unlock()
	return visitors[ip]
}

func remember(ip string) *bucket {
	b := &bucket{tokens: 10, filled: time.Now()}
	visitorsMu.Lock()
	visitors[ip] = b
	visitorsMu.Unlock()
	return b
}

func bucketFor(ip string) *bucket {
	if b := lookup(ip); b != nil {
		return b
	}
	return remember(ip)
}

// Limit lets each client through ten times, and once a second after that.
func Limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ip, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			http.Error(w, "bad address", http.StatusInternalServerError)
			return
		}
		if !bucketFor(ip).take(time.Now()) {
			http.Error(w, http.StatusText(http.StatusTooManyRequests), http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r)
	})
}
