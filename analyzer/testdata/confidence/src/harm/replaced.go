package harm

import (
	"maps"
	"net/http"
	"sync/atomic"
)

type backends map[string]chan string

// Router has a table that is replaced by a changed copy.
type Router struct{ table atomic.Pointer[backends] }

func NewRouter() *Router {
	r := &Router{}
	r.table.Store(&backends{})
	return r
}

func (r *Router) To(host string) chan string { return (*r.table.Load())[host] }

// HighRoute loses what another call has added to the table meanwhile.
func (r *Router) HighRoute(_ http.ResponseWriter, req *http.Request) {
	next := maps.Clone(*r.table.Load())
	next[req.Host] = make(chan string)
	r.table.Store(&next)
}

// Balancer has a table that is replaced by another one.
type Balancer struct{ table atomic.Pointer[backends] }

func NewBalancer() *Balancer {
	b := &Balancer{}
	b.table.Store(&backends{})
	return b
}

func (b *Balancer) To(host string) chan string { return (*b.table.Load())[host] }

// MediumReset tells whether there was something; what it stores has none of that in it.
func (b *Balancer) MediumReset(w http.ResponseWriter, req *http.Request) {
	some := len(*b.table.Load()) > 0
	next := backends{}
	next[req.Host] = make(chan string)
	b.table.Store(&next)
	if some {
		w.WriteHeader(http.StatusAccepted)
	}
}
