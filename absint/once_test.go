package absint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// TestAtMostOnce: a call that touches its cell once on each way is one step; one that
// does so twice, or in a loop, may not be. A read of which nothing comes is none.
func TestAtMostOnce(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		once bool
	}{
		"one of two":  {"b0:\n branch x, b1, b2\nb1:\n _, _ = write c0, x\n return\nb2:\n v, _ = read c0\n return v\n", true},
		"two":         {"b0:\n v, _ = read c0\n _, _ = write c0, x\n return v\n", false},
		"unused read": {"b0:\n _, _ = read c0\n _, _ = write c0, x\n return\n", true},
		"a loop":      {"b0:\n jump b1\nb1:\n v, _ = read c0\n branch v, b1, b2\nb2:\n return\n", false},
		"a section":   {"b0:\n enter\n v, _ = read c0\n _, _ = write c0, x\n leave\n return v\n", true},
		"two of them": {"b0:\n enter\n v, _ = read c0\n leave\n enter\n _, _ = write c0, x\n leave\n return v\n", false},
	} {
		progs, err := register.Parse(name, []byte("func F(x)\ncell c0 atomic &n zero nil label \"n\"\n\n"+c.body))
		require.NoError(t, err, name)
		assert.Equal(t, c.once, atMostOnce(progs[0]), name)
	}
}
