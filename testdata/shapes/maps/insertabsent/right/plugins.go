// Package plugins keeps the plugins of a server by name.
package plugins

import (
	"fmt"
	"sync"
)

// Plugin is something that a server can load.
type Plugin interface{ Start() error }

// Registry knows the plugins.
type Registry struct{ plugins sync.Map }

// Register adds a plugin; there is one of each name.
func (r *Registry) Register(name string, p Plugin) error {
	if _, exists := r.plugins.LoadOrStore(name, p); exists {
		return fmt.Errorf("plugin %q is registered twice", name)
	}
	return nil
}

// Lookup finds a plugin.
func (r *Registry) Lookup(name string) (Plugin, bool) {
	p, ok := r.plugins.Load(name)
	if !ok {
		return nil, false
	}
	return p.(Plugin), true
}
