// Package memo remembers results. What follows from the key may be computed twice,
// and stored twice; anything else may not.
package memo

import (
	"strings"
	"sync"
	"sync/atomic"
)

// Rules are looked at by a callee that is not at hand.
type Rules interface {
	Check(user string, names ...string) (bool, error)
	Merge(old any, name string) string
	NextID(name string) int
	Find(name string) *Rule
	Dial(name string, retries int) Link
}

// Rule is never changed once it is there.
type Rule struct{ text string }

func (r *Rule) Text() string { return r.text }

// Link is something that one has, and closes.
type Link interface{ Close() error }

// Cache remembers what the rules say.
type Cache struct {
	allowed sync.Map
	rules   Rules
}

// Allowed may ask with another user each time: what is under a name follows from
// the name, or there would be no sense in remembering it.
func (c *Cache) Allowed(user, name string) (bool, string) {
	if v, ok := c.allowed.Load(name); ok {
		return v.(bool), user
	}
	ok, _ := c.rules.Check(user, name)
	c.allowed.Store(name, ok)
	return ok, user
}

// Merged makes the new value of the old one.
type Merged struct {
	results sync.Map
	rules   Rules
}

func (m *Merged) Add(name string) string {
	v, _ := m.results.Load(name)
	all := m.rules.Merge(v, name)
	m.results.Store(name, all) // want "lost-update"
	return all
}

// Given stores what it is given, and not what it finds out.
type Given struct{ values sync.Map }

func (g *Given) Get(name string, value int) int {
	if v, ok := g.values.Load(name); ok {
		return v.(int)
	}
	g.values.Store(name, value) // want "lost-update"
	return value
}

// Updated has writers that do not compute what they store.
type Updated struct {
	allowed sync.Map
	rules   Rules
}

func (u *Updated) Get(user, name string) bool {
	if v, ok := u.allowed.Load(name); ok {
		return v.(bool)
	}
	ok, _ := u.rules.Check(user, name)
	u.allowed.Store(name, ok) // want "lost-update"
	return ok
}

func (u *Updated) Set(name string, ok bool) { u.allowed.Store(name, ok) }

// Once does something else the first time.
type Once struct {
	seen  sync.Map
	rules Rules
}

func (o *Once) First(user, name string) bool {
	if _, ok := o.seen.Load(name); ok {
		return false
	}
	ok, _ := o.rules.Check(user, name)
	o.seen.Store(name, ok) // want "lost-update"
	return true
}

// Joined has a key that is made of all arguments.
func Joined(rules Rules) func(args ...any) any {
	memory := sync.Map{}
	return func(args ...any) any {
		var b strings.Builder
		for _, a := range args {
			b.WriteByte(0)
			b.WriteString(a.(string))
		}
		key := b.String()
		v, found := memory.Load(key)
		if found {
			return v
		}
		if rules == nil {
			v = args[0] == args[1]
		} else {
			v, _ = rules.Check(args[0].(string), args[1].(string))
		}
		memory.Store(key, v)
		return v
	}
}

var names sync.Map

// Interned has one string for all that are equal.
func Interned(msg []byte) (kind byte, name string) {
	v, ok := names.Load(string(msg[1:9]))
	if !ok {
		v = string(msg[1:9])
		names.Store(v, v)
	}
	return msg[0], v.(string)
}

var aliases sync.Map

// Alias has another part of the message under the key.
func Alias(msg []byte) string {
	v, ok := aliases.Load(string(msg[1:9]))
	if !ok {
		v = string(msg[9:17])
		aliases.Store(string(msg[1:9]), v) // want "lost-update"
	}
	return v.(string)
}

// An element is filled when it is wanted.
type element struct {
	body atomic.Pointer[Rule]
}

// Backend has what an element has not got yet.
type Backend interface {
	GetRule(name string) (*Rule, error)
}

func fill(e *element, b Backend, name string) (*Rule, error) {
	if r := e.body.Load(); r != nil {
		return r, nil
	}
	r, err := b.GetRule(name)
	if err != nil {
		return nil, err
	}
	e.body.Store(r)
	return r, nil
}

// Body keeps fill in use.
func Body(b Backend, name string, elements map[string]*element) (*Rule, error) {
	return fill(elements[name], b, name)
}

// Links are no values, and each one that is lost stays open.
type Links struct {
	links sync.Map
	rules Rules
}

func (l *Links) Get(name string, retries int) (Link, int) {
	if v, ok := l.links.Load(name); ok {
		return v.(Link), retries
	}
	link := l.rules.Dial(name, retries)
	l.links.Store(name, link) // want "lost-update"
	return link, retries
}

// Config remembers what it looked up, and the last observer wins.
type Config struct {
	looked, observers sync.Map
	rules             Rules
}

// Observer is told of changes.
type Observer func(name string)

func (c *Config) find(name string) *Rule {
	if v, ok := c.looked.Load(name); ok {
		return v.(*Rule)
	}
	r := c.rules.Find(name)
	if r != nil {
		c.looked.Store(name, r)
	}
	return r
}

// Watch only asks whether there is a rule.
func (c *Config) Watch(name string, o Observer) bool {
	if c.find(name) == nil {
		return false
	}
	c.observers.Store(name, o)
	return true
}

// Index has what it finds in two maps, and forgets it in both.
type Index struct {
	looked, users sync.Map
	rules         Rules
}

func (x *Index) Use(name, user string) bool {
	r, ok := x.looked.Load(name)
	if !ok {
		if r, _ = x.rules.Check(user, name); r == false {
			return false
		}
		x.looked.Store(name, r)
	}
	x.users.Store(name, user) // want "lost-update"
	return true
}

func (x *Index) Forget(name string) {
	if _, ok := x.looked.Load(name); ok {
		x.looked.Delete(name) // want "stale-delete"
		x.users.Delete(name)
	}
}
