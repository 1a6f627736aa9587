package protocols

import "sync"

// Letters are taken out by those who send them, and given back by those who could not.
type Letters struct {
	mu      sync.Mutex
	waiting []string
	send    func(string) error
}

func (l *Letters) Push(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, text)
}

func (l *Letters) pop() (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		return "", false
	}
	text := l.waiting[0]
	l.waiting = l.waiting[1:]
	return text, true
}

// Send gives back what it has taken, behind what is there by then.
func (l *Letters) Send() {
	if text, ok := l.pop(); ok && l.send(text) != nil {
		l.Push(text)
	}
}

// SendFirst does so before what is there by then.
func (l *Letters) SendFirst() {
	text, ok := l.pop()
	if !ok || l.send(text) == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append([]string{text}, l.waiting...)
}

// Parcels are looked at by those who send them, and taken out afterwards.
type Parcels struct {
	mu      sync.Mutex
	waiting []string
	send    func(string) error
}

func (p *Parcels) Push(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = append(p.waiting, text)
}

func (p *Parcels) front() (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) == 0 {
		return "", false
	}
	return p.waiting[0], true
}

func (p *Parcels) remove() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) > 0 {
		p.waiting = p.waiting[1:]
	}
}

func (p *Parcels) Send() {
	text, ok := p.front()
	if !ok || p.send(text) != nil {
		return
	}
	p.remove() // want "non-atomic|inconsistent-read|lost-update"
}

// Batches are taken as a whole, and put in the place of those that have come since.
type Batches struct {
	mu      sync.Mutex
	waiting []string
	send    func([]string) error
}

func (b *Batches) Push(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = append(b.waiting, text)
}

func (b *Batches) take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.waiting
	b.waiting = nil
	return all
}

func (b *Batches) Send() {
	all := b.take()
	if b.send(all) == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = append(all, b.waiting...)
}

func (b *Batches) Overwrite() {
	all := b.take()
	if b.send(all) == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = all // want "lost-update"
}
