// Package statuses keeps the state of each node, behind an interface.
package statuses

import "sync"

type repository interface {
	find(node string) (status, bool)
	save(node string, s status)
	update(node string, change func(status) status)
}

type status struct{ failures int }

type table struct {
	mu sync.Mutex
	m  map[string]status
}

func (t *table) find(node string) (status, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, ok := t.m[node]
	return s, ok
}

func (t *table) save(node string, s status) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[node] = s
}

func (t *table) update(node string, change func(status) status) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[node] = change(t.m[node])
}

// Monitor counts failures.
type Monitor struct{ nodes repository }

// New watches no node yet.
func New() *Monitor { return &Monitor{nodes: &table{m: map[string]status{}}} }

// Failed counts a failure of a node.
func (m *Monitor) Failed(node string) {
	m.nodes.update(node, func(s status) status {
		s.failures++
		return s
	})
}

// Failures is how often a node has failed.
func (m *Monitor) Failures(node string) int {
	s, _ := m.nodes.find(node)
	return s.failures
}
