// Package billing charges an order when it ships.
package billing

import "sync/atomic"

// Meter is what a customer pays.
type Meter struct{ cents atomic.Int64 }

// Order is charged once.
type Order struct {
	charged atomic.Bool
	price   int64
	meter   *Meter
}

// Shipped charges the order, whoever says it first.
func (o *Order) Shipped() {
	if !o.charged.Load() {
		o.meter.cents.Add(o.price)
		o.charged.Store(true)
	}
}
