package analyzer_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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

// BenchmarkFunctions runs the Analyzer on one map that many functions use: each looks and
// stores, in one of several ways.
func BenchmarkFunctions(b *testing.B) {
	for _, n := range []int{15, 40, 150} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			src := "package many\n\nimport \"sync\"\n\nvar m sync.Map\n"
			for i := range n {
				src += fmt.Sprintf(manyWays[i%len(manyWays)], i)
			}
			dir := b.TempDir()
			require.NoError(b, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/many\n\ngo 1.26\n"), 0o644))
			require.NoError(b, os.WriteFile(filepath.Join(dir, "many.go"), []byte(src), 0o644))
			pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir}, ".")
			require.NoError(b, err)
			benchmarkPackage(b, pkgs[0])
		})
	}
}

// manyWays are what the functions of BenchmarkFunctions do.
var manyWays = []string{`
func F%[1]d(k string) any {
	if v, ok := m.Load(k); ok {
		return v
	}
	v, _ := m.LoadOrStore(k, %[1]d)
	return v
}
`, `
func F%[1]d(k string, n int) bool {
	v, ok := m.Load(k)
	if !ok || v.(int) < n+%[1]d {
		m.Store(k, n+%[1]d)
	}
	return ok
}
`, `
func F%[1]d(k string) {
	for {
		v, ok := m.Load(k)
		if !ok || v == %[1]d || m.CompareAndSwap(k, v, %[1]d) {
			return
		}
	}
}
`, `
func F%[1]d(k string) any {
	v, ok := m.Load(k)
	if ok && v != %[1]d {
		m.Delete(k)
	}
	return v
}
`, `
func F%[1]d(k string) { m.Store(k, %[1]d) }
`}

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
	b.ReportMetric(float64(times[len(times)-1].Nanoseconds()), "ns/slowest-extension")
}
