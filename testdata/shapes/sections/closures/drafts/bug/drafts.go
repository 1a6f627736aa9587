// Package drafts saves documents some time after the last change.
package drafts

import (
	"sync"
	"time"
)

// Saver saves documents.
type Saver struct {
	delay time.Duration
	save  func(name, text string)

	mu      sync.Mutex
	pending map[string]string
	timers  map[string]*time.Timer
}

// New returns a saver.
func New(delay time.Duration, save func(name, text string)) *Saver {
	return &Saver{delay: delay, save: save, pending: map[string]string{}, timers: map[string]*time.Timer{}}
}

// Changed notes a change, which will be saved.
func (s *Saver) Changed(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending[name] = text
	if t := s.timers[name]; t != nil {
		t.Reset(s.delay)
		return
	}
	s.timers[name] = time.AfterFunc(s.delay, func() { s.flush(name) })
}

func (s *Saver) flush(name string) {
	s.mu.Lock()
	text, ok := s.pending[name]
	s.mu.Unlock()
	if !ok {
		return
	}
	s.save(name, text)
	s.mu.Lock()
	delete(s.pending, name)
	s.mu.Unlock()
}
