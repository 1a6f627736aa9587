// Package given keeps an outlet for each region, which callers open.
package given

import "sync"

// Outlet counts what goes out by it.
type Outlet struct {
	mu   sync.Mutex
	sent int
}

// Send sends one more.
func (o *Outlet) Send() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sent++
}

// Outlets are those that are open.
type Outlets struct {
	mu      sync.RWMutex
	regions map[string]*Outlet
}

// For is the outlet of a region, which is opened if need be.
func (o *Outlets) For(region string, open func() (*Outlet, error)) (*Outlet, error) {
	o.mu.RLock()
	out := o.regions[region]
	o.mu.RUnlock()
	if out != nil {
		return out, nil
	}
	out, err := open()
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.regions[region] = out
	return out, nil
}

// Shut forgets the outlet of a region.
func (o *Outlets) Shut(region string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.regions, region)
}
