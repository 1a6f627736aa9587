package helperlib

import "sync"

// Votes are behind an interface that one type implements.
type Votes interface {
	Has(who string) bool
	Cast(who, what string)
	CastOnce(who, what string) bool
}

type Ballots struct {
	mu    sync.RWMutex
	votes map[string]string
}

func NewBallots() *Ballots { return &Ballots{votes: map[string]string{}} }

func (b *Ballots) Has(who string) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	_, ok := b.votes[who]
	return ok
}

func (b *Ballots) Cast(who, what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.votes[who] = what
}

func (b *Ballots) CastOnce(who, what string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.votes[who]; ok {
		return false
	}
	b.votes[who] = what
	return true
}

// Marks are behind one that two types implement.
type Marks interface {
	Marked(name string) bool
	Mark(name string)
}

type Pencil struct {
	mu sync.Mutex
	m  map[string]bool
}

func (p *Pencil) Marked(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.m[name]
}

func (p *Pencil) Mark(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[name] = true
}

type Nothing struct{}

func (*Nothing) Marked(name string) bool { return false }
func (*Nothing) Mark(name string)        {}
