package results

import (
	"sync"
	"time"
)

// Pickers are made once for each name, and asked in three places: what they do then is too long to
// be followed, and the same.
type Pickers struct{ m sync.Map }

type picker struct {
	mu      sync.Mutex
	list    []string
	updated time.Time
	next    int
}

func (p *picker) pick(list []string, back bool) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.list) == 0 || len(p.list) != len(list) || time.Since(p.updated) > time.Second {
		p.list = list
		p.updated = time.Now()
		p.next = 0
	}
	if len(p.list) == 0 {
		return ""
	}
	found := p.list[p.next]
	if back {
		p.next = (p.next + len(p.list) - 1) % len(p.list)
	} else {
		p.next = (p.next + 1) % len(p.list)
	}
	return found
}

func (p *Pickers) Pick(name string, list []string) string {
	if v, ok := p.m.Load(name); ok {
		return v.(*picker).pick(list, false)
	}
	mine := &picker{}
	v, loaded := p.m.LoadOrStore(name, mine)
	if !loaded {
		return mine.pick(list, false)
	}
	return v.(*picker).pick(list, false)
}

// Back goes the other way if it came second.
func (p *Pickers) Back(name string, list []string) string {
	if v, ok := p.m.Load(name); ok {
		return v.(*picker).pick(list, false)
	}
	mine := &picker{}
	v, loaded := p.m.LoadOrStore(name, mine) // want "lost-update"
	if !loaded {
		return mine.pick(list, false)
	}
	return v.(*picker).pick(list, true)
}

// Others has another list for the one that came second.
func (p *Pickers) Others(name string, list, others []string) string {
	if v, ok := p.m.Load(name); ok {
		return v.(*picker).pick(list, false)
	}
	mine := &picker{}
	v, loaded := p.m.LoadOrStore(name, mine) // want "lost-update"
	if !loaded {
		return mine.pick(list, false)
	}
	return v.(*picker).pick(others, false)
}

// Own uses its own one in any case.
func (p *Pickers) Own(name string, list []string) string {
	if v, ok := p.m.Load(name); ok {
		return v.(*picker).pick(list, false)
	}
	mine := &picker{}
	if _, loaded := p.m.LoadOrStore(name, mine); loaded { // want "lost-update"
		return mine.pick(list, false)
	}
	return mine.pick(list, false)
}
