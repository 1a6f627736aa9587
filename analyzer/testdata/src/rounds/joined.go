package rounds

import (
	"errors"
	"sync"
)

// Peer is told things, until it is closed.
type Peer struct {
	mu     sync.RWMutex
	in     source
	out    chan int
	closed bool
}

type source interface {
	Next() (kind int, text string, err error)
	Reset(name string) error
	Parse(text string) (int, error)
	Close() error
}

// Run has more ways in a round than are told apart where others run it: that one of them goes on to the
// close is found all the same.
func (p *Peer) Run() {
	defer p.close()
	for {
		kind, text, err := p.in.Next()
		if err != nil {
			return
		}
		if kind == 1 {
			p.handle(text)
		}
		if kind == 2 {
			_ = p.Tell(1)
			return
		}
	}
}

func (p *Peer) handle(text string) {
	switch text {
	case "x":
		if len(text) < 2 {
			p.tell(2)
			break
		}
		if text == "null" {
			if p.in.Reset("a") != nil {
				p.tell(3)
			}
			break
		}
		_, err := p.in.Parse("b")
		if err != nil {
			p.tell(4)
			break
		}
		if len(text) < 3 {
			p.tell(5)
		}
	default:
		p.tell(6)
	}
}

var errClosed, errFull = errors.New("closed"), errors.New("full")

// Tell tells it something.
func (p *Peer) Tell(m int) error {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if p.closed {
		return errClosed
	}
	select {
	case p.out <- m:
		return nil
	default:
		return errFull
	}
}

func (p *Peer) tell(m int) { _ = p.Tell(m) }

func (p *Peer) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed { // want `p.mu is released between two parts of a step on p.closed`
		p.closed = true
		_ = p.in.Close()
		close(p.out)
	}
}

// Start runs it beside one who waits for its end.
func Start(in source) {
	p := &Peer{in: in, out: make(chan int, 4)}
	go p.Run()
	go p.wait()
}

func (p *Peer) wait() {
	defer p.close()
	for m := range p.out {
		if m == 2 {
			return
		}
	}
}
