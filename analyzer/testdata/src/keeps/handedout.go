package keeps

import "sync"

// What undoes a registration is handed out, to whoever calls it, at any time.

type check struct {
	probe func() error
	fails int
}

type Checks struct {
	mu sync.RWMutex
	m  map[string]*check
}

func NewChecks() *Checks { return &Checks{m: map[string]*check{}} }

// Probe counts failures, so that each check is itself.
func (c *Checks) Probe(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.m[name]; k != nil && k.probe() != nil {
		k.fails++
	}
}

// Register returns what removes a newer check as well.
func (c *Checks) Register(name string, probe func() error) (unregister func()) {
	k := &check{probe: probe}
	c.mu.Lock()
	c.m[name] = k
	c.mu.Unlock()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.m, name) // want "stale-delete"
	}
}

// Replace returns what removes its own check alone.
func (c *Checks) Replace(name string, probe func() error) (unregister func()) {
	k := &check{probe: probe}
	c.mu.Lock()
	c.m[name] = k
	c.mu.Unlock()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.m[name] == k {
			delete(c.m, name)
		}
	}
}

// Line is a connection that calls back when it ends.
type Line struct {
	User  string
	ended []func()
	sent  int
}

func (l *Line) OnEnd(f func()) { l.ended = append(l.ended, f) }

func (l *Line) End() {
	for _, f := range l.ended {
		f()
	}
}

type Board struct {
	mu    sync.Mutex
	lines map[string]*Line
}

func (b *Board) Send(user string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l := b.lines[user]; l != nil {
		l.sent++
	}
}

// Plug has a callback that removes the line of somebody who has come back.
func (b *Board) Plug(l *Line) {
	b.mu.Lock()
	b.lines[l.User] = l
	b.mu.Unlock()
	l.OnEnd(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.lines, l.User) // want "stale-delete"
	})
}

// PlugOwn has one that looks.
func (b *Board) PlugOwn(l *Line) {
	b.mu.Lock()
	b.lines[l.User] = l
	b.mu.Unlock()
	l.OnEnd(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.lines[l.User] == l {
			delete(b.lines, l.User)
		}
	})
}

// feed has the key under which it is in the map: nobody assigns it again.
type feed struct {
	Topic string
	C     chan string
}

type Feeds struct {
	mu sync.Mutex
	m  map[string]*feed
}

func (f *Feeds) Tell(topic, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if d := f.m[topic]; d != nil {
		d.C <- text
	}
}

// Open removes whatever feed is there in the end, under the key that its own has.
func (f *Feeds) Open(topic string, show func(string)) {
	d := &feed{Topic: topic, C: make(chan string, 1)}
	f.mu.Lock()
	f.m[topic] = d
	f.mu.Unlock()
	go f.pump(d, show)
}

func (f *Feeds) pump(d *feed, show func(string)) {
	defer f.close(d) // want "stale-delete"
	for text := range d.C {
		show(text)
	}
}

func (f *Feeds) close(d *feed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.m, d.Topic)
}

// moved is a feed that goes to another topic: its key is not what it was made with.
type moved struct {
	topic string
	c     chan string
}

type Moves struct {
	mu sync.Mutex
	m  map[string]*moved
}

func (f *Moves) Tell(topic, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if d := f.m[topic]; d != nil {
		d.c <- text
	}
}

// Move puts it under another topic.
func (f *Moves) Move(d *moved, topic string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.m, d.topic)
	d.topic = topic
	f.m[topic] = d
}

// Open removes it from where it is in the end, if it is still there.
func (f *Moves) Open(topic string, show func(string)) *moved {
	d := &moved{topic: topic, c: make(chan string, 1)}
	f.mu.Lock()
	f.m[topic] = d
	f.mu.Unlock()
	go func() {
		for text := range d.c {
			show(text)
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.m[d.topic] == d {
			delete(f.m, d.topic)
		}
	}()
	return d
}
