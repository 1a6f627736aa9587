// Package feeds runs a feed for each name, and another one in its place when it is asked for again.
package feeds

import "sync"

type feed struct {
	mu      sync.Mutex
	stopped bool
}

func (f *feed) stop() {
	f.mu.Lock()
	f.stopped = true
	f.mu.Unlock()
}

// Manager has the feeds by name.
type Manager struct {
	run  func(name string)
	wg   sync.WaitGroup
	mu   sync.Mutex
	runs map[string]*feed
}

// New makes a manager.
func New(run func(name string)) *Manager {
	return &Manager{run: run, runs: map[string]*feed{}}
}

// Start starts a feed in the place of another one.
func (m *Manager) Start(name string) {
	f := &feed{}
	m.mu.Lock()
	if old := m.runs[name]; old != nil {
		old.stop()
	}
	m.runs[name] = f
	m.mu.Unlock()
	m.wg.Go(func() {
		m.run(name)
		m.mu.Lock()
		if m.runs[name] == f {
			delete(m.runs, name)
		}
		m.mu.Unlock()
	})
}

// Wait waits for all feeds.
func (m *Manager) Wait() { m.wg.Wait() }
