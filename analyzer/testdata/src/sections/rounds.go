package sections

import (
	"io"
	"sync"
)

type link struct {
	io.Closer
	next *link
	dead bool
}

// Idle lets its lock go in each round of a loop, which ends with the section that the next
// one begins in.
type Idle struct {
	mu    sync.Mutex
	head  *link
	links int
	size  int
	check func(*link) bool
}

func (p *Idle) pop() *link {
	l := p.head
	p.links--
	p.head = l.next
	return l
}

// Take counts in one go, in whichever round.
func (p *Idle) Take() *link {
	p.mu.Lock()
	for p.head != nil {
		l := p.pop()
		p.size--
		p.mu.Unlock()
		if p.check(l) {
			return l
		}
		l.Close()
		l.dead = true
		p.mu.Lock()
	}
	p.mu.Unlock()
	return nil
}

// Late counts from what was there before it let go.
func (p *Idle) Late() *link {
	p.mu.Lock()
	for p.head != nil {
		l, size := p.pop(), p.size
		p.mu.Unlock()
		if p.check(l) {
			return l
		}
		l.Close()
		l.dead = true
		p.mu.Lock()
		p.size = size - 1 // want "lost-update"
	}
	p.mu.Unlock()
	return nil
}

func (p *Idle) Put(l *link) {
	p.mu.Lock()
	p.links++
	l.next, p.head = p.head, l
	p.size++
	p.mu.Unlock()
}

func (p *Idle) Fill(n int) {
	p.mu.Lock()
	count := n - p.size
	if count > 0 {
		p.size += count
	}
	p.mu.Unlock()
	for range count {
		go func() {
			p.mu.Lock()
			p.size--
			p.mu.Unlock()
		}()
	}
}
