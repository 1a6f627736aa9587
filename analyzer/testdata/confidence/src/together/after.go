package together

import "sync"

// A lock that is taken when the helper is done keeps nobody away from it.

type volumeLocks struct{ m sync.Map }

type Volumes struct {
	locks volumeLocks
	do    func(volume string) error
}

func (v *volumeLocks) HighLock(volume string) *sync.Mutex {
	if mu, ok := v.m.Load(volume); ok {
		return mu.(*sync.Mutex)
	}
	mu := new(sync.Mutex)
	v.m.Store(volume, mu)
	return mu
}

func (v *Volumes) Attach(volume string) error {
	mu := v.locks.HighLock(volume)
	mu.Lock()
	defer mu.Unlock()
	return v.do(volume)
}

type guestLocks struct{ m sync.Map }

// Guests takes one that may be held there, whatever it is.
type Guests struct {
	door  func() sync.Locker
	locks guestLocks
	do    func(guest string) error
}

func (g *guestLocks) MediumLock(guest string) *sync.Mutex {
	if mu, ok := g.m.Load(guest); ok {
		return mu.(*sync.Mutex)
	}
	mu := new(sync.Mutex)
	g.m.Store(guest, mu)
	return mu
}

func (g *Guests) Enter(guest string) error {
	d := g.door()
	d.Lock()
	defer d.Unlock()
	mu := g.locks.MediumLock(guest)
	mu.Lock()
	defer mu.Unlock()
	return g.do(guest)
}
