// Package releases hands out the newest list of hosts.
package releases

import (
	"slices"
	"sync"
)

// Release is a list of hosts, and how many came before it.
type Release struct {
	Number int
	Hosts  []string
}

// Board has the newest release.
type Board struct {
	mu     sync.RWMutex
	newest Release
}

// Number is that of the newest one.
func (b *Board) Number() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.newest.Number
}

// Newer is the newest release, if it is newer than one that somebody has.
func (b *Board) Newer(than int) (Release, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.newest, b.newest.Number > than
}

// Publish makes a list of hosts the newest one, and gives its number.
func (b *Board) Publish(hosts []string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.newest = Release{Number: b.newest.Number + 1, Hosts: slices.Clone(hosts)}
	return b.newest.Number
}
