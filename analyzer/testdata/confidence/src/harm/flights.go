package harm

import "sync"

// Loads has one load something for all who ask for it.
type Loads struct {
	mu   sync.RWMutex
	load func(string) (int, error)
	on   map[string]*loading
}

type loading struct {
	wg  sync.WaitGroup
	n   int
	err error
}

// MediumLoad removes what it has put there itself, while all others wait for it.
func (l *Loads) MediumLoad(name string) (n int, err error) {
	l.mu.RLock()
	other, ok := l.on[name]
	l.mu.RUnlock()
	if ok {
		other.wg.Wait()
		return other.n, other.err
	}
	l.mu.Lock()
	other, ok = l.on[name]
	if ok {
		l.mu.Unlock()
		other.wg.Wait()
		return other.n, other.err
	}
	own := &loading{}
	own.wg.Add(1)
	l.on[name] = own
	l.mu.Unlock()
	defer func() {
		if err != nil {
			l.mu.Lock()
			delete(l.on, name)
			l.mu.Unlock()
		}
		own.n, own.err = n, err
		own.wg.Done()
	}()
	return l.load(name)
}

// Reloads can be told to load again.
type Reloads struct {
	mu   sync.RWMutex
	load func(string) (int, error)
	on   map[string]*loading
}

// HighLoad removes what another one has put there since somebody has forgotten what this one had.
func (l *Reloads) HighLoad(name string) (n int, err error) {
	l.mu.RLock()
	other, ok := l.on[name]
	l.mu.RUnlock()
	if ok {
		other.wg.Wait()
		return other.n, other.err
	}
	l.mu.Lock()
	other, ok = l.on[name]
	if ok {
		l.mu.Unlock()
		other.wg.Wait()
		return other.n, other.err
	}
	own := &loading{}
	own.wg.Add(1)
	l.on[name] = own
	l.mu.Unlock()
	defer func() {
		if err != nil {
			l.mu.Lock()
			delete(l.on, name)
			l.mu.Unlock()
		}
		own.n, own.err = n, err
		own.wg.Done()
	}()
	return l.load(name)
}

// Forget has the next one load it again.
func (l *Reloads) Forget(name string) {
	l.mu.Lock()
	delete(l.on, name)
	l.mu.Unlock()
}
