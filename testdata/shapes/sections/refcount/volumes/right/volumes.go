// Package volumes counts how often a volume is attached.
package volumes

import "sync"

// Attacher attaches volumes to this machine.
type Attacher struct {
	mu     sync.Mutex
	counts map[string]int
	attach func(volume string)
	detach func(volume string)
}

func (a *Attacher) add(volume string, n int) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts[volume] += n
	return a.counts[volume]
}

// Use attaches a volume for its first user.
func (a *Attacher) Use(volume string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts[volume]++
	if a.counts[volume] == 1 {
		a.attach(volume)
	}
}

// Leave detaches it after the last one.
func (a *Attacher) Leave(volume string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts[volume]--
	if a.counts[volume] == 0 {
		delete(a.counts, volume)
		a.detach(volume)
	}
}
