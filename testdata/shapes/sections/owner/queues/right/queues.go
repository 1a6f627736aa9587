// Package queues keeps the queues of a broker.
package queues

import "sync"

// Queue is one queue of messages.
type Queue struct {
	Name string
	C    chan []byte
}

type registry struct {
	sync.RWMutex
	queues map[string]*Queue
}

// Broker moves messages between queues.
type Broker struct {
	reg   registry
	depth int
}

// NewBroker returns a broker whose queues hold depth messages.
func NewBroker(depth int) *Broker {
	b := &Broker{depth: depth}
	b.reg.queues = make(map[string]*Queue)
	return b
}

// Declare makes a queue, unless there is one.
func (b *Broker) Declare(name string) *Queue {
	b.reg.RLock()
	q, found := b.reg.queues[name]
	b.reg.RUnlock()
	if found {
		return q
	}
	b.reg.Lock()
	defer b.reg.Unlock()
	if q, found = b.reg.queues[name]; found {
		return q
	}
	q = &Queue{Name: name, C: make(chan []byte, b.depth)}
	b.reg.queues[name] = q
	return q
}

// Publish sends a message to a queue.
func (b *Broker) Publish(name string, body []byte) {
	b.Declare(name).C <- body
}

// Purge removes a queue.
func (b *Broker) Purge(name string) {
	b.reg.Lock()
	delete(b.reg.queues, name)
	b.reg.Unlock()
}
