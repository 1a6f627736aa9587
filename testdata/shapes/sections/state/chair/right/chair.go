// Package chair has one speaker at a time.
package chair

import (
	"net/http"
	"sync"
)

var (
	mu      sync.RWMutex
	speaker string
)

func speaking() string {
	mu.RLock()
	defer mu.RUnlock()
	return speaker
}

func speaks(name string) {
	mu.Lock()
	speaker = name
	mu.Unlock()
}

func tries(name string) bool {
	mu.Lock()
	defer mu.Unlock()
	if speaker != "" {
		return false
	}
	speaker = name
	return true
}

// Ask gives the floor to who asks for it, if nobody has it.
func Ask(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	if !tries(name) {
		http.Error(w, "somebody speaks", http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// Done takes it back.
func Done(http.ResponseWriter, *http.Request) { speaks("") }
