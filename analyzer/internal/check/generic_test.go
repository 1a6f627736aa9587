package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint"
)

const instances = `package instances

import "sync"

type Names struct {
	mu   sync.Mutex
	next map[string]int
}

func with[T any](value T, set func(T)) { set(value) }

func ignore[T any](T) {}

func (n *Names) Draw(name string) int {
	with(name, ignore[string])
	n.mu.Lock()
	k := n.next[name]
	n.mu.Unlock()
	n.mu.Lock()
	n.next[name] = k + 1
	n.mu.Unlock()
	return k
}
`

// TestInstances: an instance of a generic function may be given to one that calls it.
func TestInstances(t *testing.T) {
	all := New(programs(t, instances), Options{}, nil).Extensions()
	require.Len(t, all, 1)
	assert.Equal(t, absint.Violation, all[0].Verdict, all[0].Reason)
}
