package monitor

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/certificate"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

// BenchmarkMonitor measures answers without their certificates.
func BenchmarkMonitor(b *testing.B) {
	for _, kind := range allKinds {
		for n := 10_000; n <= 1_000_000; n *= 10 {
			b.Run(fmt.Sprintf("%s/n=%d", kind, n), func(b *testing.B) {
				measure(b, workload.Threads{Kind: kind, Operations: n, Seed: 1}, Options{})
			})
		}
	}
}

// BenchmarkOrder measures answers with their certificates.
func BenchmarkOrder(b *testing.B) {
	for _, kind := range allKinds {
		b.Run(kind.String()+"/n=1000000", func(b *testing.B) {
			measure(b, workload.Threads{Kind: kind, Operations: 1_000_000, Seed: 1}, Options{Order: true})
		})
	}
}

// BenchmarkValidate measures the checking of certificates.
func BenchmarkValidate(b *testing.B) {
	for _, kind := range allKinds {
		b.Run(kind.String()+"/n=1000000", func(b *testing.B) {
			l := workload.Threads{Kind: kind, Operations: 1_000_000, Seed: 1}.Log()
			res, err := Check(context.Background(), l, Options{Order: true})
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, certificate.Validate(l, res.Order))
			}
		})
	}
}

func measure(b *testing.B, g workload.Threads, o Options) {
	l := g.Log()
	b.ReportAllocs()
	for b.Loop() {
		res, err := Check(context.Background(), l, o)
		require.NoError(b, err)
		require.Equal(b, search.Linearizable, res.Verdict)
		require.Equal(b, ByMonitor, res.Method)
	}
	b.ReportMetric(float64(g.Operations)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mops/s")
}
