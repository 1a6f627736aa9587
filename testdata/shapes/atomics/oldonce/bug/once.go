// Package once runs a setup that can fail until it has succeeded.
package once

import (
	"sync"
	"sync/atomic"
)

// Once remembers that a setup has succeeded.
type Once struct {
	mu   sync.Mutex
	done uint32
}

// Do runs setup, unless it has succeeded.
func (o *Once) Do(setup func() error) error {
	if atomic.LoadUint32(&o.done) == 1 {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := setup(); err != nil {
		return err
	}
	atomic.StoreUint32(&o.done, 1)
	return nil
}
