// Package e20: the call panics just so if nobody comes in between.
package e20

import "sync"

type Registry struct {
	m     sync.Map
	proxy func(string) any
}

type entry struct{ owner any }

func (r *Registry) Add(k string, owner any) { r.m.Store(k, &entry{owner}) }

func (r *Registry) Drop(k string) bool {
	_, had := r.m.LoadAndDelete(k)
	return had
}

// Hidden asserts what the entry never promised, whoever else comes.
func (r *Registry) Hidden(k string) string {
	v, ok := r.m.Load(k)
	if !ok {
		return ""
	}
	r.m.Delete(k)
	return v.(*entry).owner.(string)
}

// Shown finds nothing the second time.
func (r *Registry) Shown(k string) any {
	if _, ok := r.m.Load(k); !ok {
		return nil
	}
	v, _ := r.m.Load(k) // want "crash"
	return v.(*entry).owner
}
