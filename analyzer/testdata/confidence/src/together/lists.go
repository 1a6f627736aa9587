package together

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// Lines are added by those who call, and sent by a helper: a lock around a list of which some add to it
// is for several, whoever of them is exported.
type Lines struct {
	mu   sync.Mutex
	list []string
	send func([]string) error
}

func (l *Lines) Add(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, s)
}

func (l *Lines) Flush() error { return l.highFlush() }

func (l *Lines) highFlush() error {
	l.mu.Lock()
	batch := slices.Clone(l.list)
	l.mu.Unlock()
	if err := l.send(batch); err != nil {
		return err
	}
	l.mu.Lock()
	l.list = nil
	l.mu.Unlock()
	return nil
}

// Published is a list that is never changed in place. Those who change it take a lock to store the new one,
// so there are several.
type Published struct {
	list    atomic.Pointer[[]string]
	writers sync.Mutex
	changes int
}

func Publish() *Published {
	p := &Published{}
	p.list.Store(&[]string{})
	return p
}

func (p *Published) publish(list []string) {
	p.writers.Lock()
	defer p.writers.Unlock()
	p.list.Store(&list)
	p.changes++
}

func (p *Published) HighAdd(s string) {
	list := append(slices.Clone(*p.list.Load()), s)
	p.publish(list)
}

// Kept is such a list, and no lock says that several change it: that it is copied says as much, since one goroutine alone would
// add to it where it is.
type Kept struct{ list atomic.Pointer[[]string] }

func Keep() *Kept {
	p := &Kept{}
	p.list.Store(&[]string{})
	return p
}

func (p *Kept) HighAdd(s string) {
	list := append(slices.Clone(*p.list.Load()), s)
	p.list.Store(&list)
}

func (p *Kept) All() []string { return *p.list.Load() }

// Single is such a list, and asks for one who changes it.
type Single struct{ list atomic.Pointer[[]string] }

// MediumAdd must not be called concurrently.
func (p *Single) MediumAdd(s string) {
	list := append(slices.Clone(*p.list.Load()), s)
	p.list.Store(&list)
}

func (p *Single) All() []string { return *p.list.Load() }

// Named is one thing, which whoever has it gives another name.
type Named struct{ is atomic.Pointer[label] }

type label struct{ name, old string }

func (p *Named) MediumRename(name string) {
	is := p.is.Load()
	p.is.Store(&label{name: name, old: is.name})
}

func (p *Named) Name() string { return p.is.Load().name }

// Branch has accounts that were all opened with it: two who give one number work with one till.
type Branch struct{ accounts map[int]*till }

type till struct {
	mu    sync.Mutex
	cents int
}

func (a *till) get() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cents
}

func (a *till) set(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cents = n
}

func OpenBranch(n int) *Branch {
	b := &Branch{map[int]*till{}}
	for i := range n {
		b.accounts[i] = new(till)
	}
	return b
}

func (b *Branch) find(id int) (*till, error) {
	a, ok := b.accounts[id]
	if !ok {
		return nil, errors.New("no such account")
	}
	return a, nil
}

func (b *Branch) HighPay(id, cents int) error {
	a, err := b.find(id)
	if err != nil {
		return err
	}
	a.set(a.get() + cents)
	return nil
}

// MediumPay has an till that something makes which is not followed.
func MediumPay(open func(int) (*till, error), id, cents int) error {
	a, err := open(id)
	if err != nil {
		return err
	}
	a.set(a.get() + cents)
	return nil
}
