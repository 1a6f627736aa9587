package esop14

import "sync"

// More rows of the family of getorcreate.go, most of them fragments of longer
// methods: what they return is the variable that survives the fragment.

// Bayeux keeps the clients of each browser.
type Bayeux struct{ browsers sync.Map } // string -> *Queue

// V14 returns the list to which its caller appends the client.
// Expected: verified.
func (b *Bayeux) V14(browser string) *Queue {
	v, ok := b.browsers.Load(browser)
	if !ok {
		fresh := newQueue(browser)
		v = fresh
		if prev, loaded := b.browsers.LoadOrStore(browser, fresh); loaded {
			v = prev
		}
	}
	return v.(*Queue)
}

// Room keeps the members of each chat room: string -> *Queue.
type Room struct{ members sync.Map }

// V15 is the fragment that runs when a member joins. Expected: verified.
func (r *Room) V15(room string) *Queue {
	v, ok := r.members.Load(room)
	if !ok {
		fresh := newQueue(room)
		prev, loaded := r.members.LoadOrStore(room, fresh)
		v = prev
		if !loaded {
			v = fresh
		}
	}
	return v.(*Queue)
}

// V16 is the fragment that runs when a member leaves, almost the same.
// Expected: verified.
func (r *Room) V16(room string) *Queue {
	members, found := r.members.Load(room)
	if !found {
		empty := newQueue(room)
		var loaded bool
		if members, loaded = r.members.LoadOrStore(room, empty); !loaded {
			members = empty
		}
	}
	return members.(*Queue)
}

// Templates keeps the templates in use: string -> *Scope.
type Templates struct{ active sync.Map }

// V17 looks up by a comma-ok and reuses one variable throughout.
// Expected: verified.
func (t *Templates) V17(name string) *Scope {
	v, ok := t.active.Load(name)
	if !ok {
		v, _ = t.active.LoadOrStore(name, newScope(name))
	}
	return v.(*Scope)
}

var defaults sync.Map // string -> *Scope

// V18 asks the caller's provider on a miss; four returns. The provider is
// assumed to be deterministic. Expected: verified.
func V18(key string, provider func() *Scope) *Scope {
	if v, ok := defaults.Load(key); ok {
		return v.(*Scope)
	} else {
		fresh := provider()
		if fresh == nil {
			return nil
		}
		if prev, loaded := defaults.LoadOrStore(key, fresh); loaded {
			return prev.(*Scope)
		} else {
			return fresh
		}
	}
}

// StreamCache keeps one queue of idle streams per key.
type StreamCache struct{ queues sync.Map } // string -> *Queue

// V19 has three early returns: hit, lost the race, won the race.
// Expected: verified.
func (c *StreamCache) V19(key string) *Queue {
	if q, ok := c.queues.Load(key); ok {
		return q.(*Queue)
	}
	fresh := newQueue(key)
	prev, loaded := c.queues.LoadOrStore(key, fresh)
	if loaded {
		return prev.(*Queue)
	}
	return fresh
}

// CallRecorder keeps statistics per method, in two maps.
type CallRecorder struct {
	calls  sync.Map // string -> *Stats
	errors sync.Map // string -> *Stats
}

// V22 creates with the key. Expected: verified.
func (r *CallRecorder) V22(method string) *Stats {
	v, ok := r.calls.Load(method)
	if !ok {
		fresh := newStats(method)
		v = fresh
		if prev, loaded := r.calls.LoadOrStore(method, fresh); loaded {
			v = prev
		}
	}
	return v.(*Stats)
}

// V23 creates without the key. Expected: verified.
func (r *CallRecorder) V23(method string) *Stats {
	v, ok := r.errors.Load(method)
	if !ok {
		fresh := &Stats{}
		v = fresh
		if prev, loaded := r.errors.LoadOrStore(method, fresh); loaded {
			v = prev
		}
	}
	return v.(*Stats)
}

// V24 makes a plain counter, which its caller increments.
// Expected: verified.
func (p *Profiler) V24(method string) *Stats {
	v, ok := p.counters.Load(method)
	if !ok {
		fresh := new(Stats)
		v = fresh
		if prev, loaded := p.counters.LoadOrStore(method, fresh); loaded {
			v = prev
		}
	}
	return v.(*Stats)
}
