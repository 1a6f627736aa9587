package harm

import (
	"net"
	"sync"
)

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

// outlet is a connection that has to be closed.
type outlet struct {
	mu   sync.Mutex
	conn net.Conn
	sent int
}

func (r *outlet) send(line string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent++
	_, err := r.conn.Write([]byte(line))
	return err
}

func (r *outlet) close() { r.conn.Close() }

type Outlets struct{ m sync.Map }

// MediumDial closes the one that comes too late, and the one that fails.
func (rs *Outlets) MediumDial(host, line string) error {
	v, ok := rs.m.Load(host)
	if !ok {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			return err
		}
		r := &outlet{conn: conn}
		if v, ok = rs.m.LoadOrStore(host, r); ok {
			r.close()
		}
	}
	r := v.(*outlet)
	err := r.send(line)
	if err != nil {
		rs.m.CompareAndDelete(host, r)
		r.close()
	}
	return err
}

type Senders struct{ m sync.Map }

// HighDial sends with the one that comes too late, which others do not know.
func (rs *Senders) HighDial(host, line string) error {
	if v, ok := rs.m.Load(host); ok {
		return v.(*outlet).send(line)
	}
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return err
	}
	r := &outlet{conn: conn}
	rs.m.Store(host, r)
	return r.send(line)
}
