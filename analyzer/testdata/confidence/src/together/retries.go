package together

import (
	"sync"
	"time"
)

type retryLink struct {
	mu sync.Mutex
	n  int
}

func (p *retryLink) Use() { p.mu.Lock(); p.n++; p.mu.Unlock() }

type Retries struct {
	mu    sync.Mutex
	conns sync.Map
}

// MediumRetry lets its lock go to wait, and has it again when it looks and when it stores.
func (b *Retries) MediumRetry(id string) *retryLink {
	b.mu.Lock()
	defer b.mu.Unlock()
	for retry := 0; retry < 3; retry++ {
		if retry != 0 {
			b.mu.Unlock()
			time.Sleep(time.Second)
			b.mu.Lock()
		}
		if v, ok := b.conns.Load(id); ok {
			return v.(*retryLink)
		}
		if c := openRetry(id); c != nil {
			b.conns.Store(id, c)
			return c
		}
	}
	return nil
}

// HighRetry lets it go in between.
func (b *Retries) HighRetry(id string) *retryLink {
	b.mu.Lock()
	defer b.mu.Unlock()
	if v, ok := b.conns.Load(id); ok {
		return v.(*retryLink)
	}
	c := openRetry(id)
	if c == nil {
		b.mu.Unlock()
		time.Sleep(time.Second)
		c = &retryLink{}
		b.mu.Lock()
	}
	b.conns.Store(id, c)
	return c
}

var openRetry = func(id string) *retryLink { return &retryLink{n: len(id)} }

// HighWait looks before it lets go, in the first round, and stores after it has it again.
func (b *Retries) HighWait(id string) *retryLink {
	b.mu.Lock()
	defer b.mu.Unlock()
	var c *retryLink
	for retry := 0; retry < 2; retry++ {
		if retry != 0 {
			b.mu.Unlock()
			c = openRetry(id)
			b.mu.Lock()
		}
		if retry == 0 {
			if v, ok := b.conns.Load(id); ok {
				return v.(*retryLink)
			}
			continue
		}
		b.conns.Store(id, c)
	}
	return c
}

// MediumForever has it at the head of the loop, whether it has come there for the first time or not.
func (b *Retries) MediumForever(id string) *retryLink {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		if v, ok := b.conns.Load(id); ok {
			return v.(*retryLink)
		}
		if c := openRetry(id); c != nil {
			b.conns.Store(id, c)
			return c
		}
		b.mu.Unlock()
		time.Sleep(time.Second)
		b.mu.Lock()
	}
}

// EitherLock is held by readers as well as by writers.
type EitherLock struct {
	mu     sync.RWMutex
	counts sync.Map
}

// HighEither loses what another reader counts.
func (e *EitherLock) HighEither(id string, write bool) {
	if write {
		e.mu.Lock()
		defer e.mu.Unlock()
	} else {
		e.mu.RLock()
		defer e.mu.RUnlock()
	}
	v, _ := e.counts.Load(id)
	n, _ := v.(int)
	e.counts.Store(id, n+1)
}
