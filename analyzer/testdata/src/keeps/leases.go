package keeps

import (
	"errors"
	"sync"
	"time"
)

// Who puts something there only where there is nothing holds the key until it goes. If others take
// the entry away before that, a newer one is there when the holder is done.

var errHeld = errors.New("held")

type lease struct {
	name    string
	expires time.Time
}

// Leases has leases that can be given back early.
type Leases struct {
	mu sync.Mutex
	m  map[string]*lease
}

// Renew changes a lease.
func (s *Leases) Renew(l *lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.expires = time.Now()
}

func (s *Leases) Grant(name string) (*lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, held := s.m[name]; held {
		return nil, errHeld
	}
	l := &lease{name: name}
	s.m[name] = l
	go s.watch(l)
	return l, nil
}

func (s *Leases) watch(l *lease) {
	for {
		s.mu.Lock()
		left := time.Until(l.expires)
		if left <= 0 {
			delete(s.m, l.name) // want "stale-delete"
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		time.Sleep(left)
	}
}

// GrantOwn removes no other lease than its own.
func (s *Leases) GrantOwn(name string) (*lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, held := s.m[name]; held {
		return nil, errHeld
	}
	l := &lease{name: name}
	s.m[name] = l
	time.AfterFunc(time.Minute, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.m[name] == l {
			delete(s.m, name)
		}
	})
	return l, nil
}

// Release gives a lease back early.
func (s *Leases) Release(l *lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m[l.name] == l {
		delete(s.m, l.name)
	}
}

// Tasks are never taken away by others than those who have put them there.
type Tasks struct {
	mu sync.Mutex
	m  map[string]*lease
}

func (s *Tasks) Renew(l *lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.expires = time.Now()
}

func (s *Tasks) Start(name string, run func()) error {
	s.mu.Lock()
	if s.m[name] != nil {
		s.mu.Unlock()
		return errHeld
	}
	s.m[name] = &lease{name: name}
	s.mu.Unlock()
	go func() {
		run()
		s.done(name)
	}()
	return nil
}

// Do is done when it returns.
func (s *Tasks) Do(name string, run func()) error {
	s.mu.Lock()
	if _, ok := s.m[name]; ok {
		s.mu.Unlock()
		return errHeld
	}
	s.m[name] = &lease{name: name}
	s.mu.Unlock()
	defer s.done(name)
	run()
	return nil
}

func (s *Tasks) done(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, name)
}

// Stop takes all away: nobody starts one afterwards.
func (s *Tasks) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.m {
		delete(s.m, name)
	}
}

// Pages are there once: who finds one uses that, and the last one who does removes it.
type Pages struct {
	mu sync.Mutex
	m  map[string]*page
}

type page struct{ users int }

func (s *Pages) Use(name string, use func(*page)) {
	s.mu.Lock()
	p, ok := s.m[name]
	if !ok {
		p = &page{}
		s.m[name] = p
	}
	p.users++
	s.mu.Unlock()
	use(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.users--; p.users == 0 {
		delete(s.m, name)
	}
}

func (s *Pages) Drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.m[name]; p != nil && p.users == 0 {
		delete(s.m, name)
	}
}

// Helpers stops the one that was there, and starts another one: what was there says nothing about
// whether that is done.
type Helpers struct {
	mu sync.Mutex
	m  map[string]*helper
}

type helper struct {
	stop func()
	runs int
}

func (s *Helpers) Count(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.m[name]; h != nil {
		h.runs++
	}
}

func (s *Helpers) Start(name string, start func() (*helper, error), wait func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.m[name]; ok {
		old.stop()
	}
	h, err := start()
	if err != nil {
		return err
	}
	s.m[name] = h
	go func() {
		wait()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.m, name) // want "stale-delete"
	}()
	return nil
}

func (s *Helpers) StartOwn(name string, start func() (*helper, error), wait func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.m[name]; ok {
		old.stop()
	}
	h, err := start()
	if err != nil {
		return err
	}
	s.m[name] = h
	go func() {
		wait()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.m[name] == h {
			delete(s.m, name)
		}
	}()
	return nil
}
