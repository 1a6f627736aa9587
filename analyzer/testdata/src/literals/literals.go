// Package literals proves that a map which is a variable of a function is memory
// like a field, if its literals use it under a lock which is one as well. The
// negatives look and write in one section, or have a lock that no other literal has.
package literals

import (
	"fmt"
	"net/http"
	"sync"
)

// tally is changed by all who have got it.
type tally struct {
	mu sync.Mutex
	n  int
}

func (t *tally) add() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	return t.n
}

// Serve lets the lock go before it stores what it has made: two requests count
// apart.
func Serve() http.Handler {
	var mu sync.Mutex
	tallies := map[string]*tally{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		t := tallies[r.Host]
		mu.Unlock()
		if t == nil {
			t = new(tally)
			mu.Lock()
			tallies[r.Host] = t // want "lost-update"
			mu.Unlock()
		}
		fmt.Fprintln(w, t.add())
	})
}

// ServeLocked holds the lock over both.
func ServeLocked() http.Handler {
	var mu sync.Mutex
	tallies := map[string]*tally{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		t := tallies[r.Host]
		if t == nil {
			t = new(tally)
			tallies[r.Host] = t
		}
		mu.Unlock()
		fmt.Fprintln(w, t.add())
	})
}

// ServeChecked looks again before it stores.
func ServeChecked() http.Handler {
	mu, tallies := new(sync.Mutex), map[string]*tally{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		t := tallies[r.Host]
		mu.Unlock()
		if t == nil {
			mu.Lock()
			if t = tallies[r.Host]; t == nil {
				t = new(tally)
				tallies[r.Host] = t
			}
			mu.Unlock()
		}
		fmt.Fprintln(w, t.add())
	})
}

// Visit is done when all goroutines are: two of them count for one host.
func Visit(pages []string, host func(string) string, kind string) map[string]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	counts := make(map[string]int)
	for _, page := range pages {
		wg.Add(1)
		go func() {
			defer wg.Done()
			h := host(page)
			mu.Lock()
			n := counts[kind]
			mu.Unlock()
			if h == "" {
				return
			}
			mu.Lock()
			counts[kind] = n + 1 // want "lost-update"
			mu.Unlock()
		}()
	}
	wg.Wait()
	return counts
}

// VisitLocked counts in one section.
func VisitLocked(pages []string, host func(string) string, kind string) map[string]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	counts := make(map[string]int)
	for _, page := range pages {
		wg.Add(1)
		go func() {
			defer wg.Done()
			h, unlock := host(page), mu.Unlock
			mu.Lock()
			defer unlock()
			if n := counts[kind]; h != "" {
				counts[kind] = n + 1
			}
		}()
	}
	wg.Wait()
	return counts
}
