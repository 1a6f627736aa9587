package harm

import "sync"

type sharedCall struct {
	done chan struct{}
	val  []byte
	err  error
}

// Flights has the calls that run.
type Flights struct {
	mu    sync.Mutex
	calls map[string]*sharedCall
}

// Do runs fn, or waits for one that runs.
func (g *Flights) Do(key string, fn func() ([]byte, error)) ([]byte, error) {
	g.mu.Lock()
	c, ok := g.calls[key]
	if !ok {
		c = g.HighStart(key, fn)
	}
	g.mu.Unlock()
	<-c.done
	return c.val, c.err
}

// HighStart is called with g.mu held.
func (g *Flights) HighStart(key string, fn func() ([]byte, error)) *sharedCall {
	c := &sharedCall{done: make(chan struct{})}
	if g.calls == nil {
		g.calls = map[string]*sharedCall{}
	}
	g.calls[key] = c
	go func() {
		c.val, c.err = fn()
		g.mu.Lock()
		delete(g.calls, key)
		g.mu.Unlock()
		close(c.done)
	}()
	return c
}

// Forget has the next one run its own.
func (g *Flights) Forget(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.calls, key)
}

type ownCall struct {
	done chan struct{}
	val  []byte
	err  error
}

// OwnFlights has the calls that run.
type OwnFlights struct {
	mu    sync.Mutex
	calls map[string]*ownCall
}

// Do runs fn, or waits for one that runs.
func (g *OwnFlights) Do(key string, fn func() ([]byte, error)) ([]byte, error) {
	g.mu.Lock()
	c, ok := g.calls[key]
	if !ok {
		c = g.MediumStart(key, fn)
	}
	g.mu.Unlock()
	<-c.done
	return c.val, c.err
}

// MediumStart is called with g.mu held.
func (g *OwnFlights) MediumStart(key string, fn func() ([]byte, error)) *ownCall {
	c := &ownCall{done: make(chan struct{})}
	if g.calls == nil {
		g.calls = map[string]*ownCall{}
	}
	g.calls[key] = c
	go func() {
		c.val, c.err = fn()
		g.mu.Lock()
		if g.calls[key] == c {
			delete(g.calls, key)
		}
		g.mu.Unlock()
		close(c.done)
	}()
	return c
}

// Forget has the next one run its own.
func (g *OwnFlights) Forget(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.calls, key)
}
