// Package subscribers tells handlers of events.
package subscribers

import "sync"

// Bus has handlers by topic.
type Bus struct {
	mu       sync.RWMutex
	handlers map[string][]func(string)
}

// Subscribe adds a handler.
func (b *Bus) Subscribe(topic string, handler func(string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.handlers[topic] = append(b.handlers[topic], handler)
}

// Publish calls the handlers of a topic.
func (b *Bus) Publish(topic, message string) {
	b.mu.RLock()
	handlers := b.handlers[topic]
	b.mu.RUnlock()
	for _, handler := range handlers {
		handler(message)
	}
}
