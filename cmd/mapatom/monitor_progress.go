package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/mapatom/mapatom/checker/witness"
)

// progress says on a terminal what a long run is at. It says nothing before
// a second is over, and leaves nothing behind.
type progress struct {
	out          io.Writer
	what         func() string // it is at
	total, ended atomic.Int64  // objects
	quit, gone   chan struct{}
	once         sync.Once
	mu           sync.Mutex // held while the bar or a verdict is written
	bar          *progressbar.ProgressBar
}

const (
	progressDelay    = time.Second
	progressInterval = 200 * time.Millisecond
)

// newProgress counts objects, if out is a terminal.
func newProgress(out io.Writer) *progress { return newProgressOf(out, nil) }

// newProgressOf says what it is told, if out is a terminal.
func newProgressOf(out io.Writer, what func() string) *progress {
	p := &progress{out: out, quit: make(chan struct{}), gone: make(chan struct{})}
	if p.what = what; what == nil {
		p.what = p.deciding
	}
	if !isTerminal(out) {
		close(p.gone)
		return p
	}
	go p.spin()
	return p
}

func (p *progress) expect(objects int) { p.total.Add(int64(objects)) }

func (p *progress) done() { p.ended.Add(1) }

// spin turns until stop.
func (p *progress) spin() {
	defer close(p.gone)
	delay := time.NewTimer(progressDelay)
	for {
		select {
		case <-p.quit:
			return
		case <-delay.C:
			p.turn()
			delay.Reset(progressInterval)
		}
	}
}

func (p *progress) turn() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		p.bar = newBar(p.out)
	}
	p.bar.Describe(p.what())
	p.bar.Add(1)
}

func (p *progress) deciding() string {
	if total := p.total.Load(); total > 0 {
		return fmt.Sprintf("deciding, %d of %s", p.ended.Load(), witness.Count(int(total), "object"))
	}
	return "reading"
}

// aside runs write while nothing of the bar is on the screen.
func (p *progress) aside(write func() error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		p.bar.Clear()
	}
	return write()
}

// stop ends it and removes what it drew.
func (p *progress) stop() {
	p.once.Do(func() { close(p.quit) })
	<-p.gone
	p.aside(func() error { return nil })
}
