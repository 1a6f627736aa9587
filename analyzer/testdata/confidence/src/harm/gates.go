package harm

import (
	"net/http"
	"sync/atomic"
)

// admission says what a request may do.
type admission int

const (
	refused admission = iota
	normal
	probe
)

// Wicket lets one request probe at a time, once it is shut.
type Wicket struct{ state atomic.Int64 }

func (g *Wicket) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	if t := g.HighEnter(); t != refused {
		defer g.leave(t, r.ContentLength)
	}
}

// HighEnter lets in two that both probe.
func (g *Wicket) HighEnter() admission {
	switch g.state.Load() {
	case 0:
		return normal
	case 2:
		return refused
	}
	g.state.Store(2)
	return probe
}

func (g *Wicket) leave(t admission, size int64) {
	if t == probe {
		g.state.Store(size & 1)
	} else if size < 0 {
		g.state.CompareAndSwap(0, 1)
	}
}

// LastSeen says what it last saw: its numbers are no answers.
type LastSeen struct{ last atomic.Int64 }

func (m *LastSeen) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	seenLevels <- m.MediumLevel(r.ContentLength)
}

var seenLevels = make(chan int, 1)

func (m *LastSeen) MediumLevel(size int64) int {
	if m.last.Load() == size {
		return 0
	}
	m.last.Store(size)
	return 2
}
