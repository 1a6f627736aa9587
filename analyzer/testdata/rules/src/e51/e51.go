// Package e51: the key is an object that is made for each request.
package e51

import (
	"net/http"
	"sync"
)

type Flow struct{ path string }

func newFlow(path string) *Flow { return &Flow{path: path} }

type Tracker struct {
	mu                   sync.Mutex
	own, shared, started map[*Flow]int
	flows                map[string]*Flow
	told                 func(*Flow, int)
}

func New(told func(*Flow, int)) *Tracker {
	return &Tracker{own: map[*Flow]int{}, shared: map[*Flow]int{}, started: map[*Flow]int{}, flows: map[string]*Flow{}, told: told}
}

// ServeHTTP has a flow of its own, one that all requests of a host have, and one that it has
// somebody else go on with.
func (t *Tracker) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	f := newFlow(r.URL.Path)
	t.Hidden(f, 1)
	t.Hidden(f, 2)
	of := t.of(r.URL.Host)
	t.Shown(of, 1)
	t.Shown(of, 2)
	beside := newFlow(r.URL.Path)
	go t.ShownBeside(beside, 1)
	t.ShownBeside(beside, 2)
}

func (t *Tracker) of(host string) *Flow {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.flows[host] == nil {
		t.flows[host] = newFlow(host)
	}
	return t.flows[host]
}

func (t *Tracker) Hidden(f *Flow, to int) {
	t.mu.Lock()
	at := t.own[f]
	t.mu.Unlock()
	if at >= to {
		return
	}
	t.told(f, to)
	t.mu.Lock()
	t.own[f] = to
	t.mu.Unlock()
}

func (t *Tracker) Shown(f *Flow, to int) {
	t.mu.Lock()
	at := t.shared[f]
	t.mu.Unlock()
	if at >= to {
		return
	}
	t.told(f, to)
	t.mu.Lock()
	t.shared[f] = to
	t.mu.Unlock()
}

func (t *Tracker) ShownBeside(f *Flow, to int) {
	t.mu.Lock()
	at := t.started[f]
	t.mu.Unlock()
	if at >= to {
		return
	}
	t.told(f, to)
	t.mu.Lock()
	t.started[f] = to
	t.mu.Unlock()
}
