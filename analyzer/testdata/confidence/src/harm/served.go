package harm

import (
	"net/http"
	"sync"
)

// Pages keeps what was fetched.
type Pages struct {
	fetch func(string) []byte
	texts sync.Map
}

type page struct{ text []byte }

func (p *Pages) text(name string) ([]byte, bool) {
	v, ok := p.texts.Load(name)
	if !ok {
		return nil, false
	}
	return v.(*page).text, true
}

func (p *Pages) keep(name string, text []byte) { p.texts.LoadOrStore(name, &page{text}) }

// MediumServe answers with what it has fetched, or with what another one has: the page in either case.
func (p *Pages) MediumServe(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path
	if text, ok := p.text(name); ok {
		w.Write(text)
		return
	}
	text := p.fetch(name)
	p.keep(name, text)
	w.Write(text)
}

// MediumShow shows the page, or has the client ask again for what it has just fetched: nobody is refused.
func (p *Pages) MediumShow(w http.ResponseWriter, r *http.Request) {
	text, ok := p.text(r.URL.Path)
	if !ok {
		p.keep(r.URL.Path, p.fetch(r.URL.Path))
		http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		return
	}
	w.WriteHeader(http.StatusOK)
	w.Header().Set("Content-Type", "text/plain")
	w.Write(text)
}

// Desk lets one in.
type Desk struct {
	mu  sync.Mutex
	who string
}

func (d *Desk) taken() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.who != ""
}

func (d *Desk) take(who string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.who = who
}

// HighAsk tells two that they are in, of which one should be told that he is not.
func (d *Desk) HighAsk(w http.ResponseWriter, r *http.Request) {
	if d.taken() {
		w.Write([]byte("somebody is there"))
		return
	}
	d.take(r.URL.Path)
	w.Write([]byte("come in"))
}
