package harm

import (
	"errors"
	"fmt"
	"sync"
)

// Case is closed once, and whoever comes later is told so.
type Case struct {
	mu    sync.Mutex
	state int
}

func (c *Case) status() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

func (c *Case) become(s int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = s
}

func tooLate(what string, state int) error {
	if state == 2 {
		return errors.New("it is closed")
	}
	return fmt.Errorf("it cannot be %s in state %d", what, state)
}

func (c *Case) Reopen() { c.become(0) }

// HighFinish lets two finish it: what the helper gives is always an error.
func (c *Case) HighFinish() error {
	if s := c.status(); s != 0 {
		return tooLate("finished", s)
	}
	c.become(1)
	return nil
}

func perhaps(state int) error {
	if state == 1 {
		return nil
	}
	return errors.New("not yet")
}

// MediumRepeat has been refused by nobody: that it was done before is as good.
func (c *Case) MediumRepeat() error {
	if s := c.status(); s != 0 {
		return perhaps(s)
	}
	c.become(1)
	return nil
}

// Bid is the highest one so far.
type Bid struct {
	who   string
	cents int
	at    int64
}

// Sale takes bids.
type Sale struct {
	mu  sync.Mutex
	top Bid
	now func() int64
}

func (l *Sale) best() Bid {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.top
}

func (l *Sale) setBest(b Bid) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.top = b
}

// HighPlace replaces a higher one by a lower one.
func (l *Sale) HighPlace(who string, cents int) {
	if b := l.best(); cents <= b.cents+10 {
		return
	}
	l.setBest(Bid{who: who, cents: cents, at: l.now()})
}

// MediumRenew goes by a clock, of which both say the same.
func (l *Sale) MediumRenew(who string) {
	now := l.now()
	if b := l.best(); now <= b.at+10 {
		return
	}
	l.setBest(Bid{who: who, at: now})
}

// Run is undone once.
type Run struct {
	mu   sync.Mutex
	err  error
	undo func()
	done []func()
}

func (r *Run) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *Run) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

// HighFail undoes it twice, after the step.
func (r *Run) HighFail(err error) {
	if r.failure() != nil {
		return
	}
	r.note(err)
	r.undo()
}

// MediumFail only notes which one was the first.
func (r *Run) MediumFail(err error) {
	if r.failure() != nil {
		return
	}
	r.note(err)
}

// MediumUndo has nothing to undo the second time, perhaps.
func (r *Run) MediumUndo(err error) {
	if r.failure() != nil {
		return
	}
	r.note(err)
	for _, undo := range r.done {
		undo()
	}
}

// Signal wakes those who wait by closing a channel.
type Signal struct {
	mu   sync.Mutex
	done bool
	wake chan struct{}
	once chan struct{}
}

func (s *Signal) isDone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done
}

func (s *Signal) setDone(done bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = done
}

func (s *Signal) interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.wake)
	s.wake = make(chan struct{})
}

// HighEnd closes what is closed.
func (s *Signal) HighEnd() {
	if s.isDone() {
		return
	}
	s.setDone(true)
	close(s.once)
}

// MediumEnd wakes them twice, by another channel each time.
func (s *Signal) MediumEnd() {
	if s.isDone() {
		return
	}
	s.setDone(true)
	s.interrupt()
}
