package monitor

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

// TestSplitAgrees compares the verdicts on the parts with that on the whole.
func TestSplitAgrees(t *testing.T) {
	for _, mix := range mixes {
		mix.Least, mix.Most = 4, 14
		yes, no, cut := 0, 0, 0
		for n := range *diffHistories / 4 {
			r := rand.New(rand.NewPCG(*diffSeed, uint64(n)))
			l := mix.Log(r)
			where := fmt.Sprintf("-diff.seed=%d, history %d of %s\n%s", *diffSeed, n, mix.Name, workload.Describe(l))
			want, err := Check(t.Context(), l, Options{Workers: 1})
			require.NoError(t, err, where)
			got, operations := search.Linearizable, 0
			parts := Split(l, r.IntN(4))
			for _, part := range parts {
				res, err := Check(t.Context(), part, Options{Workers: 1})
				require.NoError(t, err, where)
				if res.Verdict != search.Linearizable {
					got = res.Verdict
				}
				operations += part.Len()
			}
			require.Equal(t, want.Verdict, got, where)
			require.GreaterOrEqual(t, operations, l.Len(), where)
			if len(parts) > int(max(mix.Keys, 1)) {
				cut++
			}
			if got == search.Linearizable {
				yes++
			} else {
				no++
			}
		}
		t.Logf("%s: %d linearizable, %d not, %d cut", mix.Name, yes, no, cut)
		require.Positive(t, min(yes, no, cut), mix.Name)
	}
}
