package keeps

import (
	"bufio"
	"net"
	"sync"
)

// What is put there is known by its methods alone.

type Uplinks struct {
	mu sync.Mutex
	m  map[string]net.Conn
}

func NewStreams() *Uplinks { return &Uplinks{m: map[string]net.Conn{}} }

func (s *Uplinks) attach(name string, c net.Conn) {
	s.mu.Lock()
	old := s.m[name]
	s.m[name] = c
	s.mu.Unlock()
	if old != nil {
		old.Close()
	}
}

func (s *Uplinks) detach(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, name)
}

// Serve takes the stream away that has come in the place of its own.
func (s *Uplinks) Serve(c net.Conn, each func(string)) {
	in := bufio.NewScanner(c)
	in.Scan()
	name := in.Text()
	s.attach(name, c)
	defer s.detach(name) // want "stale-delete"
	for in.Scan() {
		each(in.Text())
	}
}

// Own compares.
func (s *Uplinks) Own(c net.Conn, each func(string)) {
	in := bufio.NewScanner(c)
	in.Scan()
	name := in.Text()
	s.attach(name, c)
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.m[name] == c {
			delete(s.m, name)
		}
	}()
	for in.Scan() {
		each(in.Text())
	}
}

// Levels has numbers, of which one is like another.
type Levels struct {
	mu sync.Mutex
	m  map[string]any
}

func NewLevels() *Levels { return &Levels{m: map[string]any{}} }

func (l *Levels) With(name string, level any, do func()) {
	l.mu.Lock()
	l.m[name] = level
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.m, name)
	}()
	do()
}
