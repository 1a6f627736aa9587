// Package till counts the money in a till.
package till

import (
	"errors"
	"sync"
)

// Protected keeps a value behind a lock.
type Protected[T any] struct {
	mu  sync.RWMutex
	val T
}

// Load returns the value.
func (p *Protected[T]) Load() T {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.val
}

// Store sets the value.
func (p *Protected[T]) Store(v T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.val = v
}

// Update replaces the value by f of it.
func (p *Protected[T]) Update(f func(T) (T, error)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	v, err := f(p.val)
	if err == nil {
		p.val = v
	}
	return err
}

// ErrEmpty is returned if there is not enough in the till.
var ErrEmpty = errors.New("not enough in the till")

// Till is a drawer with money.
type Till struct {
	cents Protected[int64]
}

// Put adds money.
func (t *Till) Put(n int64) error {
	return t.cents.Update(func(have int64) (int64, error) { return have + n, nil })
}

// Take takes money out.
func (t *Till) Take(n int64) error {
	return t.cents.Update(func(have int64) (int64, error) {
		if have < n {
			return have, ErrEmpty
		}
		return have - n, nil
	})
}
