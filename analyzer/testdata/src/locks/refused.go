package locks

import (
	"context"
	"errors"
	"sync"
)

var errShut = errors.New("shut")

// Refusing takes its lock, unless it is shut, and says by an error that it has not.
type Refusing struct {
	mu     sync.Mutex
	shut   bool
	totals sync.Map
}

func (r *Refusing) enter() error {
	r.mu.Lock()
	if r.shut {
		r.mu.Unlock()
		return errShut
	}
	return nil
}

func (r *Refusing) enterUnless(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.enter()
}

func (r *Refusing) leave() { r.mu.Unlock() }

func (r *Refusing) Shut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shut = true
}

func (r *Refusing) Add(name string, n int) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.leave()
	v, _ := r.totals.Load(name)
	old, _ := v.(int)
	r.totals.Store(name, old+n)
	return nil
}

func (r *Refusing) AddUnless(ctx context.Context, name string, n int) error {
	if err := r.enterUnless(ctx); err != nil {
		return err
	}
	v, _ := r.totals.Load(name)
	old, _ := v.(int)
	r.totals.Store(name, old+n)
	r.leave()
	return nil
}

// Unheard goes on where it was refused.
type Unheard struct {
	mu     sync.Mutex
	shut   bool
	totals sync.Map
}

func (u *Unheard) enter() error {
	u.mu.Lock()
	if u.shut {
		u.mu.Unlock()
		return errShut
	}
	return nil
}

func (u *Unheard) Add(name string, n int) {
	err := u.enter()
	v, _ := u.totals.Load(name)
	old, _ := v.(int)
	u.totals.Store(name, old+n) // want "lost-update"
	if err == nil {
		u.mu.Unlock()
	}
}

// Silent does not say that it was refused.
type Silent struct {
	mu     sync.Mutex
	shut   bool
	totals sync.Map
}

func (s *Silent) enter() error {
	if s.shut {
		return nil
	}
	s.mu.Lock()
	return nil
}

func (s *Silent) Add(name string, n int) error {
	if err := s.enter(); err != nil {
		return err
	}
	v, _ := s.totals.Load(name)
	old, _ := v.(int)
	s.totals.Store(name, old+n) // want "lost-update"
	return nil
}

// Perhaps asks its context, which may have no error.
type Perhaps struct {
	mu     sync.Mutex
	shut   bool
	totals sync.Map
}

func (p *Perhaps) enter(ctx context.Context) error {
	if p.shut {
		return ctx.Err()
	}
	p.mu.Lock()
	return nil
}

func (p *Perhaps) Add(ctx context.Context, name string, n int) error {
	if err := p.enter(ctx); err != nil {
		return err
	}
	v, _ := p.totals.Load(name)
	old, _ := v.(int)
	p.totals.Store(name, old+n) // want "lost-update"
	return nil
}

// Done asks its context when it is done.
type Done struct {
	mu     sync.Mutex
	totals sync.Map
}

func (d *Done) enter(ctx context.Context, ready <-chan bool) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-ready:
	}
	d.mu.Lock()
	return nil
}

func (d *Done) Add(ctx context.Context, ready <-chan bool, name string, n int) error {
	if err := d.enter(ctx, ready); err != nil {
		return err
	}
	defer d.mu.Unlock()
	v, _ := d.totals.Load(name)
	old, _ := v.(int)
	d.totals.Store(name, old+n)
	return nil
}

// Changing has an error that is not always one.
type Changing struct {
	mu     sync.Mutex
	shut   bool
	totals sync.Map
}

var errNow error

// SetError says what who comes now is told.
func SetError(err error) { errNow = err }

func (c *Changing) enter() error {
	if c.shut {
		return errNow
	}
	c.mu.Lock()
	return nil
}

func (c *Changing) Add(name string, n int) error {
	if err := c.enter(); err != nil {
		return err
	}
	v, _ := c.totals.Load(name)
	old, _ := v.(int)
	c.totals.Store(name, old+n) // want "lost-update"
	return nil
}
