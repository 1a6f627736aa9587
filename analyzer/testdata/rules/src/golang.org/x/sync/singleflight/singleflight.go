// Package singleflight stands in for golang.org/x/sync/singleflight.
package singleflight

import "sync"

type Group struct{ mu sync.Mutex }

func (g *Group) Do(key string, fn func() (any, error)) (v any, err error, shared bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	v, err = fn()
	return v, err, false
}
