package harm

import "sync"

// Feed has a goroutine that reads from it.
type Feed struct{ lines chan string }

func start(name string) *Feed {
	f := &Feed{lines: make(chan string)}
	go func() {
		for range f.lines {
		}
	}()
	return f
}

type Feeds struct {
	mu sync.Mutex
	m  map[string]*Feed
}

func NewFeeds() *Feeds { return &Feeds{m: map[string]*Feed{}} }

func (f *Feeds) get(name string) (*Feed, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d, ok := f.m[name]
	return d, ok
}

func (f *Feeds) getOrSet(name string, d *Feed) (*Feed, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if old, ok := f.m[name]; ok {
		return old, true
	}
	f.m[name] = d
	return d, false
}

func (f *Feeds) Drop(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.m, name)
}

// MediumSpare has started one before it looks again, and uses what is there then.
func (f *Feeds) MediumSpare(name, line string) {
	d, ok := f.get(name)
	if !ok {
		spare := start(name)
		if d, ok = f.getOrSet(name, spare); ok {
			close(spare.lines)
		}
	}
	d.lines <- line
}
