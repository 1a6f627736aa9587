package tour

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// ErrClosed is returned by a worker that has been closed before.
var ErrClosed = errors.New("tour: worker is closed")

// The states of a worker.
const (
	idle int32 = iota
	running
)

// Worker is one of the workers of the service.
type Worker struct {
	closed  atomic.Bool
	halted  atomic.Bool
	ready   atomic.Bool
	state   atomic.Int32
	done    chan struct{}
	stopped chan struct{}

	client atomic.Pointer[Client]
	shared atomic.Pointer[Client]

	once sync.Once
	log  *Client
}

// NewWorker returns a worker that is idle.
//
//tour:ok
func NewWorker() *Worker {
	return &Worker{done: make(chan struct{}), stopped: make(chan struct{})}
}

// Close tells the worker to finish. Two callers may both find it open; the
// second close of the channel panics.
//
//tour:bug lost-update
func (w *Worker) Close() error {
	if w.closed.Load() {
		return ErrClosed
	}
	w.closed.Store(true)
	close(w.done)
	return nil
}

// Halt stops the worker at once. Only the first caller closes the channel.
//
//tour:ok
func (w *Worker) Halt() error {
	if !w.halted.CompareAndSwap(false, true) {
		return ErrClosed
	}
	close(w.stopped)
	return nil
}

// Start sets an idle worker running. A caller that loses has nothing left to
// do, so a single CompareAndSwap without a retry is right.
//
//tour:ok
func (w *Worker) Start() bool {
	if w.state.Load() != idle {
		return false
	}
	return w.state.CompareAndSwap(idle, running)
}

// SetReady tells WaitReady that the worker can be used.
//
//tour:ok
func (w *Worker) SetReady() { w.ready.Store(true) }

// WaitReady waits until the worker can be used.
//
//tour:ok
func (w *Worker) WaitReady(ctx context.Context, poll time.Duration) error {
	for !w.ready.Load() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(poll):
		}
	}
	return nil
}

// Client talks to the store behind the service.
type Client struct {
	mu      sync.Mutex
	pending []string
}

// Client returns the worker's client and makes it on first use. Two first
// callers may get one each, and what is pending in the first is lost.
//
//tour:bug duplicate-instance
func (w *Worker) Client() *Client {
	if c := w.client.Load(); c != nil {
		return c
	}
	c := new(Client)
	w.client.Store(c)
	return c
}

// Shared returns the worker's shared client and makes it on first use.
//
//tour:ok
func (w *Worker) Shared() *Client {
	if c := w.shared.Load(); c != nil {
		return c
	}
	w.shared.CompareAndSwap(nil, new(Client))
	return w.shared.Load()
}

// Log returns the client for log lines and makes it on first use.
//
//tour:ok
func (w *Worker) Log() *Client {
	w.once.Do(func() { w.log = new(Client) })
	return w.log
}
