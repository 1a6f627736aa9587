// Package kv stores strings.
package kv

import "sync"

// Store stores strings by their keys.
type Store interface {
	Has(key string) bool
	Get(key string) string
	Set(key, value string)
	SetNX(key, value string) bool
}

// Memory is a store in memory.
type Memory struct {
	lock sync.RWMutex
	data map[string]string
}

var _ Store = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{data: map[string]string{}} }

// Has reports whether there is something under key.
func (m *Memory) Has(key string) bool {
	m.lock.RLock()
	defer m.lock.RUnlock()
	_, ok := m.data[key]
	return ok
}

// Get returns what is under key.
func (m *Memory) Get(key string) string {
	m.lock.RLock()
	defer m.lock.RUnlock()
	return m.data[key]
}

// Set puts value under key.
func (m *Memory) Set(key, value string) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.data[key] = value
}

// SetNX sets key if there is nothing, and reports whether it did.
func (m *Memory) SetNX(key, value string) bool {
	m.lock.Lock()
	defer m.lock.Unlock()
	if _, ok := m.data[key]; ok {
		return false
	}
	m.data[key] = value
	return true
}
