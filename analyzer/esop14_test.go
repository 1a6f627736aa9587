package analyzer_test

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
)

var update = flag.Bool("update", false, "write docs/esop14.md anew, with the times of this machine")

const esop14Doc = "../docs/esop14.md"

// TestESOP14 checks the verdict of every row of the paper's tables and of the
// variants, replays the witness of each violation, and compares docs/esop14.md
// with what was found, all but the times.
func TestESOP14(t *testing.T) {
	runs := 1
	if *update {
		runs = 21
	}
	found := byFunction(t, runs)
	rows := readTable(t, "../testdata/esop14/rows.tsv")
	extras := readTable(t, "../testdata/esop14/extras.tsv")
	require.Len(t, rows, 24+28)
	for _, r := range rows {
		checkRow(t, r["row"], r["expected verdict"], found[r["row"]])
	}
	for _, r := range extras {
		checkRow(t, r["function"], r["expected verdict"], found[r["function"]])
	}
	named := map[string]bool{}
	for _, r := range slices.Concat(rows, extras) {
		named[cmp.Or(r["function"], r["row"])] = true
	}
	for name := range found {
		assert.True(t, named[name], "%s is in neither table", name)
	}
	tour := []time.Duration{0} // only the times are in the document, so it is not run for a comparison
	if *update {
		tour = nil
		for _, x := range leastTimes(t, loadCorpus(t, "tour"), analyzer.Options{}, 5) {
			tour = append(tour, x.least)
		}
		slices.Sort(tour)
	}
	doc := document(rows, extras, found, tour)
	if *update {
		require.NoError(t, os.WriteFile(esop14Doc, []byte(doc), 0o666))
	}
	have, err := os.ReadFile(esop14Doc)
	require.NoError(t, err)
	assert.Equal(t, withoutTimes(doc), withoutTimes(string(have)), "go test ./analyzer -run TestESOP14 -update writes it anew")
}

// single are the rows of one base operation, with its name: atomic by
// themselves, they are no extensions.
var single = map[string]string{"V08": "LoadOrStore"}

// checkRow checks the verdict and, by replaying it, the witness. A row has one
// extension, the variant that goes through two maps has two.
func checkRow(t *testing.T, name, verdict string, xs []*measured) {
	t.Helper()
	switch {
	case single[name] != "":
		assert.Empty(t, xs, "%s makes a single call", name)
		assert.Equal(t, "verified", verdict)
		return
	case name == "N02Nested":
		assert.Len(t, xs, 2, name)
	default:
		assert.Len(t, xs, 1, name)
	}
	for _, x := range xs {
		assert.Equal(t, absint.Open, x.Environment, name)
		assert.Equal(t, verdict, x.Verdict.String(), "%s: %s\n%s", name, x.Reason, x.Region)
		assert.Empty(t, x.Rule, name)
		if x.Verdict != absint.Violation {
			assert.Nil(t, x.Witness, name)
			continue
		}
		if assert.NotNil(t, x.Witness, name) {
			_, err := x.Witness.Replay(absint.Problem{Region: x.Region})
			assert.NoError(t, err, "%s\n%s\n%+v", name, x.Region, x.Witness)
		}
	}
}

// measured is an extension with the least time that some runs took.
type measured struct {
	*analyzer.Extension
	least time.Duration
}

// leastTimes decides the extensions of a package, several times for the sake
// of the time only.
func leastTimes(t *testing.T, pkg *packages.Package, opts analyzer.Options, runs int) []*measured {
	t.Helper()
	var xs []*measured
	for range runs {
		for i, x := range analyse(t, pkg, opts).Extensions {
			if i == len(xs) {
				xs = append(xs, &measured{x, x.Elapsed})
			}
			require.Equal(t, xs[i].Configurations, x.Configurations, "%s differs from run to run", x.Function)
			xs[i].least = min(xs[i].least, x.Elapsed)
		}
	}
	return xs
}

// byFunction are the extensions of the corpus in an open environment by the
// bare name of their function.
func byFunction(t *testing.T, runs int) map[string][]*measured {
	t.Helper()
	found := map[string][]*measured{}
	for _, x := range leastTimes(t, loadCorpus(t, "esop14"), analyzer.Options{Env: analyzer.EnvOpen}, runs) {
		name := x.Function[strings.LastIndexByte(x.Function, '.')+1:]
		found[name] = append(found[name], x)
	}
	return found
}

// loadCorpus loads a package of the top-level testdata.
func loadCorpus(t testing.TB, name string) *packages.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: ".."}, "./testdata/"+name)
	require.NoError(t, err)
	require.Len(t, pkgs, 1)
	require.Empty(t, pkgs[0].Errors)
	return pkgs[0]
}

// analyse runs the Analyzer on a package.
func analyse(t testing.TB, pkg *packages.Package, opts analyzer.Options) *analyzer.Result {
	t.Helper()
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.New(opts)}, []*packages.Package{pkg}, nil)
	require.NoError(t, err)
	require.Len(t, graph.Roots, 1)
	require.NoError(t, graph.Roots[0].Err)
	return graph.Roots[0].Result.(*analyzer.Result)
}

// readTable reads tab-separated values: lines that begin with # are comments,
// and the first other line names the columns.
func readTable(t *testing.T, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(filepath.FromSlash(path))
	require.NoError(t, err)
	defer f.Close()
	var names []string
	var rows []map[string]string
	for in := bufio.NewScanner(f); in.Scan(); {
		if strings.HasPrefix(in.Text(), "#") {
			continue
		}
		cells := strings.Split(in.Text(), "\t")
		if names == nil {
			names = cells
			continue
		}
		require.Len(t, cells, len(names), "%s: %q", path, in.Text())
		row := map[string]string{}
		for i, c := range cells {
			row[names[i]] = c
		}
		rows = append(rows, row)
	}
	return rows
}

// withoutTimes masks what differs from machine to machine.
func withoutTimes(doc string) string {
	doc = regexp.MustCompile(`\d+\.\d+ ms`).ReplaceAllString(doc, "TIME")
	return regexp.MustCompile(`(?m)^Measured on .*$`).ReplaceAllString(doc, "MACHINE")
}

// document is docs/esop14.md.
func document(rows, extras []map[string]string, found map[string][]*measured, tour []time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, docHead, machine())
	var all []time.Duration
	for _, xs := range found {
		for _, x := range xs {
			all = append(all, x.least)
		}
	}
	slices.Sort(all)
	fmt.Fprintf(&b, docTimes, len(all), ms(all[len(all)/2]), ms(all[len(all)*9/10]), ms(all[len(all)-1]),
		ms(tour[len(tour)/2]), ms(tour[len(tour)-1]))
	b.WriteString(docVerified)
	paperTable(&b, rows, "1", found)
	b.WriteString(docReported)
	paperTable(&b, rows, "2", found)
	b.WriteString(docExtras)
	for _, r := range extras {
		for _, x := range found[r["function"]] {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", x.Function, r["row"], r["what it shows"], ours(x))
		}
	}
	return b.String()
}

const docHead = `# The benchmark of ESOP 2014

O. Zomer, G. Golan-Gueta, G. Ramalingam and M. Sagiv, "Checking Linearizability of Encapsulated Extended Operations"
(European Symposium on Programming, ESOP 2014, LNCS 8410), checks 52 methods of Java programs that make one step out
of several calls on a concurrent map. Its Table 1 has the 24 that the authors' tool verified, its Table 2 the 28 that it
reported. testdata/esop14 has a Go function for each, written anew after what the method does with its map;
testdata/README.md explains the shapes. Here the paper's figures stand beside those of mapatom.

This file is written by a test, which also checks it in every run of the tests, all but the times:

    go test ./analyzer -run TestESOP14 -update

%s

- *lines* are the paper's count of the Java method, braces and comments included, and ours from the first map call of
  the extension to the last.
- *states* are the abstract states of the paper's tool, *configurations* those of mapatom's driver. They count different
  things. A violation ends the exploration, in both tools.
- *time* of the paper is as printed there. Ours is for one extension: its register program cut out of the function, the
  exploration and, of a violation, the witness, its replay and the category. Loading and type checking the package are
  not in it. It is the least of 21 runs, the one that other work on the machine disturbs least.
- *environment* is open: other goroutines may make any atomic call on the map, at any time and as often as they like.
  That is what the paper assumes, too.

The paper's tool reported one method that is linearizable, N11: it did not relate the key to the constants that it
is compared with. Mapatom follows the key through both runs and verifies it. All other verdicts agree. Every
violation comes with an interleaving, which the same test plays with the concrete interpreter to the results that
it states.

Nine rows have no public original that could be found: V10, V11, V17, V21, V22, V23, N03, N23 and N27. Their functions
have the shape that fits the lines, the states and the verdict that the paper prints.

By default mapatom supposes that others do what the package does, and nothing else. Then fewer of the functions are
violations than in the open environment, and fewer still are reported: where two callers only do the same work twice, or
nobody but the function itself writes. ` + "`mapatom extensions ./testdata/esop14`" + ` says which, and ` + "`-env=open`" + ` gives the table's.

`

const docTimes = `Of the %d extensions of the package, the median takes %s, nine in ten take at most %s, and the slowest
takes %s. Of those of testdata/tour, in the environments that mapatom chooses by itself, the median takes %s
and the slowest %s.
BenchmarkExtension measures the same for the register programs alone, allocations included, and also for
testdata/tour:

    go test ./analyzer -run '^$' -bench Extension
`

const docVerified = `
## Table 1: verified by the paper's tool
`

const docReported = `
## Table 2: reported by the paper's tool
`

const docExtras = `
## Variants

Functions of the package that are rows of neither table.

| function | variant of | what it shows | operations | verdict | category | environment | lines | configurations | time |
|---|---|---|---|---|---|---|---:|---:|---:|
`

// paperTable writes the rows of one of the paper's tables.
func paperTable(b *strings.Builder, rows []map[string]string, table string, found map[string][]*measured) {
	b.WriteString(`
| | application | class | lines | states | time | verdict | | operations | verdict | category | environment | lines | configurations | time |
|---|---|---|---:|---:|---:|---|---|---|---|---|---|---:|---:|---:|
`)
	for _, r := range rows {
		if r["table"] != table {
			continue
		}
		mine := single[r["row"]] + " | verified | - | any | - | - | atomic by itself"
		if xs := found[r["row"]]; len(xs) > 0 {
			mine = ours(xs[0])
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s ms | %s | | %s |\n",
			r["row"], r["application"], r["class"], r["lines"], r["states"], r["ms"], r["paper verdict"], mine)
	}
}

// ours are the columns that are mapatom's.
func ours(x *measured) string {
	var ops []string
	for _, op := range x.Operations {
		ops = append(ops, op.Name)
	}
	return fmt.Sprintf("%s | %s | %s | %s | %d | %d | %s", strings.Join(ops, ", "), x.Verdict,
		cmp.Or(string(x.Category), "-"), x.Environment, x.Lines, x.Configurations, ms(x.least))
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }

// machine says where the times come from.
func machine() string {
	cpu := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if m := regexp.MustCompile(`(?m)^model name\s*: (.*)$`).FindSubmatch(info); m != nil {
			cpu = string(m[1])
		}
	}
	return fmt.Sprintf("Measured on %s, %d CPUs, %s, with %s.", cpu, runtime.NumCPU(), runtime.GOOS, runtime.Version())
}
