package harm

import (
	"sync"
	"time"
)

type lease struct {
	owner string
	timer *time.Timer
}

// Devices are held by owners who show up now and then.
type Devices struct {
	patience time.Duration
	mu       sync.Mutex
	holds    map[string]*lease
}

// NewDevices returns devices that nobody holds.
func NewDevices(patience time.Duration) *Devices {
	return &Devices{patience: patience, holds: map[string]*lease{}}
}

// HighHold has an owner lease a device for a while, unless somebody else does.
func (d *Devices) HighHold(device, owner string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	old, held := d.holds[device]
	if held && old.owner != owner {
		return false
	}
	if held {
		old.timer.Stop()
	}
	h := &lease{owner: owner}
	h.timer = time.AfterFunc(d.patience, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.holds, device)
	})
	d.holds[device] = h
	return true
}

type stoppedLease struct {
	owner string
	timer *time.Timer
}

// StoppedDevices are held by owners who show up now and then.
type StoppedDevices struct {
	patience time.Duration
	mu       sync.Mutex
	holds    map[string]*stoppedLease
}

// NewStoppedDevices returns devices that nobody holds.
func NewStoppedDevices(patience time.Duration) *StoppedDevices {
	return &StoppedDevices{patience: patience, holds: map[string]*stoppedLease{}}
}

// MediumHold has an owner stoppedLease a device for a while, unless somebody else does.
func (d *StoppedDevices) MediumHold(device, owner string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	old, held := d.holds[device]
	if held && old.owner != owner {
		return false
	}
	if held && !old.timer.Stop() {
		return false
	}
	h := &stoppedLease{owner: owner}
	h.timer = time.AfterFunc(d.patience, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.holds, device)
	})
	d.holds[device] = h
	return true
}
