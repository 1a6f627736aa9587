// Package offers takes offers back that were not renewed.
package offers

import (
	"sync"
	"time"
)

type offer struct {
	by    string
	until time.Time
}

// Offers are there until their time is over.
type Offers struct {
	mu sync.RWMutex
	m  map[string]offer
}

// New looks for old ones every minute.
func New() *Offers {
	o := &Offers{m: make(map[string]offer)}
	go func() {
		for now := range time.Tick(time.Minute) {
			o.sweep(now)
		}
	}()
	return o
}

// Renew puts one there, or makes it last longer.
func (o *Offers) Renew(id, by string, until time.Time) {
	o.mu.Lock()
	o.m[id] = offer{by: by, until: until}
	o.mu.Unlock()
}

// By is who offers.
func (o *Offers) By(id string) (string, bool) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	f, ok := o.m[id]
	return f.by, ok
}

func (o *Offers) sweep(now time.Time) {
	var old []string
	o.mu.RLock()
	for id, f := range o.m {
		if f.until.Before(now) {
			old = append(old, id)
		}
	}
	o.mu.RUnlock()
	for _, id := range old {
		o.mu.Lock()
		delete(o.m, id)
		o.mu.Unlock()
	}
}
