// Package couriers brings parcels until the office closes.
package couriers

import (
	"errors"
	"sync"
)

// What Send returns.
var (
	ErrClosed   = errors.New("couriers: the office is closed")
	ErrUnderWay = errors.New("couriers: it is under way")
)

// Office has a courier for each parcel.
type Office struct {
	mu       sync.Mutex
	back     *sync.Cond
	closed   bool
	underWay map[string]int
	brought  int
}

// New is an office.
func New() *Office {
	o := &Office{underWay: make(map[string]int)}
	o.back = sync.NewCond(&o.mu)
	return o
}

func (o *Office) isClosed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.closed
}

func (o *Office) leave(parcel string, weight int) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, ok := o.underWay[parcel]; ok {
		return ErrUnderWay
	}
	o.underWay[parcel] = weight
	return nil
}

// Send sends a courier.
func (o *Office) Send(parcel string, weight int) error {
	if o.isClosed() {
		return ErrClosed
	}
	return o.leave(parcel, weight)
}

// Back says that a courier has brought a parcel, and is back.
func (o *Office) Back(parcel string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.brought++
	delete(o.underWay, parcel)
	if len(o.underWay) == 0 {
		o.back.Broadcast()
	}
}

// Close waits until all are back, and is how many parcels were brought.
func (o *Office) Close() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	for len(o.underWay) > 0 {
		o.back.Wait()
	}
	return o.brought
}
