package monitor

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/certificate"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

// TestAgreesWithSearch compares the monitors with the general search on
// histories that are too large for all orders.
func TestAgreesWithSearch(t *testing.T) {
	for _, x := range mixes {
		x.Least, x.Most = 9, 40
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			yes, no, unknown := 0, 0, 0
			bound := search.Options{Workers: 1, Nodes: 1 << 16}
			for n := range *diffHistories / 40 {
				r := rand.New(rand.NewPCG(*diffSeed, uint64(n)))
				l := x.Log(r)
				want, err := search.Log(context.Background(), l, bound)
				require.NoError(t, err)
				res, err := Check(context.Background(), l, Options{Order: true, Workers: 1 + n%3, Search: bound})
				require.NoError(t, err)
				if want.Verdict == search.Unknown {
					unknown++
					continue
				}
				require.Equal(t, want.Verdict, res.Verdict, "history %d\n%s", n, workload.Describe(l))
				if res.Verdict == search.Linearizable {
					yes++
					require.NoError(t, certificate.Validate(l, res.Order), workload.Describe(l))
					continue
				}
				no++
				require.True(t, res.Confirmed)
			}
			require.Positive(t, min(yes, no))
			require.Less(t, 10*unknown, yes+no, "the search has no answer")
		})
	}
}

// TestWorkersDoNotMatter checks that answers are the same from one goroutine
// and from several.
func TestWorkersDoNotMatter(t *testing.T) {
	for _, kind := range allKinds {
		for _, broken := range []bool{false, true} {
			l := workload.Threads{Kind: kind, Operations: 60_000, Seed: 2, Keys: 300, Broken: broken}.Log()
			one, err := Check(context.Background(), l, Options{Order: true, Workers: 1})
			require.NoError(t, err)
			four, err := Check(context.Background(), l, Options{Order: true, Workers: 4})
			require.NoError(t, err)
			require.Equal(t, one, four, "%s, broken %t", kind, broken)
		}
	}
}

// FuzzCheck turns bytes into a small history, and compares with all orders.
func FuzzCheck(f *testing.F) {
	f.Add([]byte{1, 0, 1, 0, 3, 1, 1, 2, 5})
	f.Add([]byte{5, 0, 1, 0, 9, 3, 2, 1, 4, 5, 1, 0, 6})
	f.Add([]byte{4, 2, 7, 1, 200, 4, 9, 0, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		l := logOf(data)
		if l == nil {
			return
		}
		want := verdict(workload.Linearizable(l))
		res, err := Check(context.Background(), l, Options{Order: true, Earliest: true})
		require.NoError(t, err)
		require.Equal(t, want, res.Verdict, workload.Describe(l))
		if want == search.Linearizable {
			require.NoError(t, certificate.Validate(l, res.Order), workload.Describe(l))
			return
		}
		require.False(t, workload.Linearizable(l.Select(res.Core)), workload.Describe(l))
		require.Equal(t, tryPrefixes(l), res.Earliest, workload.Describe(l))
	})
}

// logOf reads the kind, and then operations of four bytes: method, values,
// call and length, where a length over 127 is pending.
func logOf(data []byte) *history.Log {
	if len(data) < 5 {
		return nil
	}
	kind := allKinds[int(data[0])%len(allKinds)]
	methods := kind.Methods()
	l := &history.Log{Kind: kind, Initial: history.Absent, MinFirst: data[0] > 127}
	for data = data[1:]; len(data) >= 4 && l.Len() < 7; data = data[4:] {
		m := methods[int(data[0])%len(methods)]
		v, w := int64(data[1]%4), int64(data[1]/4%4)
		if kind != history.Register && kind != history.Map {
			w = history.Absent
		}
		if m == history.RemoveEmpty || m == history.PeekEmpty || v == 3 && kind == history.Map && m != history.FetchAdd {
			v = history.Absent
		}
		if w == 3 && m != history.FetchAdd {
			w = history.Absent
		}
		l.Method, l.Value, l.Second = append(l.Method, m), append(l.Value, v), append(l.Second, w)
		if kind == history.Map {
			l.Key = append(l.Key, int64(data[1]/16%2))
		}
		call := int64(data[2] % 16)
		ret := call + int64(data[3]%8)
		l.Call = append(l.Call, call)
		if data[3] > 127 {
			i := l.Len() - 1
			l.Return = append(l.Return, history.Pending)
			workload.CutOff(l, i)
		} else {
			l.Return = append(l.Return, ret)
		}
	}
	return l
}
