package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mapatom/mapatom/internal/checker/witness"
)

// Progress says on a terminal what a long run is at. It says nothing before a
// second is over, nothing in a pipe, and leaves nothing behind.
type Progress struct {
	out          io.Writer
	what         func(ended, total int) string // it is at
	total, ended atomic.Int64
	quit, gone   chan struct{}
	once         sync.Once
	begun        time.Time
	mu           sync.Mutex // held while the line or a verdict is written
	turns        int
	shown        bool // the line is on the screen
}

const (
	progressDelay    = time.Second
	progressInterval = 200 * time.Millisecond
)

// NewProgress says what it is told to say of how many things are done, of how
// many that there are.
func (a *App) NewProgress(what func(ended, total int) string) *Progress {
	return startProgress(a.Stderr, IsTerminal(a.Stderr) && os.Getenv("TERM") != "dumb", what)
}

// Counting says "before" until the number of things is known, and then "doing,
// 1 of 3 things".
func Counting(before, doing, thing string) func(ended, total int) string {
	return func(ended, total int) string {
		if total > 0 {
			return fmt.Sprintf("%s, %d of %s", doing, ended, witness.Count(total, thing))
		}
		return before
	}
}

func startProgress(out io.Writer, terminal bool, what func(ended, total int) string) *Progress {
	p := &Progress{out: out, what: what, begun: time.Now(), quit: make(chan struct{}), gone: make(chan struct{})}
	if !terminal {
		close(p.gone)
		return p
	}
	go p.spin()
	return p
}

// Expect adds to the number of things.
func (p *Progress) Expect(things int) { p.total.Add(int64(things)) }

// Done says that one more is done.
func (p *Progress) Done() { p.ended.Add(1) }

// spin turns until Stop.
func (p *Progress) spin() {
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

func (p *Progress) turn() {
	p.mu.Lock()
	defer p.mu.Unlock()
	frame := spinner[p.turns%len(spinner)]
	p.turns++
	fmt.Fprintf(p.out, "%s%c %s (%d s)", clearLine, frame, p.what(int(p.ended.Load()), int(p.total.Load())),
		int(time.Since(p.begun).Seconds()))
	p.shown = true
}

// spinner is what turns, and clearLine what removes the line it is on. A terminal that
// does not know the latter is one that progress is not shown on.
var spinner = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

const clearLine = "\r\x1b[2K"

// Aside runs write while nothing of it is on the screen.
func (p *Progress) Aside(write func() error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		io.WriteString(p.out, clearLine)
		p.shown = false
	}
	return write()
}

// Print writes a text aside.
func (p *Progress) Print(w io.Writer, text string) error {
	return p.Aside(func() error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// Stop ends it and removes what it drew.
func (p *Progress) Stop() {
	p.once.Do(func() { close(p.quit) })
	<-p.gone
	p.Aside(func() error { return nil })
}
