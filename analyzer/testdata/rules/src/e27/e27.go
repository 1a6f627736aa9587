// Package e27: nothing comes in between but the cache, which drops entries by itself.
package e27

import (
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

type Attempts struct {
	mu     sync.Mutex
	Recent *lru.Cache[string, int]
	others *lru.Cache[string, int]
}

// HiddenCount has the lock of all attempts.
func (a *Attempts) HiddenCount(name string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n, _ := a.Recent.Get(name)
	a.Recent.Add(name, n+1)
	return n
}

// Shown has it for the first half only.
func (a *Attempts) Shown(name string) int {
	a.mu.Lock()
	n, _ := a.others.Get(name)
	a.mu.Unlock()
	a.others.Add(name, n+1) // want "lost-update"
	return n
}
