package esop14

import (
	"fmt"
	"strings"
	"sync"
)

// The rows of this file load, create, offer the value with LoadOrStore and
// then return their own value whether or not the offer won: the caller may
// get an object that was never in the map.

// Outbox keeps the messages of each sender: string -> *sync.Map, and in there
// those for each receiver: string -> *Queue.
type Outbox struct{ senders sync.Map }

// N01 does so with a map as the value. Expected: violation.
func (b *Outbox) N01(sender string) *sync.Map {
	v, ok := b.senders.Load(sender)
	if !ok {
		v = new(sync.Map)
		b.senders.LoadOrStore(sender, v)
	}
	return v.(*sync.Map)
}

// N02 does so on the map that N01 returned. Expected: violation.
func (b *Outbox) N02(receivers *sync.Map, receiver string) *Queue {
	v, ok := receivers.Load(receiver)
	if !ok {
		v = newQueue(receiver)
		receivers.LoadOrStore(receiver, v)
	}
	return v.(*Queue)
}

// N02Good keeps the winner. Expected: verified.
func (b *Outbox) N02Good(receivers *sync.Map, receiver string) *Queue {
	v, ok := receivers.Load(receiver)
	if !ok {
		v, _ = receivers.LoadOrStore(receiver, newQueue(receiver))
	}
	return v.(*Queue)
}

// N02Nested does both steps of N01 and N02. Expected: violation.
func (b *Outbox) N02Nested(sender, receiver string) *Queue {
	v, ok := b.senders.Load(sender)
	if !ok {
		v = new(sync.Map)
		b.senders.LoadOrStore(sender, v)
	}
	receivers := v.(*sync.Map)
	q, ok := receivers.Load(receiver)
	if !ok {
		q = newQueue(receiver)
		receivers.LoadOrStore(receiver, q)
	}
	return q.(*Queue)
}

// GPIReget reads the map again when the offer lost, as a later version of N01
// did: the entry may be gone by then. Expected: violation.
func (b *Outbox) GPIReget(sender string) *sync.Map {
	v, ok := b.senders.Load(sender)
	if !ok {
		v = new(sync.Map)
		if _, loaded := b.senders.LoadOrStore(sender, v); loaded {
			v, _ = b.senders.Load(sender)
		}
	}
	m, _ := v.(*sync.Map)
	return m
}

// resourceKey is a composite key, equal by content.
type resourceKey struct{ class, instance string }

// subResource is nil for instances that are not exported.
func subResource(key resourceKey) *Info {
	if strings.HasPrefix(key.instance, "_") {
		return nil
	}
	return &Info{name: key.class + "." + key.instance}
}

// ResourceInfo keeps the resources below one resource.
type ResourceInfo struct{ subs sync.Map } // resourceKey -> *Info

// N10 has a composite key and may create nil. Expected: violation.
func (r *ResourceInfo) N10(class, instance string) *Info {
	key := resourceKey{class, instance}
	if v, ok := r.subs.Load(key); ok {
		return v.(*Info)
	}
	sub := subResource(key)
	if sub != nil {
		r.subs.LoadOrStore(key, sub)
	}
	return sub
}

// ConverterCache keeps one converter per type.
type ConverterCache struct{ converters sync.Map } // string -> *Converter

// className strips what a pointer type has in front.
func className(typeName string) string { return strings.TrimPrefix(typeName, "*") }

// N12 creates only if asked to; the key is computed twice.
// Expected: violation.
func (c *ConverterCache) N12(typeName string, create bool) *Converter {
	v, ok := c.converters.Load(className(typeName))
	if ok {
		return v.(*Converter)
	}
	if !create {
		return nil
	}
	conv := newConverter(typeName)
	c.converters.LoadOrStore(className(typeName), conv)
	return conv
}

// plainConverter is shared by all types without a package.
var plainConverter = &Converter{typeName: "plain"}

// N13 offers a shared constant or a new value, by a pure function of the key.
// Expected: violation.
func (c *ConverterCache) N13(typeName string) *Converter {
	if v, ok := c.converters.Load(typeName); ok {
		return v.(*Converter)
	}
	conv := plainConverter
	if strings.Contains(typeName, ".") {
		conv = newConverter(typeName)
	}
	c.converters.LoadOrStore(typeName, conv)
	return conv
}

// Skeletons makes one skeleton per service that is configured.
type Skeletons struct {
	services  map[string]string // path -> class; not written after start
	skeletons sync.Map          // string -> *Info
}

// N21 has the last path segment as the key and two ways to fail, decided by a
// table that nobody writes. Expected: violation.
func (s *Skeletons) N21(path string) (*Info, error) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if v, ok := s.skeletons.Load(name); ok {
		return v.(*Info), nil
	}
	class, ok := s.services[name]
	if !ok {
		return nil, fmt.Errorf("no service %q", name)
	}
	if !strings.HasSuffix(class, "Service") {
		return nil, fmt.Errorf("%q is not a service", class)
	}
	info := newInfo(class)
	// Creating it twice does no harm; returning the wrong one does.
	s.skeletons.LoadOrStore(name, info)
	return info, nil
}

// Navigator keeps the page tree of each site.
type Navigator struct {
	mu    sync.Mutex
	sites sync.Map // string -> *Scope
}

// N28 holds a lock of its own, which the other users of the map do not take.
// Expected: violation.
func (n *Navigator) N28(site string) *Scope {
	n.mu.Lock()
	defer n.mu.Unlock()
	if v, ok := n.sites.Load(site); ok {
		return v.(*Scope)
	}
	scope := newScope(site)
	n.sites.LoadOrStore(site, scope)
	return scope
}
