package removal

import "sync"

type groupCall struct {
	done chan struct{}
	val  []byte
	err  error
}

// Group has the calls that run.
type Group struct {
	mu    sync.Mutex
	calls map[string]*groupCall
}

// Do runs fn, or waits for one that runs.
func (g *Group) Do(key string, fn func() ([]byte, error)) ([]byte, error) {
	g.mu.Lock()
	c, ok := g.calls[key]
	if !ok {
		c = g.start(key, fn)
	}
	g.mu.Unlock()
	<-c.done
	return c.val, c.err
}

// start is called with g.mu held.
func (g *Group) start(key string, fn func() ([]byte, error)) *groupCall {
	c := &groupCall{done: make(chan struct{})}
	if g.calls == nil {
		g.calls = map[string]*groupCall{}
	}
	g.calls[key] = c
	go func() {
		c.val, c.err = fn()
		g.mu.Lock()
		delete(g.calls, key) // want "stale-delete"
		g.mu.Unlock()
		close(c.done)
	}()
	return c
}

// Forget has the next one run its own.
func (g *Group) Forget(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.calls, key)
}

type ownCall struct {
	done chan struct{}
	val  []byte
	err  error
}

// OwnGroup has the calls that run.
type OwnGroup struct {
	mu    sync.Mutex
	calls map[string]*ownCall
}

// Do runs fn, or waits for one that runs.
func (g *OwnGroup) Do(key string, fn func() ([]byte, error)) ([]byte, error) {
	g.mu.Lock()
	c, ok := g.calls[key]
	if !ok {
		c = g.start(key, fn)
	}
	g.mu.Unlock()
	<-c.done
	return c.val, c.err
}

// start is called with g.mu held.
func (g *OwnGroup) start(key string, fn func() ([]byte, error)) *ownCall {
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
func (g *OwnGroup) Forget(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.calls, key)
}
