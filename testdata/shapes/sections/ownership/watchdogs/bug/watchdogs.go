// Package watchdogs has a timer for each owner of a device, that takes it away from him.
package watchdogs

import (
	"sync"
	"time"
)

type hold struct {
	owner string
	timer *time.Timer
}

// Devices are held by owners who show up now and then.
type Devices struct {
	patience time.Duration
	mu       sync.Mutex
	holds    map[string]*hold
}

// New returns devices that nobody holds.
func New(patience time.Duration) *Devices {
	return &Devices{patience: patience, holds: map[string]*hold{}}
}

// Hold has an owner hold a device for a while, unless somebody else does.
func (d *Devices) Hold(device, owner string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	old, held := d.holds[device]
	if held && old.owner != owner {
		return false
	}
	if held {
		old.timer.Stop()
	}
	h := &hold{owner: owner}
	h.timer = time.AfterFunc(d.patience, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.holds, device)
	})
	d.holds[device] = h
	return true
}
