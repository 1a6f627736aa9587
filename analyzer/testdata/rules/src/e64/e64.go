// Package e64: who reads in parallel, and links what was read after that.
package e64

import "sync"

type fragment struct {
	name  string
	users int
}

func (f *fragment) use() { f.users++ }

type linker struct {
	mu    sync.Mutex
	frags map[string]*fragment
}

func (l *linker) get(name string) *fragment {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.frags[name]
}

func (l *linker) put(name string, f *fragment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.frags[name] = f
}

func (l *linker) parse(name string) { l.put(name, &fragment{name: name}) }

func (l *linker) linkHidden(name string) {
	f := l.get(name)
	if f == nil {
		f = &fragment{name: name}
		l.put(name, f)
	}
	f.use()
}

func Load(names []string) int {
	l := &linker{frags: map[string]*fragment{}}
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() { l.parse(name) })
	}
	wg.Wait()
	for _, name := range names {
		l.linkHidden(name)
	}
	return len(l.frags)
}

type eager struct {
	mu    sync.Mutex
	frags map[string]*fragment
}

func (l *eager) get(name string) *fragment {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.frags[name]
}

func (l *eager) put(name string, f *fragment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.frags[name] = f
}

func (l *eager) parse(name string) { l.put(name, &fragment{name: name}) }

func (l *eager) linkShown(name string) {
	f := l.get(name)
	if f == nil {
		f = &fragment{name: name}
		l.put(name, f) // want "lost-update|duplicate-instance"
	}
	f.use()
}

// LoadEagerly links while others still read.
func LoadEagerly(names []string) int {
	l := &eager{frags: map[string]*fragment{}}
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() { l.parse(name) })
		wg.Go(func() { l.linkShown(name) })
	}
	for _, name := range names {
		l.linkShown(name)
	}
	wg.Wait()
	return len(l.frags)
}
