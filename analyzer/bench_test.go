package analyzer_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
)

// BenchmarkExtension decides one extension at a time in the open environment:
// the exploration and, of a violation, its witness and category. The register
// programs are made before.
func BenchmarkExtension(b *testing.B) {
	for _, corpus := range []string{"esop14", "tour"} {
		b.Run(corpus, func(b *testing.B) {
			for _, x := range analyse(b, loadCorpus(b, corpus), analyzer.Options{Env: analyzer.EnvOpen}).Extensions {
				b.Run(x.Function, func(b *testing.B) { benchmarkRegion(b, x) })
			}
		})
	}
}

func benchmarkRegion(b *testing.B, x *analyzer.Extension) {
	b.ReportAllocs()
	var res absint.Result
	for b.Loop() {
		var err error
		if res, err = absint.Check(context.Background(), absint.Problem{Region: x.Region}); err != nil {
			b.Fatal(err)
		}
	}
	require.Equal(b, x.Verdict, res.Verdict)
	b.ReportMetric(float64(res.Configurations), "configurations")
}

// BenchmarkPackage runs the Analyzer on whole packages that are type-checked
// already, with the environments that it chooses itself, and reports the
// median time of an extension. It includes the packages of the standard
// library below, for which there is nothing to do.
func BenchmarkPackage(b *testing.B) {
	for _, corpus := range []string{"esop14", "tour"} {
		b.Run(corpus, func(b *testing.B) { benchmarkPackage(b, loadCorpus(b, corpus)) })
	}
}

func benchmarkPackage(b *testing.B, pkg *packages.Package) {
	b.ReportAllocs()
	var times []time.Duration
	for b.Loop() {
		for _, x := range analyse(b, pkg, analyzer.Options{}).Extensions {
			times = append(times, x.Elapsed)
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "ns/median-extension")
}
