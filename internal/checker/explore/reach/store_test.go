package reach

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A shard behaves as a map from states and marks to their order, whatever the
// size of a state, and gives every state back.
func TestShard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := 8 * rapid.IntRange(1, 40).Draw(t, "words")
		tree := newTree(size)
		s := shard{tree: tree, numbers: tree.scratch()}
		if rapid.Bool().Draw(t, "covers") {
			s.covers = func(stored, found int32) bool { return stored <= found }
		}
		type stored struct {
			state string
			mark  int32
		}
		var all []stored
		for range rapid.IntRange(0, 200).Draw(t, "states") {
			state := make([]byte, size)
			for range rapid.IntRange(0, 3).Draw(t, "changes") {
				state[rapid.IntRange(0, size-1).Draw(t, "at")] = byte(rapid.IntRange(0, 2).Draw(t, "to"))
			}
			mark := int32(rapid.IntRange(-1, 2).Draw(t, "mark"))
			want := true
			for _, o := range all {
				if o.state == string(state) && (o.mark == mark || s.covers != nil && s.covers(o.mark, mark)) {
					want = false
				}
			}
			require.Equal(t, want, s.insert(state, mark, stateID(len(all))))
			if want {
				all = append(all, stored{string(state), mark})
			}
		}
		require.Equal(t, len(all), s.len())
		state, scratch := make([]byte, size), tree.scratch()
		for i, o := range all {
			s.tree.state(state, s.roots[i], scratch)
			require.Equal(t, o, stored{string(state), s.marks[i]})
			require.Equal(t, stateID(i), s.parents[i])
		}
	})
}

// States that have much in common take little memory: here a tenth of their
// size, and the entry of the root.
func TestTreeIsSmall(t *testing.T) {
	const size, n = 320, 100_000
	st := newStore(size, nil)
	state := make([]byte, size)
	for i := range uint64(n) {
		binary.LittleEndian.PutUint32(state[40:], uint32(i%317))
		binary.LittleEndian.PutUint32(state[200:], uint32(i/317))
		sh := hashOf(state) >> (64 - shardBits)
		require.True(t, st.shards[sh].insert(state, 0, noState))
	}
	require.Less(t, st.bytes()/n, int64(60))
}

func BenchmarkInsert(b *testing.B) {
	for _, size := range []int{16, 96, 320} {
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			st := newStore(size, nil)
			state := make([]byte, size)
			i := uint64(0)
			for b.Loop() {
				binary.LittleEndian.PutUint64(state[8*(i%uint64(size/8)):], i>>8)
				st.shards[hashOf(state)>>(64-shardBits)].insert(state, 0, noState)
				i++
			}
			b.ReportMetric(float64(st.bytes())/float64(st.len()), "B/state")
		})
	}
}
