package sync

import (
	"sync"
	"unsafe"

	"github.com/mapatom/mapatom/checker/sched"
)

// Pool is sync.Pool. Under control it gives back what was put last, and each
// execution starts with an empty one.
type Pool struct {
	// New makes a value if there is none; without it Get returns nil.
	New func() any

	pool      sync.Pool
	kept      []any
	execution uint64 // the one that kept is of
}

// Put adds x.
func (p *Pool) Put(x any) {
	if x == nil {
		return
	}
	t := sched.Announce(sched.Update, unsafe.Pointer(p))
	if t == nil {
		p.pool.Put(x)
		return
	}
	p.refresh(t)
	p.kept = append(p.kept, x)
}

// Get takes a value, or makes one.
func (p *Pool) Get() any {
	t := sched.Announce(sched.Update, unsafe.Pointer(p))
	if x := p.take(t); x != nil || p.New == nil {
		return x
	}
	return p.New()
}

func (p *Pool) take(t *sched.Thread) any {
	if t == nil {
		return p.pool.Get()
	}
	p.refresh(t)
	n := len(p.kept)
	if n == 0 {
		return nil
	}
	x := p.kept[n-1]
	p.kept = p.kept[:n-1]
	return x
}

// refresh forgets what an execution before has put.
func (p *Pool) refresh(t *sched.Thread) {
	if n := t.Execution(); n != p.execution {
		p.kept, p.execution = nil, n
	}
}
