package reduce

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// TestFunctionsCalledLikeMemory: a call is about no memory, whatever the function is
// called. What goes through a pointer is.
func TestFunctionsCalledLikeMemory(t *testing.T) {
	lp := buildLower(t, `package p

type source interface{ Value() int }

func calls(load, next, elem, lookup func() int, store func(int), s source) int {
	n := load() + next() + elem() + lookup() + s.Value()
	store(n)
	return n
}

var seen int

func memory(p *int) int {
	seen = *p
	*p = seen
	return *p
}
`)
	kinds := func(p *register.Program) (memory int, effects []register.EffectKind) {
		for _, blk := range p.Blocks {
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				if in.Memory().Kind != register.NoMemory {
					memory++
				}
				if in.Op == register.Effect {
					effects = append(effects, in.Effect().Kind)
				}
			}
		}
		return memory, effects
	}
	memory, effects := kinds(lp.inline(t, "calls"))
	assert.Zero(t, memory)
	assert.Equal(t, []register.EffectKind{register.Called, register.Called, register.Called, register.Called, register.Called, register.Called}, effects)
	memory, effects = kinds(lp.inline(t, "memory"))
	assert.Positive(t, memory)
	assert.Equal(t, []register.EffectKind{register.Stored, register.Stored}, effects)
}
