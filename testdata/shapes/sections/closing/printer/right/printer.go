// Package printer prints pages one after the other until it is told to stop.
package printer

import (
	"io"
	"sync"
)

// Printer keeps pages that are to be printed.
type Printer struct {
	out   io.Writer
	mu    sync.Mutex
	more  *sync.Cond
	pages [][]byte
	ended bool
	done  chan struct{}
}

// New starts a printer that prints to out.
func New(out io.Writer) *Printer {
	p := &Printer{out: out, done: make(chan struct{})}
	p.more = sync.NewCond(&p.mu)
	go p.run()
	return p
}

// Print reports whether a page is going to be printed.
func (p *Printer) Print(page []byte) bool {
	p.mu.Lock()
	if p.ended {
		p.mu.Unlock()
		return false
	}
	p.pages = append(p.pages, page)
	p.mu.Unlock()
	p.more.Signal()
	return true
}

// Stop ends the printer once all pages are printed.
func (p *Printer) Stop() {
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	p.more.Broadcast()
	<-p.done
}

func (p *Printer) run() {
	defer close(p.done)
	for {
		p.mu.Lock()
		for len(p.pages) == 0 && !p.ended {
			p.more.Wait()
		}
		if len(p.pages) == 0 {
			p.mu.Unlock()
			return
		}
		page := p.pages[0]
		p.pages = p.pages[1:]
		p.mu.Unlock()
		p.out.Write(page)
	}
}
