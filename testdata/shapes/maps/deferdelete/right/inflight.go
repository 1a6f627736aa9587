// Package inflight lets a request be cancelled by its number.
package inflight

import (
	"context"
	"sync"
)

type request struct{ cancel context.CancelFunc }

// Table has the requests at work.
type Table struct{ requests sync.Map }

// Do runs a request; a newer one with the same number takes its place.
func (t *Table) Do(ctx context.Context, id string, work func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	mine := &request{cancel}
	t.requests.Store(id, mine)
	defer t.requests.CompareAndDelete(id, mine)
	return work(ctx)
}

// Cancel ends the newest request with a number.
func (t *Table) Cancel(id string) bool {
	v, ok := t.requests.Load(id)
	if ok {
		v.(*request).cancel()
	}
	return ok
}
