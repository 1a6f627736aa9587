// Package settings keeps the newest settings, by version.
package settings

import "sync/atomic"

// Settings are what a controller has sent.
type Settings struct{ Values map[string]string }

// Holder has the newest.
type Holder struct {
	version atomic.Int64
	current atomic.Pointer[Settings]
}

// Update takes settings unless newer ones have come.
func (h *Holder) Update(version int64, s *Settings) bool {
	old := h.version.Load()
	if version <= old || !h.version.CompareAndSwap(old, version) {
		return false
	}
	h.current.Store(s)
	return true
}

// Current are the newest settings.
func (h *Holder) Current() *Settings { return h.current.Load() }
