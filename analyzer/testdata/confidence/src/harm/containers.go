package harm

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
)

// Remembered has maps under its keys.
type Remembered struct {
	labels sync.Map
	mu     sync.Mutex
	rooms  map[string]map[string]int
	shown  map[string]map[string]int
	build  func(string) (map[string]int, error)
}

func (c *Remembered) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	c.MediumLabels(r.Host)
	c.MediumRooms(r.Host)
	c.HighRooms(r.Host, r.Method)
}

// MediumLabels is filled before it is put there.
func (c *Remembered) MediumLabels(service string) map[string]string {
	if v, ok := c.labels.Load(service); ok {
		return v.(map[string]string)
	}
	m := map[string]string{}
	m["service"] = service
	c.labels.Store(service, m)
	return m
}

// MediumRooms remembers what is found out.
func (c *Remembered) MediumRooms(name string) map[string]int {
	c.mu.Lock()
	m, ok := c.rooms[name]
	c.mu.Unlock()
	if ok {
		return m
	}
	m = map[string]int{}
	for i := range len(name) {
		m[name[i:]] = i
	}
	c.mu.Lock()
	c.rooms[name] = m
	c.mu.Unlock()
	return m
}

// HighRooms counts in what is there.
func (c *Remembered) HighRooms(name, guest string) {
	c.mu.Lock()
	m, ok := c.shown[name]
	c.mu.Unlock()
	if !ok {
		m = map[string]int{}
		c.mu.Lock()
		c.shown[name] = m
		c.mu.Unlock()
	}
	c.mu.Lock()
	m[guest]++
	c.mu.Unlock()
}

// Relations remembers which of its parts decides about a pair, and who has it.
type Relations struct {
	computed sync.Map
	owners   sync.Map
	parts    map[string]string
}

func (r *Relations) ServeHTTP(_ http.ResponseWriter, q *http.Request) {
	r.HighOwner(q.Host, q.Method)
}

// MediumRelation stores a part of the key.
func (r *Relations) MediumRelation(kind, relation string) string {
	key := fmt.Sprintf("%s-%s", kind, relation)
	if v, ok := r.computed.Load(key); ok {
		return v.(string)
	}
	next, err := r.next(kind, relation)
	if err != nil {
		return ""
	}
	if next != "" {
		return r.MediumRelation(kind, next)
	}
	r.computed.Store(key, relation)
	return relation
}

// HighOwner stores what the caller brings along.
func (r *Relations) HighOwner(kind, owner string) string {
	key := kind + "-"
	if v, ok := r.owners.Load(key); ok {
		return v.(string)
	}
	r.owners.Store(key, owner)
	return owner
}

func (r *Relations) next(kind, relation string) (string, error) {
	if kind == "" {
		return "", errors.New("no kind")
	}
	return r.parts[kind+"/"+relation], nil
}
