// Package stock reserves stock for orders.
package stock

import (
	"fmt"
	"sync"
)

// Stock is what is on the shelves.
type Stock struct {
	mu    sync.Mutex
	items map[string]int
}

// NewStock returns empty shelves.
func NewStock() *Stock { return &Stock{items: make(map[string]int)} }

// Level returns how many there are.
func (s *Stock) Level(sku string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.items[sku]
}

// Set says how many there are.
func (s *Stock) Set(sku string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[sku] = n
}

// Restock adds n of them.
func (s *Stock) Restock(sku string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[sku] += n
}

// Reserve takes n of them for an order.
func (s *Stock) Reserve(sku string, n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	have := s.items[sku]
	if have < n {
		return fmt.Errorf("only %d of %s left", have, sku)
	}
	s.items[sku] = have - n
	return nil
}
