package links

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// TestLikeMap sets, gets and clones at random, beside a map of Go.
func TestLikeMap(t *testing.T) {
	type pair struct {
		table Table[int32]
		model map[int32]int32
	}
	rapid.Check(t, func(t *rapid.T) {
		all := []pair{{model: map[int32]int32{}}}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			p := &all[rapid.IntRange(0, len(all)-1).Draw(t, "table")]
			k := rapid.Int32Range(0, 60).Draw(t, "key")
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				q := pair{p.table.Clone(), map[int32]int32{}}
				for k, v := range p.model {
					q.model[k] = v
				}
				all = append(all, q)
			case 1, 2, 3:
				v := rapid.Int32().Draw(t, "value")
				p.table.Set(k, v)
				p.model[k] = v
			default:
				got, ok := p.table.Get(k)
				want, there := p.model[k]
				assert.Equal(t, there, ok)
				assert.Equal(t, want, got)
			}
		}
		for _, p := range all {
			assert.Equal(t, len(p.model), p.table.Len())
			for k, want := range p.model {
				got, ok := p.table.Get(k)
				assert.True(t, ok)
				assert.Equal(t, want, got)
			}
		}
	})
}
