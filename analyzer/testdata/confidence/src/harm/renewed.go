package harm

import (
	"net/http"
	"sync"
)

// Window lets each id in once, until its time is over.
type Window struct{ seen sync.Map }

func (w *Window) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	for id := range r.Header {
		w.First(received(id), r.ContentLength)
	}
	w.HighSweep(r.ContentLength)
}

// received is where an id is from.
func received(id string) string { ids <- id; return <-ids }

var ids = make(chan string, 1)

func (w *Window) First(id string, until int64) bool {
	v, known := w.seen.LoadOrStore(id, until)
	if !known {
		return true
	}
	if v.(int64) >= 0 || !w.seen.CompareAndSwap(id, v, until) {
		return false
	}
	return true
}

// HighSweep takes away what somebody has been told that he has again.
func (w *Window) HighSweep(now int64) {
	w.seen.Range(func(id, until any) bool {
		if until.(int64) < now {
			w.seen.Delete(id)
		}
		return true
	})
}

// Times are when something was seen.
type Times struct{ seen sync.Map }

func (t *Times) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	for id := range r.Header {
		t.Note(received(id), r.ContentLength)
	}
	t.MediumSweep(r.ContentLength)
}

// Note tells nobody anything.
func (t *Times) Note(id string, now int64) {
	if v, known := t.seen.LoadOrStore(id, now); known {
		t.seen.CompareAndSwap(id, v, now)
	}
}

func (t *Times) MediumSweep(before int64) {
	t.seen.Range(func(id, at any) bool {
		if at.(int64) < before {
			t.seen.Delete(id)
		}
		return true
	})
}

// Halls are opened by a function that is too long to be a part of this.
type Halls struct{ open, shared sync.Map }

type hall struct {
	name              string
	in, out, on, shut chan string
	said              []string
}

var common = &hall{name: "common"}

func openHall(name string, room int) *hall {
	h := &hall{
		name: name,
		in:   make(chan string, room),
		out:  make(chan string),
		on:   make(chan string),
		shut: make(chan string),
	}
	go h.run()
	return h
}

func (h *hall) run() {
	for {
		select {
		case s := <-h.in:
			h.said = append(h.said, s)
		case s := <-h.out:
			h.said = append(h.said, s)
		case s := <-h.on:
			for range h.said {
				h.said = append(h.said, s)
			}
		case <-h.shut:
			return
		}
	}
}

func findHall(name string) *hall {
	for _, s := range common.said {
		if s == name {
			defer println(s)
		}
	}
	return common
}

func (h *Halls) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.HighOpen(r.Host).in <- r.Host
	h.MediumFind(r.Host).in <- r.Host
}

// HighOpen opens two, of which one is lost.
func (h *Halls) HighOpen(name string) *hall {
	if v, ok := h.open.Load(name); ok {
		return v.(*hall)
	}
	n := openHall(name, 8)
	h.open.Store(name, n)
	return n
}

// MediumFind finds the same one.
func (h *Halls) MediumFind(name string) *hall {
	if v, ok := h.shared.Load(name); ok {
		return v.(*hall)
	}
	n := findHall(name)
	h.shared.Store(name, n)
	return n
}
