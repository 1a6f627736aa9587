package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/tools/go/analysis"
)

// watch says on a terminal what a long analysis is at. It says nothing before
// two seconds are over, nothing in a pipe, and leaves nothing behind.
type watch struct {
	out          io.Writer
	total, ended atomic.Int64 // packages
	quit, gone   chan struct{}
	once         sync.Once
}

const (
	watchDelay    = 2 * time.Second
	watchInterval = 200 * time.Millisecond
)

func (a *app) newWatch() *watch { return startWatch(a.stderr, isTerminal(a.stderr)) }

func startWatch(out io.Writer, terminal bool) *watch {
	w := &watch{out: out, quit: make(chan struct{}), gone: make(chan struct{})}
	if !terminal {
		close(w.gone)
		return w
	}
	go w.spin()
	return w
}

// expect says how many packages there are, once they are loaded.
func (w *watch) expect(packages int) { w.total.Store(int64(packages)) }

// counted has the Analyzer count the packages that it is done with.
func (w *watch) counted(a *analysis.Analyzer) *analysis.Analyzer {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		defer w.ended.Add(1)
		return run(pass)
	}
	return a
}

// spin turns until stop.
func (w *watch) spin() {
	defer close(w.gone)
	delay := time.NewTimer(watchDelay)
	var bar *progressbar.ProgressBar
	for {
		select {
		case <-w.quit:
			if bar != nil {
				bar.Clear()
			}
			return
		case <-delay.C:
			if bar == nil {
				bar = newBar(w.out)
			}
			bar.Describe(w.describe())
			bar.Add(1)
			delay.Reset(watchInterval)
		}
	}
}

// newBar is a spinner with the time. It has no interval of its own, at which it
// would be drawn even after it was cleared.
func newBar(out io.Writer) *progressbar.ProgressBar {
	return progressbar.NewOptions(-1, progressbar.OptionSetWriter(out), progressbar.OptionSpinnerType(14),
		progressbar.OptionSetSpinnerChangeInterval(0), progressbar.OptionSetElapsedTime(true))
}

func (w *watch) describe() string {
	if total := w.total.Load(); total > 0 {
		return fmt.Sprintf("analysing, %d of %s", w.ended.Load(), count(int(total), "package"))
	}
	return "loading packages"
}

// stop ends it and removes what it drew.
func (w *watch) stop() {
	w.once.Do(func() { close(w.quit) })
	<-w.gone
}
