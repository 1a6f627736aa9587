package harm

import (
	"net/http"
	"sync"
	"sync/atomic"
)

// Relays share one stream of a name.
type Relays struct {
	open  func(name string, quit chan struct{})
	named sync.Map
}

type relay struct {
	users atomic.Int32
	sent  int
	quit  chan struct{}
}

func (r *relay) keep() bool {
	for {
		n := r.users.Load()
		if n == 0 {
			return false
		}
		if r.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (r *relay) leave() {
	if r.users.Add(-1) == 0 {
		close(r.quit)
	}
}

// MediumAttach takes the relay that is there, or takes away what has ended and offers its own again: who is told that
// there is one drops his own.
func (rs *Relays) MediumAttach(name string) *relay {
	fresh := &relay{quit: make(chan struct{})}
	fresh.users.Store(1)
	for {
		v, taken := rs.named.LoadOrStore(name, fresh)
		if !taken {
			go rs.open(name, fresh.quit)
			return fresh
		}
		if r := v.(*relay); r.keep() {
			return r
		}
		rs.named.CompareAndDelete(name, v)
	}
}

func (rs *Relays) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := rs.MediumAttach(r.URL.Path)
	defer f.leave()
	w.Write([]byte("attached"))
}

// Lines are relays of which everybody has one.
type Lines struct {
	open  func(name string, quit chan struct{})
	named sync.Map
}

// HighAttach works with its own although it is told that there is one.
func (ls *Lines) HighAttach(name string) *relay {
	fresh := &relay{quit: make(chan struct{})}
	fresh.users.Store(1)
	for {
		v, taken := ls.named.LoadOrStore(name, fresh)
		if !taken {
			go ls.open(name, fresh.quit)
			return fresh
		}
		if r := v.(*relay); r.keep() {
			fresh.sent++
			return fresh
		}
		ls.named.CompareAndDelete(name, v)
	}
}

func (ls *Lines) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := ls.HighAttach(r.URL.Path)
	defer f.leave()
	w.Write([]byte("attached"))
}
