// Package token hands out the place of a single visitor, who has to come back in time.
package token

import (
	"errors"
	"net/http"
	"sync"
	"time"
)

// ErrTaken says that somebody else has it.
var ErrTaken = errors.New("the place is taken")

var (
	mu      sync.Mutex
	visitor string
	expires time.Time
)

// Enter gives the place to name, unless somebody has it who is not late.
func Enter(name string) error {
	mu.Lock()
	defer mu.Unlock()
	if visitor != "" && time.Now().Before(expires) {
		return ErrTaken
	}
	visitor, expires = name, time.Now().Add(time.Hour)
	return nil
}

// Handler answers who wants to come in.
func Handler(w http.ResponseWriter, r *http.Request) {
	if err := Enter(r.FormValue("name")); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
	}
}
