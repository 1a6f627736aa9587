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
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.started {
		return
	}
	a.started = true
	go a.loop()
}
