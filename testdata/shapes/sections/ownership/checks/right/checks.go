// Package checks keeps the health checks of components.
package checks

import "sync"

// Check sees whether a component is well.
type Check struct {
	Component string
	Probe     func() error
}

// Registry has one check for each component.
type Registry struct {
	mu     sync.RWMutex
	checks map[string]*Check
}

// NewRegistry returns a registry without checks.
func NewRegistry() *Registry { return &Registry{checks: map[string]*Check{}} }

// Register sets the check of a component, and returns a function that removes it.
func (r *Registry) Register(component string, probe func() error) (checks func()) {
	c := &Check{Component: component, Probe: probe}
	r.mu.Lock()
	r.checks[component] = c
	r.mu.Unlock()
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.checks[component] == c {
			delete(r.checks, component)
		}
	}
}

// Healthy reports whether the component is well.
func (r *Registry) Healthy(component string) bool {
	r.mu.RLock()
	c := r.checks[component]
	r.mu.RUnlock()
	return c != nil && c.Probe() == nil
}
