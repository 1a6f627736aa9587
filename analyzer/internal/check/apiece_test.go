package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/internal/analyzer/config"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

const apiece = `package apiece

import (
	"sync"
	"sync/atomic"
)

type Blocks struct {
	mu   sync.Mutex
	ids  map[string]int
	Free atomic.Int64
}

func (b *Blocks) Put(id string) {
	b.mu.Lock()
	b.ids[id] = 1
	b.mu.Unlock()
}

func (b *Blocks) Drop(id string, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.ids[id]; ok {
		delete(b.ids, id)
		b.Free.Store(n)
	}
}

func (b *Blocks) Take(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.ids[id]; ok && b.Free.Load() == 0 {
		delete(b.ids, id)
		b.Free.Store(1)
		return true
	}
	return false
}
`

// TestApiece: of two variables of which others can reach one, each is what those make of it who can: the map behind a lock that is
// held is left alone, and the number that is exported is not.
func TestApiece(t *testing.T) {
	of := map[string]evidence.Weighed{}
	for _, x := range New(programs(t, apiece), Options{Env: config.EnvAuto}, nil).Extensions() {
		if len(x.Group.Cells) == 2 {
			of[x.In.Name] = x
		}
	}
	assert.Equal(t, absint.Verified, of["(*Blocks).Drop"].Verdict, of["(*Blocks).Drop"].Reason)
	lost := of["(*Blocks).Take"]
	require.Equal(t, absint.Violation, lost.Verdict, lost.Reason)
	for i, ev := range lost.Witness.Events {
		if ev.Other && i > 0 {
			assert.Equal(t, "swap", ev.Op)
			assert.Equal(t, register.Atomic, lost.Problem.Region.Cells[ev.Cell].Kind, "who does not hold the lock comes to this one only")
			return
		}
	}
	t.Error("nobody comes in between")
}
