package driver

import (
	"context"
	"runtime"
	"sync"

	"github.com/mapatom/mapatom/internal/pace"
)

// maxLive is how many bytes may be live when another package is begun beside
// those that are at work. One at a time is always allowed.
const maxLive = 384 << 20

// gate lets as many packages in at once as there are processors and as memory
// allows.
type gate struct {
	mu     sync.Mutex
	left   *sync.Cond
	inside int
}

func newGate() *gate {
	g := &gate{}
	g.left = sync.NewCond(&g.mu)
	return g
}

// enter waits for a place; it reports whether there is still something to do.
func (g *gate) enter(ctx context.Context) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.inside > 0 && (g.inside >= runtime.GOMAXPROCS(0) || pace.Live() > maxLive) {
		g.left.Wait()
	}
	if ctx.Err() != nil {
		g.left.Signal()
		return false
	}
	g.inside++
	g.left.Signal() // there may be room for another
	return true
}

// leave gives the place to the next one.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
	g.left.Signal()
}
