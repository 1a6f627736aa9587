package oracle

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/reduce"
)

// open is a problem in the open environment with bounds for a test.
func open(p *reduce.Program) Problem {
	return Problem{Program: p, Bounds: Bounds{PerPoint: 1, Env: 3, Run: 60}}
}

// requireVerdict searches, and checks that a violation is one.
func requireVerdict(t *testing.T, pr Problem, linearizable bool) *History {
	t.Helper()
	h, stats, err := Search(context.Background(), pr)
	require.NoError(t, err)
	t.Logf("%+v", stats)
	if linearizable {
		require.Nil(t, h, "unexpected violation:\n%s", h)
		return nil
	}
	require.NotNil(t, h)
	ok, err := Linearizable(pr, *h)
	require.NoError(t, err)
	require.False(t, ok)
	return h
}

func TestShapes(t *testing.T) {
	for _, s := range Shapes() {
		t.Run(s.Name, func(t *testing.T) {
			h := requireVerdict(t, open(s.Program), s.Linearizable)
			t.Log(h)
		})
	}
}

var _ = assert.True
