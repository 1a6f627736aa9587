package monitor

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/certificate"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

var (
	streams       = flag.Int("stream.histories", 2000, "random histories that are cut into streams, per structure")
	diffHistories = flag.Int("diff.histories", 4_000, "random histories that monitors and brute force are compared on, per structure")
	diffSeed      = flag.Uint64("diff.seed", 1, "seed of the random histories")
	diffKind      = flag.String("diff.kind", "", "the only structure to compare on")
)

// TestAgreesWithBruteForce compares the monitors with a search through all
// orders, which shares no code with them, and with the general search, on
// random small histories: all operations, pending ones, equal times, and
// values that are not unique.
func TestAgreesWithBruteForce(t *testing.T) {
	for _, mix := range mixes {
		if *diffKind != "" && *diffKind != mix.Name {
			continue
		}
		t.Run(mix.Name, func(t *testing.T) {
			t.Parallel()
			d := differ{t: t, mix: mix}
			histories := *diffHistories
			if testing.Short() {
				histories /= 10
			}
			for n := range histories {
				d.compare(uint64(n))
			}
			t.Logf("seed %d: %d linearizable, %d not; %d of them by search", *diffSeed, d.yes, d.no, d.searched)
			require.Greater(t, 5*min(d.yes, d.no), histories, "both answers must be well represented")
			require.Less(t, d.searched*mix.searchedShare, histories, "too much is left to the search")
		})
	}
}

type differ struct {
	t                 *testing.T
	mix               mix
	yes, no, searched int
}

func (d *differ) compare(n uint64) {
	r := rand.New(rand.NewPCG(*diffSeed, n))
	l := d.mix.Log(r)
	where := func() string {
		return fmt.Sprintf("-diff.seed=%d, history %d of %s\n%s", *diffSeed, n, d.mix.Name, workload.Describe(l))
	}
	want := workload.Linearizable(l)
	res, err := Check(context.Background(), l, Options{Order: n%3 > 0, Earliest: n%4 == 0, Workers: 1})
	if err != nil || res.Verdict != verdict(want) {
		require.NoError(d.t, err, where())
		require.Equal(d.t, verdict(want), res.Verdict, "by %s\n%s", res.Method, where())
	}
	if res.Method == BySearch {
		d.searched++
	}
	if want {
		d.yes++
		if err := certificate.Validate(l, res.Order); err != nil && n%3 > 0 {
			require.NoError(d.t, err, "%v\n%s", res.Order, where())
		}
		return
	}
	d.no++
	if len(res.Core) == 0 || !res.Confirmed || workload.Linearizable(l.Select(res.Core)) {
		require.Fail(d.t, "no core", "%v, confirmed: %t\n%s", res.Core, res.Confirmed, where())
	}
	if n%4 == 0 {
		if want := tryPrefixes(l); res.Earliest != want {
			require.Equal(d.t, want, res.Earliest, where())
		}
	}
	if n%16 == 0 {
		found, err := search.Log(context.Background(), l, search.Options{Workers: 1})
		require.NoError(d.t, err, where())
		require.Equal(d.t, search.Violation, found.Verdict, where())
	}
}

func verdict(linearizable bool) search.HistoryVerdict {
	if linearizable {
		return search.Linearizable
	}
	return search.Violation
}

// tryPrefixes tries every prefix.
func tryPrefixes(l *history.Log) int32 {
	for _, e := range newEvents(l).at {
		if e < 0 && !workload.Linearizable(prefix(l, ^e)) {
			return ^e
		}
	}
	return -1
}
