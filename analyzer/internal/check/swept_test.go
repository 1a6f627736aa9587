package check

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/absint"
)

// TestToldWhereItIsWrong: a sweep is told of once, as a removal of what may be newer, and not again for the other keys that
// one that is found may be.
func TestToldWhereItIsWrong(t *testing.T) {
	c := New(programs(t, `package counters

import (
	"sync"
	"time"
)

type entry struct{ made time.Time }

type log struct {
	mu      sync.RWMutex
	entries map[string]*entry
}

func (l *log) Add(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries[id] = &entry{time.Now()}
}

func (l *log) sweep(most time.Duration) {
	old := l.old(most)
	if len(old) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range old {
		delete(l.entries, id)
	}
}

func (l *log) old(most time.Duration) []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var old []string
	for id, e := range l.entries {
		if time.Since(e.made) >= most {
			old = append(old, id)
		}
	}
	return old
}
`), Options{}, nil)
	var got []absint.Verdict
	for _, w := range c.Extensions() {
		if w.Function() == "(*log).sweep" {
			got = append(got, w.Verdict)
		}
	}
	assert.Equal(t, []absint.Verdict{absint.Violation}, got)
}
