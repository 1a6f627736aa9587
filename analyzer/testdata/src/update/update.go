// Package update proves that a new value made from the old one must not
// overwrite what came in between. Negatives retry with CompareAndSwap, change
// the value in place under its own lock, or let the map do the step.
package update

import "sync"

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) inc() {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
}

// Counts are integers by name.
type Counts struct{ m sync.Map }

func (c *Counts) Inc(name string) {
	v, _ := c.m.Load(name)
	n, _ := v.(int)
	c.m.Store(name, n+1) // want "lost-update"
}

// IncExisting counts only what was counted before.
func (c *Counts) IncExisting(name string) int {
	v, ok := c.m.Load(name)
	if !ok {
		return 0
	}
	n := v.(int) + 1
	c.m.Store(name, n) // want "lost-update"
	return n
}

func (c *Counts) IncOnce(name string) {
	for {
		v, loaded := c.m.LoadOrStore(name, 1)
		if !loaded || c.m.CompareAndSwap(name, v, v.(int)+1) {
			return
		}
	}
}

func (c *Counts) IncLoop(name string) int {
	for {
		v, ok := c.m.Load(name)
		if !ok {
			if _, loaded := c.m.LoadOrStore(name, 1); !loaded {
				return 1
			}
			continue
		}
		n := v.(int)
		if c.m.CompareAndSwap(name, n, n+1) {
			return n + 1
		}
	}
}

// Value only reads.
func (c *Counts) Value(name string) int {
	v, _ := c.m.Load(name)
	n, _ := v.(int)
	return n
}

// Counters are objects, changed in place if there and stored if not. Two first
// callers make one each, and one of the two counts is lost.
type Counters struct{ m sync.Map }

func (c *Counters) Inc(name string) {
	if v, ok := c.m.Load(name); ok {
		v.(*counter).inc()
		return
	}
	fresh := &counter{n: 1}
	c.m.Store(name, fresh) // want "lost-update|duplicate-instance"
}

// CountersOnce finds out which counter is in the map before it counts.
type CountersOnce struct{ m sync.Map }

func (c *CountersOnce) Inc(name string) {
	v, ok := c.m.Load(name)
	if !ok {
		v, _ = c.m.LoadOrStore(name, &counter{})
	}
	v.(*counter).inc()
}

// Lists are texts and slices by name, extended by a copy.
type Lists struct{ texts, slices sync.Map }

func (l *Lists) Join(name, item string) {
	v, _ := l.texts.Load(name)
	old, _ := v.(string)
	l.texts.Store(name, old+","+item) // want "lost-update"
}

func (l *Lists) JoinOnce(name, item string) {
	for {
		v, loaded := l.texts.LoadOrStore(name, item)
		if !loaded || l.texts.CompareAndSwap(name, v, v.(string)+","+item) {
			return
		}
	}
}

func (l *Lists) Append(name, item string) {
	v, _ := l.slices.Load(name)
	old, _ := v.([]string)
	l.slices.Store(name, append(old[:len(old):len(old)], item)) // want "lost-update"
}

type version struct {
	number int
	text   string
}

// Versions keep the newest of what they are given.
type Versions struct{ m sync.Map }

func (s *Versions) Offer(name string, next *version) {
	if v, ok := s.m.Load(name); ok && v.(*version).number >= next.number {
		return
	}
	s.m.Store(name, next) // want "lost-update"
}

func (s *Versions) OfferOnce(name string, next *version) {
	for {
		v, ok := s.m.Load(name)
		if !ok {
			if _, loaded := s.m.LoadOrStore(name, next); !loaded {
				return
			}
			continue
		}
		if v.(*version).number >= next.number || s.m.CompareAndSwap(name, v, next) {
			return
		}
	}
}

// Replaced reports what it replaced, from a look before.
func (s *Versions) Replaced(name string, next *version) any {
	old, _ := s.m.Load(name)
	s.m.Store(name, next) // want "lost-update"
	return old
}

func (s *Versions) ReplacedOnce(name string, next *version) any {
	old, _ := s.m.Swap(name, next)
	return old
}

// Bump stores a changed copy of what it found.
func (s *Versions) Bump(name string) {
	v, ok := s.m.Load(name)
	if !ok {
		return
	}
	old := v.(*version)
	s.m.Store(name, &version{number: old.number + 1, text: old.text}) // want "lost-update"
}

// Set replaces whatever is there, and does not ask what it was.
func (s *Versions) Set(name string, next *version) { s.m.Store(name, next) }
