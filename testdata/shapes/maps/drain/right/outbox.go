// Package outbox sends what has gathered.
package outbox

import "sync"

// Box gathers the newest value of each key.
type Box struct{ pending sync.Map }

// Put replaces what waits for a key.
func (b *Box) Put(key string, value []byte) { b.pending.Store(key, &value) }

// Flush sends all that waits, once.
func (b *Box) Flush(send func(key string, value []byte)) {
	b.pending.Range(func(k, _ any) bool {
		if v, ok := b.pending.LoadAndDelete(k); ok {
			send(k.(string), *v.(*[]byte))
		}
		return true
	})
}
