package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const jobs = `package jobs

import "sync"

type Jobs struct {
	mu       sync.Mutex
	steps    int
	watchers sync.Map
}

func show(any)

func (j *Jobs) tell() {
	j.watchers.Range(func(_, w any) bool {
		show(w)
		return true
	})
}

func (j *Jobs) Run(work func()) {
	j.mu.Lock()
	j.steps++
	j.tell()
	j.mu.Unlock()
	work()
	j.mu.Lock()
	j.steps++
	j.tell()
	j.mu.Unlock()
}
`

const resets = `
func (j *Jobs) Reset(used func(int)) {
	j.mu.Lock()
	n := j.steps
	j.tell()
	j.mu.Unlock()
	used(n)
	j.mu.Lock()
	j.steps = 0
	j.tell()
	j.mu.Unlock()
}
`

// TestUpdates: a statement such as n++ looks at n and writes it, but nothing else is done with
// what it finds: two of them are no sequence. A look whose result is used is a part of one.
func TestUpdates(t *testing.T) {
	assert.Empty(t, New(programs(t, jobs), Options{}, nil).Extensions())
	all := New(programs(t, jobs+resets), Options{}, nil).Extensions()
	require.Len(t, all, 1)
	assert.Equal(t, "(*Jobs).Reset", all[0].Function())
}
