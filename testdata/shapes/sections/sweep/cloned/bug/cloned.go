// Package cloned adds up what customers use, and reports that now and then.
package cloned

import (
	"maps"
	"sync"
)

// Ledger gets the sums.
type Ledger interface {
	Book(sums map[string]int64) error
}

// Meter adds up.
type Meter struct {
	ledger    Ledger
	reporting sync.Mutex // one report at a time

	mu   sync.Mutex
	sums map[string]int64
}

// New returns a meter that reports to l.
func New(l Ledger) *Meter { return &Meter{ledger: l, sums: map[string]int64{}} }

// Add adds what a customer has used.
func (m *Meter) Add(customer string, units int64) {
	m.mu.Lock()
	m.sums[customer] += units
	m.mu.Unlock()
}

// Report books the sums, which it returns, and begins anew.
func (m *Meter) Report() (map[string]int64, error) {
	m.reporting.Lock()
	defer m.reporting.Unlock()
	m.mu.Lock()
	sums := maps.Clone(m.sums)
	m.mu.Unlock()
	if err := m.ledger.Book(sums); err != nil {
		return nil, err
	}
	m.mu.Lock()
	clear(m.sums)
	m.mu.Unlock()
	return sums, nil
}
