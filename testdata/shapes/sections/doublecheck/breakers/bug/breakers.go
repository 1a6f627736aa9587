// Package breakers has a breaker for each command.
package breakers

import "sync"

// Breaker counts what fails.
type Breaker struct {
	mu     sync.Mutex
	failed int
}

// Failed counts.
func (b *Breaker) Failed() {
	b.mu.Lock()
	b.failed++
	b.mu.Unlock()
}

var (
	mu       sync.RWMutex
	breakers = map[string]*Breaker{}
)

// Get gives the breaker of a command, and whether it is new.
func Get(command string) (*Breaker, bool) {
	mu.RLock()
	_, ok := breakers[command]
	if !ok {
		mu.RUnlock()
		mu.Lock()
		defer mu.Unlock()
		breakers[command] = new(Breaker)
	} else {
		defer mu.RUnlock()
	}
	return breakers[command], !ok
}

// Flush forgets all of them.
func Flush() {
	mu.Lock()
	defer mu.Unlock()
	clear(breakers)
}
