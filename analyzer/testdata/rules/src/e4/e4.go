// Package e4: it is in an init function.
package e4

import "sync"

var m sync.Map

func init() {
	if v, ok := m.Load("hidden"); ok {
		m.Store("hidden", v.(int)+1)
	}
}

func Set(k string, n int) { m.Store(k, n) }

func Shown(k string) {
	if v, ok := m.Load(k); ok {
		m.Store(k, v.(int)+1) // want "lost-update"
	}
}
