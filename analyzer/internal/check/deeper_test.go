package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDeeper: where a call that is not followed is in the way, calls are followed further.
func TestDeeper(t *testing.T) {
	got := verdicts(New(programs(t, `package deep

import "sync"

type Table struct {
	mu    sync.Mutex
	m     map[string]*int
	asked map[string]int
}

func (t *Table) first(k string) *int  { return t.second(k) }
func (t *Table) second(k string) *int { return t.third(k) }
func (t *Table) third(k string) *int  { return t.fourth(k) }
func (t *Table) fourth(k string) *int { return t.fifth(k) }
func (t *Table) fifth(k string) *int  { return t.sixth(k) }

func (t *Table) sixth(k string) *int {
	t.mu.Lock()
	t.asked[k]++
	t.mu.Unlock()
	return new(int)
}

func (t *Table) Lost(k string) *int {
	t.mu.Lock()
	v, ok := t.m[k]
	t.mu.Unlock()
	if !ok {
		v = t.first(k)
		t.mu.Lock()
		t.m[k] = v
		t.mu.Unlock()
	}
	return v
}

func (t *Table) Kept(k string) *int {
	t.mu.Lock()
	v, ok := t.m[k]
	t.mu.Unlock()
	if ok {
		return v
	}
	made := t.first(k)
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.m[k]; ok {
		return v
	}
	t.m[k] = made
	return made
}
`), Options{}, nil))
	assert.Equal(t, map[string]string{"(*Table).Lost": "violation", "(*Table).Kept": "verified"}, got)
}
