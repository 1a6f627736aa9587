package monitor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

// A replayed is a log that is there from the beginning and shown as it grows.
type replayed struct {
	l    *history.Log
	gone []bool
}

func (p *replayed) View(until int64) (*history.Log, []int32) {
	var rows []int32
	for _, row := range allRows(p.l) {
		if !p.gone[row] && p.l.Call[row] < until {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b int32) int { return compare(p.l.Call[a], p.l.Call[b]) })
	l := p.l.Select(rows)
	for i := range rows {
		if l.Return[i] >= until {
			workload.CutOff(l, i)
		}
	}
	return l, rows
}

func (p *replayed) Drop(rows []int32) {
	for _, row := range rows {
		if p.gone[row] || p.l.Return[row] == history.Pending {
			panic("dropped twice, or before it returned")
		}
		p.gone[row] = true
	}
}

func (p *replayed) Replace(row int32, m history.Method, value, at int64) {
	p.l.Method[row], p.l.Value[row], p.l.Second[row], p.l.Call[row], p.l.Return[row] = m, value, history.Absent, at, at
}

// TestStreamAgrees cuts random histories at random times, and compares what a
// stream finds with the verdict on the whole and with the general search.
func TestStreamAgrees(t *testing.T) {
	for _, mix := range mixes {
		if *diffKind != "" && *diffKind != mix.Name {
			continue
		}
		t.Run(mix.Name, func(t *testing.T) {
			t.Parallel()
			mix.Least, mix.Most = 4, 16
			histories := *streams
			if testing.Short() {
				histories /= 10
			}
			yes, no, forgotten := 0, 0, 0
			for n := range histories {
				r := rand.New(rand.NewPCG(*diffSeed, uint64(n)))
				l := mix.Log(r)
				if l.Second == nil {
					l.Second = make([]int64, l.Len())
				}
				where := fmt.Sprintf("-diff.seed=%d, history %d of %s\n%s", *diffSeed, n, mix.Name, workload.Describe(l))
				want, err := Check(t.Context(), l, Options{Workers: 1})
				require.NoError(t, err, where)
				if n%16 == 0 {
					found, err := search.Log(t.Context(), l, search.Options{Workers: 1})
					require.NoError(t, err, where)
					require.Equal(t, found.Verdict, want.Verdict, where)
				}
				whole := *l.Select(allRows(l))
				s := NewStream(&replayed{l: &whole, gone: make([]bool, l.Len())}, StreamOptions{Workers: 1})
				got, at := search.Linearizable, int64(0)
				for at != history.Pending && got == search.Linearizable {
					if at += 1 + r.Int64N(8); at > 100 || r.IntN(20) == 0 {
						at = history.Pending
					}
					findings, kept, err := s.Advance(t.Context(), at)
					require.NoError(t, err, where)
					for _, f := range findings {
						got = f.Verdict
						require.True(t, f.Confirmed, where)
					}
					if at == history.Pending && kept < l.Len()/2 {
						forgotten++
					}
				}
				require.Equal(t, want.Verdict, got, where)
				if got == search.Linearizable {
					yes++
				} else {
					no++
				}
			}
			t.Logf("%d linearizable, %d not; of %d less than half was left", yes, no, forgotten)
			require.Greater(t, 10*min(yes, no), histories, "both answers must be well represented")
			require.Greater(t, 10*forgotten, yes, "too little is forgotten")
		})
	}
}
