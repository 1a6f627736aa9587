// Package buckets forgets clients that have not been seen for long.
package buckets

import (
	"sync"
	"time"
)

// Clock tells the time.
type Clock interface{ Now() time.Time }

type bucket struct{ last time.Time }

// Buckets are by client.
type Buckets struct {
	clients sync.Map
	clock   Clock
	ttl     time.Duration
}

// Seen notes a client.
func (b *Buckets) Seen(client string) {
	b.clients.Store(client, &bucket{last: b.clock.Now()})
}

// Known reports whether a client has been seen.
func (b *Buckets) Known(client string) bool {
	_, ok := b.clients.Load(client)
	return ok
}

// Expire forgets a client that has been quiet for too long.
func (b *Buckets) Expire(client string) {
	v, ok := b.clients.Load(client)
	if ok && b.clock.Now().Sub(v.(*bucket).last) > b.ttl {
		b.clients.CompareAndDelete(client, v)
	}
}
