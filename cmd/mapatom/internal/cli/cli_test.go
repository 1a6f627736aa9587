package cli

import (
	"context"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDoubleDashes(t *testing.T) {
	assert.Equal(t,
		[]string{"extensions", "--json", "--env=open", "--tests", "-h", "-", "./...", "--", "-x.go"},
		doubleDashes([]string{"extensions", "-json", "-env=open", "--tests", "-h", "-", "./...", "--", "-x.go"}))
}

func TestRelative(t *testing.T) {
	a := &App{Dir: "/src/module"}
	assert.Equal(t, "store/a.go:1:2", a.Relative("/src/module/store/a.go:1:2"))
	assert.Equal(t, "/src/module2/a.go:1:2", a.Relative("/src/module2/a.go:1:2"))
	assert.Equal(t, token.Position{}.String(), a.Relative("-"))
}

// TestRaise: the status that says most stays, whatever comes after it.
func TestRaise(t *testing.T) {
	order := []int{Clean, Unknown, Findings, Failed}
	for i, first := range order {
		for j, second := range order {
			a := &App{}
			a.Raise(first)
			a.Raise(second)
			assert.Equal(t, order[max(i, j)], a.Status, "%d, then %d", first, second)
		}
	}
}

// TestBudget: what makes no sense is refused, and time that is over ends the work.
func TestBudget(t *testing.T) {
	for _, wrong := range []Budget{{Timeout: -1, MiB: 1}, {Count: -1, MiB: 1}, {}} {
		assert.Error(t, wrong.Check())
	}
	b := Budget{MiB: 1}
	require.NoError(t, b.Check())
	ctx, cancel := b.Context(t.Context())
	_, bounded := ctx.Deadline()
	assert.False(t, bounded)
	cancel()
	assert.Error(t, ctx.Err())
	b.Timeout = 1
	ctx, cancel = b.Context(t.Context())
	defer cancel()
	<-ctx.Done()
	assert.ErrorIs(t, ctx.Err(), context.DeadlineExceeded)
}

// TestVisible: escapes are written out, and lines and tabs stay.
func TestVisible(t *testing.T) {
	assert.Equal(t, "a\n\tb \\x1b[31m\\r", Visible("a\n\tb \x1b[31m\r"))
}
