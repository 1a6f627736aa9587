package harm

import (
	"sync"
	"time"
)

// Guests are told to wait for their names to be put on the list, and who was not is refused at once the
// next time. The refused are kept in one map, of which some are forgotten when they are many.
type Guests struct {
	mu      sync.Mutex
	listed  map[string]bool
	refused map[string]struct{}
}

func (g *Guests) List(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.listed[name] = true
	delete(g.refused, name)
}

// MediumAdmit refuses who was listed just then: the entries of one map need not be there together.
func (g *Guests) MediumAdmit(name string) bool {
	g.mu.Lock()
	if _, no := g.refused[name]; no {
		g.mu.Unlock()
		return false
	}
	g.mu.Unlock()
	time.Sleep(time.Second)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refused[name] = struct{}{}
	if len(g.refused) > 100 {
		for other := range g.refused {
			if other != name {
				delete(g.refused, other)
			}
		}
	}
	return false
}
