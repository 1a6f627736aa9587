package absint

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// TestEnvelopeTakesLocks: a second check under the lock is right whatever others do who take the lock, and
// whatever they do who do not it is not.
func TestEnvelopeTakesLocks(t *testing.T) {
	progs, err := register.Parse("register.reg", []byte(`
func "check twice"(x)
cell c0 map &m["k"] zero nil guarded label "m[k]"

b0:
    v, had = read c0
    branch had, b1, b2

b1:
    return v

b2:
    lock w "mu"
    v_2, had_2 = read c0
    branch had_2, b3, b4

b3:
    unlock w "mu"
    return v_2

b4:
    _, _ = write c0, x
    unlock w "mu"
    return x

func "put"(y)
cell c0 map &m["k"] zero nil guarded label "m[k]"

b0:
    _, _ = write c0, y
    return
`))
	require.NoError(t, err)
	look := func(locks ...Hold) Verdict {
		p := Problem{
			Region: progs[0], Env: Package, Guards: []string{`"mu"`},
			Steps: []Step{{Name: "put", Program: progs[1], Cells: []int{0}, Bind: []int{-1}, Locks: locks}},
		}
		require.NoError(t, p.validate())
		e := newEngine(p.summarised(), assumptions{}, stages[0])
		res, _, err := e.run(context.Background(), 0)
		require.NoError(t, err)
		return res.Verdict
	}
	assert.Equal(t, Verified, look(Hold{Lock: `"mu"`, Exclusive: true}))
	assert.Equal(t, Verified, look(Hold{Lock: `"mu"`, Exclusive: true}, Hold{Lock: `"other"`}))
	assert.Equal(t, Unknown, look())
	assert.Equal(t, Unknown, look(Hold{Lock: `"other"`, Exclusive: true}))
}
