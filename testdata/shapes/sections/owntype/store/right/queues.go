// Package queues has a queue for each worker.
package queues

import "github.com/mapatom/mapatom/testdata/shapes/sections/owntype/store"

// Dispatcher sends work to workers.
type Dispatcher struct{ queues *store.Store[chan string] }

// New has no workers yet.
func New() *Dispatcher { return &Dispatcher{queues: store.New[chan string]()} }

// Queue is the queue of a worker.
func (d *Dispatcher) Queue(worker string) chan string {
	q, ok := d.queues.Get(worker)
	if !ok {
		q = make(chan string, 16)
		q = d.queues.GetOrSet(worker, q)
	}
	return q
}

// Send gives work to a worker.
func (d *Dispatcher) Send(worker, work string) { d.Queue(worker) <- work }
