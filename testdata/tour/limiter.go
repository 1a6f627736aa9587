package tour

import (
	"sync"
	"sync/atomic"
)

// Limiter bounds how many requests are open at once, and how many each client
// may make.
type Limiter struct {
	max  int64
	open atomic.Int64

	// mu is held by everybody who changes buckets; reading needs no lock.
	mu      sync.Mutex
	buckets sync.Map // string -> *Bucket
}

// NewLimiter returns a limiter for at most limit open requests.
//
//tour:ok
func NewLimiter(limit int64) *Limiter { return &Limiter{max: limit} }

// Acquire opens a request if there is room. Two goroutines may both see the
// last free place and both take it.
//
//tour:bug non-atomic
func (l *Limiter) Acquire() bool {
	if l.open.Load() >= l.max {
		return false
	}
	l.open.Add(1)
	return true
}

// TryAcquire opens a request if there is room, and never one too many.
//
//tour:ok
func (l *Limiter) TryAcquire() bool {
	for {
		open := l.open.Load()
		if open >= l.max {
			return false
		}
		if l.open.CompareAndSwap(open, open+1) {
			return true
		}
	}
}

// Release closes a request.
//
//tour:ok
func (l *Limiter) Release() { l.open.Add(-1) }

// Bucket holds the tokens that a client has left.
type Bucket struct {
	mu     sync.Mutex
	tokens int
}

// Take takes a token if one is left.
//
//tour:ok
func (b *Bucket) Take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens == 0 {
		return false
	}
	b.tokens--
	return true
}

// bucketLocked returns the bucket of a client, a new one if it has none. The
// caller holds l.mu, which makes the two steps one.
//
//tour:ok
func (l *Limiter) bucketLocked(client string, tokens int) *Bucket {
	if b, ok := l.buckets.Load(client); ok {
		return b.(*Bucket)
	}
	b := &Bucket{tokens: tokens}
	l.buckets.Store(client, b)
	return b
}

// Bucket returns the bucket of a client, and looks again under the lock if it
// has none: another goroutine may have made it by then.
//
//tour:ok
func (l *Limiter) Bucket(client string) *Bucket {
	if b, ok := l.buckets.Load(client); ok {
		return b.(*Bucket)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bucketLocked(client, int(l.max))
}

// Grant makes sure that a client has a bucket and takes a token from it.
//
//tour:ok
func (l *Limiter) Grant(client string, tokens int) bool {
	l.mu.Lock()
	b := l.bucketLocked(client, tokens)
	l.mu.Unlock()
	return b.Take()
}

// Forget drops the bucket of a client.
//
//tour:ok
func (l *Limiter) Forget(client string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buckets.Delete(client)
}
