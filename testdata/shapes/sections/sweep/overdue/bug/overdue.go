// Package overdue hands out licences for a while.
package overdue

import (
	"sync"
	"time"
)

type licence struct {
	user  string
	until time.Time
}

// Desk knows who has which licence.
type Desk struct {
	term     time.Duration
	reclaim  func(id, user string)
	mu       sync.RWMutex
	licences map[string]licence
}

// Open opens a desk that takes licences back which are overdue.
func Open(term time.Duration, reclaim func(id, user string)) *Desk {
	d := &Desk{term: term, reclaim: reclaim, licences: map[string]licence{}}
	go d.watch()
	return d
}

// Borrow gives a licence to a user.
func (d *Desk) Borrow(id, user string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.licences[id] = licence{user: user, until: time.Now().Add(d.term)}
}

// Extend reports whether the user may keep a licence for another while.
func (d *Desk) Extend(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	l, ok := d.licences[id]
	if ok {
		l.until = time.Now().Add(d.term)
		d.licences[id] = l
	}
	return ok
}

func (d *Desk) watch() {
	tick := time.NewTicker(d.term)
	defer tick.Stop()
	for now := range tick.C {
		d.sweep(now)
	}
}

func (d *Desk) sweep(now time.Time) {
	for _, id := range d.late(now) {
		d.takeBack(id, now)
	}
}

func (d *Desk) late(now time.Time) (ids []string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for id, l := range d.licences {
		if l.until.Before(now) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (d *Desk) takeBack(id string, now time.Time) {
	d.mu.Lock()
	l, ok := d.licences[id]
	if ok {
		delete(d.licences, id)
	}
	d.mu.Unlock()
	if ok {
		d.reclaim(id, l.user)
	}
}
