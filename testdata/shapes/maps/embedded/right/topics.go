// Package topics fans messages out.
package topics

import "sync"

type topic struct {
	sync.Mutex
	messages []string
}

type topics struct{ sync.Map }

// Broker has a queue for each topic.
type Broker struct{ topics }

// Publish adds a message.
func (b *Broker) Publish(name, message string) {
	v, ok := b.Load(name)
	if !ok {
		v, _ = b.LoadOrStore(name, new(topic))
	}
	t := v.(*topic)
	t.Lock()
	t.messages = append(t.messages, message)
	t.Unlock()
}
