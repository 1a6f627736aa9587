// Package profile takes profiles, one at a time.
package profile

import (
	"errors"
	"net/http"
	"sync/atomic"
)

var errBusy = errors.New("a profile is being taken")

// Taker takes them.
type Taker struct {
	busy atomic.Int32
	take func() error
}

// ServeHTTP takes one.
func (t *Taker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := t.profile(); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
	}
}

func (t *Taker) profile() error {
	if t.busy.Load() > 0 {
		return errBusy
	}
	t.busy.Store(1)
	defer t.busy.Store(0)
	return t.take()
}
