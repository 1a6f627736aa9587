package sched

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

// Options are how executions are run. The zero value has the defaults.
type Options struct {
	// MaxSteps bounds the steps of one execution; 0 is 10,000. An execution
	// that reaches it is stuck by Divergence.
	MaxSteps int
	// Positions has each Op know the file and line of the code under test. It
	// costs about half a microsecond a step.
	Positions bool
	// Sites says which positions matter: with it, the position of an Op is the
	// innermost of its stack that is among them, or none.
	Sites func(file string, line int) bool `json:"-"`
	// OnStep is called before each step, with the thread's [Decision.Origin],
	// what it acts on if that is an object of the drop-ins, and the key if that is a
	// sync.Map.
	OnStep func(origin int, op Op, object, key any) `json:"-"`
	// Fires, if it is there, says whether a function that a timer is to call is
	// called, by the thread's [Decision.Origin] that started it.
	Fires func(origin int) bool `json:"-"`
	// Patience is how long, in real time, an execution may go without coming
	// to a step before it is given up; 0 is 10 s.
	Patience time.Duration
}

// Stats sums up an exploration.
type Stats struct {
	Executions int
	// Stuck counts those that were stuck, Diverged those that did not follow
	// the schedule they were given.
	Stuck, Diverged int
	Steps           int64
	// Bubbles is how many bubbles were needed: a new one after each execution
	// that left blocked goroutines behind.
	Bubbles int
	Elapsed time.Duration
	// Exhausted says that the strategy had no more schedules, rather than that
	// report or the context ended the exploration.
	Exhausted bool
}

// Explore runs the program under each schedule that the strategy gives, and
// reports each execution; it ends when the strategy does, when report returns
// false, or when the context is done. Both functions are called inside the
// bubble, between executions: time there is virtual, so a limit on real time
// belongs in the context. One exploration runs at a time in a process.
//
// The error says that an execution did not come to rest: the code computes
// without end or blocks where neither the scheduler nor the bubble sees it
// (input and output, a lock that is not instrumented). Its goroutines are
// then still there, and the process can run no further exploration.
func Explore(ctx context.Context, t *testing.T, opts Options, s Strategy, program func() Program, report func(*Outcome) bool) (Stats, error) {
	if opts.MaxSteps == 0 {
		opts.MaxSteps = 10_000
	}
	if opts.Patience == 0 {
		opts.Patience = 10 * time.Second
	}
	e := &exploration{ctx: ctx, strategy: s, program: program, report: report, opts: opts}
	start := time.Now()
	var err error
	for err == nil && !e.over {
		e.stats.Bubbles++
		err = e.bubble(t)
		if e.exited && err == nil {
			runtime.Goexit()
		}
	}
	e.stats.Elapsed = time.Since(start)
	return e.stats, err
}

// exploration is one call of Explore.
type exploration struct {
	ctx      context.Context
	opts     Options
	strategy Strategy
	program  func() Program
	report   func(*Outcome) bool
	stats    Stats
	over     bool
	exited   bool // report has ended its goroutine
	run      *run
	outer    int // goroutines of the process that are not the bubble's
}

// bubble runs executions in one bubble until one leaves goroutines behind or
// the exploration is over.
func (e *exploration) bubble(t *testing.T) error {
	e.run = &run{
		opts: e.opts, strategy: e.strategy, begun: time.Now(),
		objects: map[unsafe.Pointer]int32{}, positions: map[uintptr]runtime.Frame{},
	}
	e.run.observer, _ = e.strategy.(observer)
	if !active.CompareAndSwap(nil, e.run) {
		return fmt.Errorf("sched: another exploration runs in this process, or one was given up: want one at a time")
	}
	e.settle()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		// A bubble that is left with blocked goroutines panics; they stay
		// blocked for good. Those that the code of others has started, such as what looks after
		// the connections of a client, are known to nobody before.
		defer func() {
			if p := recover(); p != nil && !e.run.tainted && e.exited {
				panic(p)
			}
		}()
		synctest.Test(t, func(*testing.T) { e.executions() })
	}()
	if err := e.watch(closed); err != nil {
		return err
	}
	active.Store(nil)
	return nil
}

// inner is how many goroutines a bubble has before its first thread: the one
// that waits for it, one of package testing, and the controller.
const inner = 3

// settle finds out how many goroutines there are outside the bubble. What ran
// before may still be ending: one that is counted and then ends would hide a
// stranger, so the fewest are taken; too few cost time only.
func (e *exploration) settle() {
	if e.outer == 0 {
		e.outer = runtime.NumGoroutine()
		time.Sleep(100 * time.Microsecond)
	}
	e.outer = min(e.outer, runtime.NumGoroutine())
}

// watch waits for the bubble to close, and gives up if it makes no progress.
func (e *exploration) watch(closed chan struct{}) error {
	check := time.NewTicker(e.opts.Patience / 4)
	defer check.Stop()
	last, since := int64(-1), time.Now()
	for {
		select {
		case <-closed:
			return nil
		case now := <-check.C:
			if beat := e.run.beat.Load(); beat != last {
				last, since = beat, now
			} else if now.Sub(since) >= e.opts.Patience {
				return fmt.Errorf("sched: execution %d did not come to a step for %v: the code computes without end, or blocks on input, output or a lock that is not instrumented", e.stats.Executions+1, e.opts.Patience)
			}
		}
	}
}

// executions is the controller of one bubble. If report fails the test by
// FailNow, which ends the goroutine, the threads are ended all the same.
func (e *exploration) executions() {
	r := e.run
	e.exited = true
	defer func() {
		if e.exited {
			r.unwind()
			r.retire()
		}
	}()
	r.tick = make(chan struct{}, 1)
	r.controller = goroutineNumber()
	r.others.Store(int64(min(runtime.NumGoroutine(), e.outer+inner)))
	for !r.tainted {
		if e.ctx.Err() != nil {
			e.over = true
			break
		}
		if !e.strategy.Begin() {
			e.over, e.stats.Exhausted = true, true
			break
		}
		e.over = !e.report(e.execute(e.program()))
		r.unwind()
		if e.over {
			break
		}
	}
	r.retire()
	e.exited = false
}

// execute runs one execution and counts it.
func (e *exploration) execute(p Program) *Outcome {
	o := e.run.execute(p)
	e.stats.Executions++
	e.stats.Steps += int64(o.Steps)
	if o.Stuck != NotStuck {
		e.stats.Stuck++
	}
	if o.Diverged {
		e.stats.Diverged++
	}
	return o
}
