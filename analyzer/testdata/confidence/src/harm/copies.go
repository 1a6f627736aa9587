package harm

import "sync"

// Flags of tenants are replaced as a whole: who has them may read them.
type Flags struct {
	mu      sync.RWMutex
	tenants map[string]map[string]uint16
}

func NewFlags() *Flags { return &Flags{tenants: map[string]map[string]uint16{}} }

func (f *Flags) Of(tenant string) map[string]uint16 {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.tenants[tenant]
}

func (f *Flags) replace(tenant string, flags map[string]uint16) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tenants[tenant] = flags
}

// HighSet stores a copy with one change: that of another call is lost.
func (f *Flags) HighSet(tenant, name string, on uint16) {
	next := map[string]uint16{name: on}
	for k, v := range f.Of(tenant) {
		if k != name {
			next[k] = v
		}
	}
	f.replace(tenant, next)
}

// MediumReset stores what has nothing to do with what was there.
func (f *Flags) MediumReset(tenant string, on []string) {
	if len(f.Of(tenant)) == 0 {
		return
	}
	next := map[string]uint16{}
	for _, name := range on {
		next[name] = 1
	}
	f.replace(tenant, next)
}
