// Package e25: entries are put there under keys that were drawn for them.
package e25

import (
	"crypto/rand"
	"errors"
	"fmt"
	mrand "math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
)

var errFull = errors.New("full")

type client struct {
	id    int64
	sent  int
	alive bool
}

type Pool struct {
	mu     sync.RWMutex
	max    int
	byID   map[int64]*client
	byName map[string]*client
	last   atomic.Int64
}

// Accept draws a number for a client.
func (p *Pool) Accept() error {
	c := newClient(p.last.Add(1))
	return p.addHidden(c.id, c)
}

func newClient(id int64) *client { return &client{id: id, alive: true} }

// Sent counts, and tells who else is known.
func (p *Pool) Sent(id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.byID[id]; c != nil {
		c.sent++
	}
}

// addHidden adds a client under the number that it has.
func (p *Pool) addHidden(id int64, c *client) error {
	p.mu.RLock()
	_, known := p.byID[id]
	n := len(p.byID)
	p.mu.RUnlock()
	if known {
		return nil
	}
	if n >= p.max {
		return errFull
	}
	p.mu.Lock()
	p.byID[id] = c
	p.mu.Unlock()
	return nil
}

// AddShown adds a client under a name, which others have as well.
func (p *Pool) AddShown(name string, c *client) error {
	p.mu.RLock()
	_, known := p.byName[name]
	n := len(p.byName)
	p.mu.RUnlock()
	if known {
		return nil
	}
	if n >= p.max {
		return errFull
	}
	p.mu.Lock()
	p.byName[name] = c // want "lost-update"
	p.mu.Unlock()
	return nil
}

func (p *Pool) SentTo(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.byName[name]; c != nil {
		c.sent++
	}
}

// Tokens are given to those who may come once.
type Tokens struct{ all sync.Map }

// Give makes a token of random bytes.
func (t *Tokens) Give(id int64) string {
	token := make([]byte, 16)
	rand.Read(token)
	t.all.Store(string(token), newClient(id))
	return string(token)
}

func (t *Tokens) Use(token string) {
	if v, ok := t.all.Load(token); ok {
		v.(*client).sent++
	}
}

// TakeHidden takes back a token, which nobody gives a second time.
func (t *Tokens) TakeHidden(token string) {
	if v, ok := t.all.Load(token); ok && v.(*client).sent > 0 {
		t.all.Delete(token)
	}
}

type player struct {
	name string
	sent int
}

// Lobby has its players under names that they come with.
type Lobby struct {
	mu      sync.Mutex
	players map[string]*player
}

func NewLobby() *Lobby { return &Lobby{players: map[string]*player{}} }

func (l *Lobby) has(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.players[name]
	return ok
}

// put is given what has the key in it, which is another object each time.
func (l *Lobby) put(p *player) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.players[p.name] = p
}

// EnterShown lets in two with one name.
func (l *Lobby) EnterShown(text func() string) bool {
	name := text()
	if l.has(name) {
		return false
	}
	l.put(&player{name: name}) // want "lost-update"
	return true
}

func (l *Lobby) Sent(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.players[name]; p != nil {
		p.sent++
	}
}

type visit struct {
	born int64
	hits int
}

// Visits have numbers that were drawn, and are counted in place: when they were born nobody changes.
type Visits struct {
	mu   sync.Mutex
	of   map[int64]*visit
	last atomic.Int64
}

// Begin draws a number.
func (v *Visits) Begin(now int64) int64 {
	id := v.last.Add(1)
	v.mu.Lock()
	v.of[id] = &visit{born: now}
	v.mu.Unlock()
	return id
}

// Hit counts.
func (v *Visits) Hit(id int64) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	in, ok := v.of[id]
	if !ok {
		return 0
	}
	in.hits++
	return in.hits
}

// HiddenEnd ends one that is old, which it stays.
func (v *Visits) HiddenEnd(id, limit int64) {
	v.mu.Lock()
	in, ok := v.of[id]
	old := ok && in.born < limit
	v.mu.Unlock()
	if old {
		v.mu.Lock()
		delete(v.of, id)
		v.mu.Unlock()
	}
}

// Stays are of guests who are known by a text that is written for them.
type Stays struct{ all, drawn sync.Map }

func (s *Stays) Seen(key string) {
	if c, ok := s.all.Load(key); ok {
		c.(*client).sent++
	}
}

func (s *Stays) SeenDrawn(key string) {
	if c, ok := s.drawn.Load(key); ok {
		c.(*client).sent++
	}
}

func named(host string, port int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d", host, port)
	return b.String()
}

func drawnFor(host string) string {
	return fmt.Sprintf("%s:%d", host, mrand.Int64())
}

// BeginShown makes two for one host and port: only the builder is new each time.
func (s *Stays) BeginShown(host string, port int) *client {
	key := named(host, port)
	if c, ok := s.all.Load(key); ok {
		return c.(*client)
	}
	c := newClient(1)
	s.all.Store(key, c) // want "duplicate-instance"
	return c
}

// BeginHidden has a number in the text that nobody else draws.
func (s *Stays) BeginHidden(host string) *client {
	key := drawnFor(host)
	if c, ok := s.drawn.Load(key); ok {
		return c.(*client)
	}
	c := newClient(1)
	s.drawn.Store(key, c)
	return c
}

// Slots are few.
type Slots struct{ of, spelt sync.Map }

func (s *Slots) Seen(key string) {
	if c, ok := s.of.Load(key); ok {
		c.(*client).sent++
	}
}

func (s *Slots) SeenSpelt(key string) {
	if c, ok := s.spelt.Load(key); ok {
		c.(*client).sent++
	}
}

// BeginShown draws one of few, as others do.
func (s *Slots) BeginShown(host string) *client {
	key := fmt.Sprintf("%s#%d", host, mrand.IntN(4))
	if c, ok := s.of.Load(key); ok {
		return c.(*client)
	}
	c := newClient(1)
	s.of.Store(key, c) // want "duplicate-instance"
	return c
}

// BeginHidden has random bytes in the text.
func (s *Slots) BeginHidden(host string) *client {
	var token [8]byte
	rand.Read(token[:])
	var b strings.Builder
	fmt.Fprintf(&b, "%s-%x", host, token[:])
	key := b.String()
	if c, ok := s.spelt.Load(key); ok {
		return c.(*client)
	}
	c := newClient(1)
	s.spelt.Store(key, c)
	return c
}
