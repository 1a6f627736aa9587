// Package parked keeps what a device has sent while nobody listens.
package parked

import (
	"sync"
	"time"
)

type box struct {
	last []byte
	at   time.Time
}

// Boxes has one for each device.
type Boxes struct {
	mu   sync.RWMutex
	of   map[string]*box
	keep time.Duration
}

// New returns no boxes.
func New(keep time.Duration) *Boxes {
	return &Boxes{of: map[string]*box{}, keep: keep}
}

// Put parks what a device has sent.
func (b *Boxes) Put(device string, data []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.of[device] = &box{last: data, at: time.Now()}
}

// Get returns what a device has sent last.
func (b *Boxes) Get(device string) []byte {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if x, ok := b.of[device]; ok {
		return x.last
	}
	return nil
}

func (b *Boxes) old(now time.Time) []string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	var old []string
	for device, x := range b.of {
		if now.Sub(x.at) > b.keep {
			old = append(old, device)
		}
	}
	return old
}

func (b *Boxes) drop(device string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.of, device)
}

// Tidy drops what is too old.
func (b *Boxes) Tidy(now time.Time) int {
	old := b.old(now)
	for _, device := range old {
		b.drop(device)
	}
	return len(old)
}
