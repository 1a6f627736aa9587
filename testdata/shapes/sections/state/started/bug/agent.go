// Package agent has a loop that is started once.
package agent

import "sync"

// Agent is started by whoever needs it.
type Agent struct {
	mu      sync.Mutex
	started bool
	loop    func()
}

func (a *Agent) isStarted() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.started
}

// Start starts the loop.
func (a *Agent) Start() {
	if a.isStarted() {
		return
	}
	a.mu.Lock()
	a.started = true
	a.mu.Unlock()
	go a.loop()
}
