package reduce

import (
	"testing"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"
)

const waiters = `package p

import (
	"context"
	"sync"
)

type T struct {
	m              sync.Map
	wg, other      sync.WaitGroup
	done, quit     chan struct{}
	failed, broken chan error
}

func (t *T) put() { t.m.Store(1, 2) }

func (t *T) finish() { t.put(); close(t.done) }

func YesGroup(t *T) { t.wg.Go(func() { t.put() }); t.wg.Wait() }

func YesDone(t *T) { go func() { defer t.wg.Done(); t.put() }(); t.wg.Wait() }

func YesClosed(t *T) { go func() { t.put(); close(t.done) }(); <-t.done }

func YesCallee(t *T) { go func() { t.finish() }(); <-t.done }

func YesSent(t *T) { t.wg.Go(func() { t.put(); t.failed <- nil }); <-t.failed }

func YesLocal() {
	t, done := &T{}, make(chan int)
	go func() { t.put(); done <- 1 }()
	<-done
}

func YesGiven(t *T, done chan int) {
	go func() { t.put(); done <- 1 }()
	select {
	case <-t.quit:
	case <-done:
	}
}

func YesCancelled(ctx context.Context, t *T) {
	ctx, cancel := context.WithCancel(ctx)
	go func() { t.put(); cancel() }()
	<-ctx.Done()
}

func YesAlias(t *T) {
	done := make(chan struct{})
	t.done = done
	go func() { defer close(done); t.put() }()
	<-t.done
}

func YesOnce(t *T) {
	var once sync.Once
	go func() { t.put(); once.Do(func() { close(t.done) }) }()
	<-t.done
}

func YesNested(t *T) { go func() { t.put(); go func() { close(t.done) }() }(); <-t.done }

func give[X any](ch chan X, x X) { ch <- x }

func YesGeneric(t *T) { go func() { t.put(); give(t.failed, nil) }(); <-t.failed }

type promise interface {
	Resolve()
	Done() chan int
}

func YesPromise(t *T, p promise) { go func() { t.put(); p.Resolve() }(); <-p.Done() }

func YesFunction(t *T) {
	ch := make(chan int)
	finish := func() { close(ch) }
	go func() { defer finish(); t.put() }()
	<-ch
}

func NoQuit(t *T) { go func() { t.put(); close(t.done) }(); <-t.quit }

func NoOtherField(t *T) { t.wg.Go(func() { t.put(); t.failed <- nil }); <-t.broken }

func NoContext(ctx context.Context, t *T) { go func() { t.put(); close(t.done) }(); <-ctx.Done() }

func NoSelect(t *T) {
	t.wg.Go(func() { t.put(); t.failed <- nil })
	select {
	case <-t.quit:
	case <-t.broken:
	}
}

func NoWait(t *T) { t.wg.Go(func() { t.put() }) }
`

// TestWaitsAfter: a goroutine is waited for where what is waited for can come from it, and not where
// something else is.
func TestWaitsAfter(t *testing.T) {
	lp := buildLower(t, waiters)
	seen := 0
	for _, fn := range lp.funcs {
		name := fn.Name()
		yes := len(name) > 3 && name[:3] == "Yes"
		if fn.Parent() != nil || !yes && name[:2] != "No" {
			continue
		}
		c := newCaptures(toyResolver{lp.ssa.Pkg})
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if start, ok := instr.(ssa.CallInstruction); ok {
					if begun := calls.Beginning(start); begun != nil {
						seen++
						assert.Equal(t, yes, c.waitsAfter(start, begins(start)), name)
					}
				}
			}
		}
	}
	require.Equal(t, 19, seen)
}

// begins is the function that a goroutine runs.
func begins(start ssa.CallInstruction) *ssa.Function {
	fn, _ := calls.Begins(start)
	return fn
}
