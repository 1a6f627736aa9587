// Package settings keeps the newest settings, by version.
package settings

import (
	"sync"
	"sync/atomic"
)

// Settings are what a controller has sent.
type Settings struct{ Values map[string]string }

// Holder has the newest.
type Holder struct {
	mu      sync.Mutex
	version atomic.Int64
	current atomic.Pointer[Settings]
}

// Update takes settings unless newer ones have come.
func (h *Holder) Update(version int64, s *Settings) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if version <= h.version.Load() {
		return false
	}
	h.version.Store(version)
	h.current.Store(s)
	return true
}

// Current are the newest settings.
func (h *Holder) Current() *Settings { return h.current.Load() }
