// Package results proves what counts as the result of a step. Errors with the
// same text are the same, wherever they were made. The answer of a call does
// not matter if nothing depends on it afterwards, and matters if something does.
package results

import (
	"errors"
	"fmt"
	"sync"
)

type session struct {
	mu   sync.Mutex
	hits int
}

var errTaken = errors.New("id is taken")

// Names has writers and removers besides the functions below.
type Names struct{ m sync.Map }

func (r *Names) Put(id string, s *session) { r.m.Store(id, s) }
func (r *Names) Drop(id string)            { r.m.Delete(id) }

// TwoErrors makes the same error on two paths.
func (r *Names) TwoErrors(id string, s *session) error {
	if _, ok := r.m.Load(id); ok {
		return errors.New("id is taken")
	}
	if _, loaded := r.m.LoadOrStore(id, s); loaded {
		return errors.New("id is taken")
	}
	return nil
}

// TwoFormats does so with the key in the text.
func (r *Names) TwoFormats(id string, s *session) error {
	if _, ok := r.m.Load(id); ok {
		return fmt.Errorf("session %q exists", id)
	}
	if _, loaded := r.m.LoadOrStore(id, s); loaded {
		return fmt.Errorf("session %q exists", id)
	}
	return nil
}

// Sentinel returns the same variable on both.
func (r *Names) Sentinel(id string, s *session) error {
	if _, ok := r.m.Load(id); ok {
		return errTaken
	}
	if _, loaded := r.m.LoadOrStore(id, s); loaded {
		return errTaken
	}
	return nil
}

// Register tells two callers that they were first.
func (r *Names) Register(id string, s *session) error {
	if _, ok := r.m.Load(id); ok {
		return errors.New("id is taken")
	}
	r.m.Store(id, s) // want "lost-update"
	return nil
}

// RegisterIgnored offers, and then does not ask what came of it.
func (r *Names) RegisterIgnored(id string, s *session) error {
	if _, ok := r.m.Load(id); ok {
		return errTaken
	}
	r.m.LoadOrStore(id, s) // want "lost-update"
	return nil
}

// Ensure ignores the answer too, but says nothing afterwards that depends on it.
func (r *Names) Ensure(id string) {
	if _, ok := r.m.Load(id); !ok {
		r.m.LoadOrStore(id, &session{})
	}
}

// Reported passes on the answer of the one call.
func (r *Names) Reported(id string, s *session) bool {
	_, loaded := r.m.LoadOrStore(id, s)
	return loaded
}

// Own is a map of which every value is made here.
type Own struct{ m sync.Map }

// Ignored goes on with its own value whether or not it is the one in the map.
func (o *Own) Ignored(id string) *session {
	if v, ok := o.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	o.m.LoadOrStore(id, s) // want "duplicate-instance"
	return s
}

// Inverted tests the flag the wrong way round.
type Inverted struct{ m sync.Map }

func (o *Inverted) Open(id string) *session {
	if v, ok := o.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	v, loaded := o.m.LoadOrStore(id, s) // want "duplicate-instance"
	if !loaded {
		return v.(*session)
	}
	return s
}

// Upright tests it the right way round.
type Upright struct{ m sync.Map }

func (o *Upright) Open(id string) *session {
	if v, ok := o.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	v, loaded := o.m.LoadOrStore(id, s)
	if loaded {
		return v.(*session)
	}
	return s
}

// Seen remembers ids: a second caller with the same id must be told.
type Seen struct{ m sync.Map }

func (s *Seen) First(id string) bool {
	if _, ok := s.m.Load(id); ok {
		return false
	}
	s.m.Store(id, true) // want "lost-update"
	return true
}

// SeenOnce uses the flag of the one atomic call.
type SeenOnce struct{ m sync.Map }

func (s *SeenOnce) First(id string) bool {
	_, loaded := s.m.LoadOrStore(id, true)
	return !loaded
}

func (s *SeenOnce) FirstAfterLook(id string) bool {
	if _, ok := s.m.Load(id); ok {
		return false
	}
	_, loaded := s.m.LoadOrStore(id, true)
	return !loaded
}
