package evidence

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// claims are regions with one effect each. What comes before it in the first four lets one of two
// have it, and in the others both.
const claims = `
func "removed"(waiting, id, ch)
cell c0 map waiting[id] zero nil
b0:
    had, there = read c0           ; claims.go:1:2
    branch there, b1, b3
b1:
    _, mine = write c0, absent     ; claims.go:2:2
    branch mine, b2, b3
b2:
    effect "then chan close"(ch)   ; claims.go:3:2
    jump b3
b3:
    return

func "swapped"(waiting, id, ch)
cell c0 map waiting[id] zero nil
b0:
    had, there = read c0           ; claims.go:1:2
    branch there, b1, b3
b1:
    _, mine = cas c0, ch, absent   ; claims.go:2:2
    branch mine, b2, b3
b2:
    effect "then chan close"(ch)   ; claims.go:3:2
    jump b3
b3:
    return

func "tried"(waiting, id, ch, mu)
cell c0 map waiting[id] zero nil
b0:
    had, there = read c0           ; claims.go:1:2
    branch there, b1, b3
b1:
    _, _ = write c0, absent        ; claims.go:2:2
    lock w mu                      ; claims.go:4:2
    got = unknown "(*sync.Mutex).TryLock#1"() ; claims.go:4:2
    branch got, b2, b3
b2:
    effect "then chan close"(ch)   ; claims.go:3:2
    jump b3
b3:
    return

func "looked"(waiting, id, ch)
cell c0 map waiting[id] zero nil
b0:
    had, there = read c0           ; claims.go:1:2
    branch there, b1, b2
b1:
    _, _ = write c0, absent        ; claims.go:2:2
    effect "then chan close"(ch)   ; claims.go:3:2
    jump b2
b2:
    return

func "waited"(waiting, id, ch, mu)
cell c0 map waiting[id] zero nil
b0:
    had, there = read c0           ; claims.go:1:2
    branch there, b1, b3
b1:
    _, _ = write c0, absent        ; claims.go:2:2
    lock w mu                      ; claims.go:4:2
    on = unknown on#1()            ; claims.go:5:2
    branch on, b2, b3
b2:
    effect "then chan close"(ch)   ; claims.go:3:2
    jump b3
b3:
    return

func "replaced"(waiting, id, ch)
cell c0 map waiting[id] zero nil
b0:
    had, there = read c0           ; claims.go:1:2
    branch there, b1, b3
b1:
    old, was = write c0, ch        ; claims.go:2:2
    branch was, b2, b3
b2:
    effect "then chan close"(ch)   ; claims.go:3:2
    jump b3
b3:
    return
`

// TestClaimed: of two that come to a removal, a compare-and-swap or a lock that is not waited for,
// one goes on.
func TestClaimed(t *testing.T) {
	progs, err := register.Parse("claims.reg", []byte(claims))
	require.NoError(t, err)
	want := map[string][2]bool{ // with all of them, and with removals only
		"removed": {true, true}, "swapped": {true, false}, "tried": {true, false},
		"looked": {}, "waited": {}, "replaced": {},
	}
	require.Len(t, progs, len(want))
	for _, p := range progs {
		var effect *register.Instr
		for _, blk := range p.Blocks {
			for i := range blk.Instrs {
				if blk.Instrs[i].Op == register.Effect {
					effect = &blk.Instrs[i]
				}
			}
		}
		require.NotNil(t, effect, p.Name)
		assert.Equal(t, want[p.Name], [2]bool{claimed(p, effect, false), claimed(p, effect, true)}, p.Name)
	}
}
