// Package uploads takes each upload once.
package uploads

import (
	"net/http"
	"sync"
)

type upload struct{ done chan struct{} }

type table struct {
	mu sync.RWMutex
	m  map[string]*upload
}

func (t *table) has(id string) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	_, ok := t.m[id]
	return ok
}

func (t *table) set(id string, u *upload) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[id] = u
}

func (t *table) add(id string, u *upload) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.m[id]; ok {
		return false
	}
	t.m[id] = u
	return true
}

func (t *table) remove(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.m, id)
}

// Server has the uploads that are under way.
type Server struct{ uploads *table }

func NewServer() *Server { return &Server{uploads: &table{m: map[string]*upload{}}} }

// Begin takes an upload, under the name that the client gives it.
func (s *Server) Begin(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	u := &upload{done: make(chan struct{})}
	if !s.uploads.add(id, u) {
		http.Error(w, "under way", http.StatusConflict)
		return
	}
	go s.store(u)
	w.WriteHeader(http.StatusAccepted)
}

func (s *Server) store(u *upload) { close(u.done) }

// End is called when all is there.
func (s *Server) End(w http.ResponseWriter, r *http.Request) { s.uploads.remove(r.FormValue("id")) }
