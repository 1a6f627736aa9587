package harm

import (
	"crypto/rand"
	"net/http"
	"sync"
)

type signin struct {
	user string
	used int64
}

// Signins have names that were drawn, and are used in place.
type Signins struct {
	mu sync.Mutex
	of map[string]*signin
}

func NewSignins() *Signins { return &Signins{of: map[string]*signin{}} }

func (l *Signins) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	l.begin(r.Host, r.ContentLength)
	l.use(r.URL.Path, r.ContentLength)
	l.HighExpire(r.URL.Path, r.ContentLength)
}

func (l *Signins) begin(user string, now int64) string {
	var raw [16]byte
	rand.Read(raw[:])
	id := string(raw[:])
	l.mu.Lock()
	l.of[id] = &signin{user: user, used: now}
	l.mu.Unlock()
	return id
}

func (l *Signins) use(id string, now int64) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	in, ok := l.of[id]
	if !ok {
		return ""
	}
	in.used = now
	return in.user
}

// HighExpire ends a signin that somebody has used since.
func (l *Signins) HighExpire(id string, limit int64) {
	l.mu.Lock()
	in, ok := l.of[id]
	old := ok && in.used < limit
	l.mu.Unlock()
	if old {
		l.mu.Lock()
		delete(l.of, id)
		l.mu.Unlock()
	}
}

// Letters have names that were drawn, and nobody changes them: what was old stays old.
type Letters struct {
	mu sync.Mutex
	of map[string]*signin
}

func NewLetters() *Letters { return &Letters{of: map[string]*signin{}} }

func (d *Letters) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	d.begin(r.Host, r.ContentLength)
	d.expire(r.URL.Path, r.ContentLength)
}

func (d *Letters) begin(user string, now int64) string {
	var raw [16]byte
	rand.Read(raw[:])
	id := string(raw[:])
	d.mu.Lock()
	d.of[id] = &signin{user: user, used: now}
	d.mu.Unlock()
	return id
}

// expire ends what nobody can have changed: under a drawn name there is no newer one.
func (d *Letters) expire(id string, limit int64) {
	d.mu.Lock()
	in, ok := d.of[id]
	old := ok && in.used < limit
	d.mu.Unlock()
	if old {
		d.mu.Lock()
		delete(d.of, id)
		d.mu.Unlock()
	}
}
