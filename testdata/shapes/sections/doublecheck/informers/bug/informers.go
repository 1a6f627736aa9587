// Package informers starts one informer for each kind of object.
package informers

import "sync"

type informer struct{ stop chan struct{} }

func (i *informer) run() { <-i.stop }

// Factory has the informers.
type Factory struct {
	lock      sync.Mutex
	informers map[string]*informer
}

func (f *Factory) get(kind string) *informer {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.informers[kind]
}

// InformerFor is the informer of a kind.
func (f *Factory) InformerFor(kind string) *informer {
	if i := f.get(kind); i != nil {
		return i
	}
	i := &informer{stop: make(chan struct{})}
	f.lock.Lock()
	defer f.lock.Unlock()
	f.informers[kind] = i
	go i.run()
	return i
}
