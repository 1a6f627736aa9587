// Package poller polls until it is stopped.
package poller

import (
	"errors"
	"sync"
	"time"
)

// Poller is started by whoever needs it, and a second start is an error.
type Poller struct {
	mu      sync.Mutex
	running bool
	stop    chan struct{}
	poll    func()
}

// Start begins to poll.
func (p *Poller) Start(every time.Duration) error {
	p.mu.Lock()
	if p.running {
		p.mu.Unlock()
		return errors.New("it runs")
	}
	p.mu.Unlock()
	stop := make(chan struct{})
	go p.loop(every, stop)
	p.mu.Lock()
	p.running, p.stop = true, stop
	p.mu.Unlock()
	return nil
}

func (p *Poller) loop(every time.Duration, stop <-chan struct{}) {
	for {
		select {
		case <-time.After(every):
			p.poll()
		case <-stop:
			return
		}
	}
}

// Stop ends it.
func (p *Poller) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		close(p.stop)
		p.running = false
	}
}
