package analyzer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/internal/analyzer/config"
)

// quiet takes no notice of what is not expected.
type quiet struct{}

func (quiet) Errorf(string, ...any) {}

// TestRules has a folder for each rule of evidence: what has "hidden" in its name, or is
// called init, is a violation that this rule hides; what has "shown" is one that is
// like it, and is shown. Without the rules, all of them are.
func TestRules(t *testing.T) {
	dir, err := filepath.Abs("testdata/rules")
	require.NoError(t, err)
	opts := analyzer.Options{Confidence: analyzer.ConfidenceMedium, Config: &config.Config{Exclude: []config.Exclusion{{Functions: []string{"(*Store).HiddenByConfig"}}}}}
	var off config.Rules
	var folders []string
	for _, r := range evidence.Rules() {
		if r.Doubts {
			continue // TestDoubts
		}
		folder := strings.ToLower(r.ID)
		require.DirExists(t, filepath.Join(dir, "src", folder), "what %s hides, and what is like it and shown", r.ID)
		folders = append(folders, folder)
		require.NoError(t, off.Set("-"+r.ID))
	}
	without := opts
	without.Rules = off
	hidden := map[string]int{}
	results := analysistest.Run(reportsOnly{t}, dir, analyzer.New(opts), folders...)
	var pkgs []*packages.Package
	for _, r := range results {
		pkgs = append(pkgs, r.Action.Package)
	}
	all := opts // else generated files are not looked at, and -report=all shows most
	all.Report = analyzer.ReportAll
	results = append(results, analysistest.Run(reportsOnly{t}, dir, analyzer.New(all), "e5")...)
	for _, r := range results {
		rule := strings.ToUpper(r.Action.Package.PkgPath)
		for _, x := range violations(r.Action) {
			name := strings.ToLower(x.Function)
			switch {
			case x.Rule == "E10" && rule != "E10":
				// What shows of several cells while the call runs is something else.
			case strings.Contains(name, "hidden"), name == "init":
				hidden[rule]++
				assert.Equal(t, rule, x.Rule, "%s.%s", rule, x.Function)
				assert.NotEmpty(t, x.Reason, "%s.%s", rule, x.Function)
				assert.False(t, x.Reported, "%s.%s", rule, x.Function)
			case strings.Contains(name, "shown"):
				assert.GreaterOrEqual(t, x.Confidence, analyzer.ConfidenceMedium, "%s.%s: %s %s", rule, x.Function, x.Rule, x.Reason)
			}
		}
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.New(without)}, pkgs, nil)
	require.NoError(t, err)
	require.Len(t, graph.Roots, len(pkgs))
	for _, r := range graph.Roots {
		require.NoError(t, r.Err)
		for _, x := range violations(r) {
			assert.Empty(t, x.Rule, "%s.%s", r.Package.PkgPath, x.Function)
			assert.GreaterOrEqual(t, x.Confidence, analyzer.ConfidenceMedium, "%s.%s", r.Package.PkgPath, x.Function)
		}
	}
	for _, r := range evidence.Rules() {
		assert.True(t, r.Doubts || hidden[r.ID] > 0, "nothing shows what %s does", r.ID)
	}
}

// TestDoubts is TestRules for the rules that leave medium confidence: what has "hidden" in its
// name has that because of this rule, and high confidence without it, as what has "shown" has.
func TestDoubts(t *testing.T) {
	dir, err := filepath.Abs("testdata/rules")
	require.NoError(t, err)
	for _, r := range evidence.Rules() {
		if !r.Doubts {
			continue
		}
		folder := strings.ToLower(r.ID)
		require.DirExists(t, filepath.Join(dir, "src", folder), "what %s leaves open, and what is like it and shown", r.ID)
		opts := analyzer.Options{Confidence: analyzer.ConfidenceMedium, Callers: true}
		found := doubtful(settled(t, dir, folder, opts))
		assert.NotEmpty(t, found, "nothing shows what %s does", r.ID)
		for name, rule := range found {
			assert.Equal(t, strings.Contains(strings.ToLower(name), "hidden"), rule != "", "%s.%s", folder, name)
			if rule != "" {
				assert.Equal(t, r.ID, rule, "%s.%s", folder, name)
			}
		}
		require.NoError(t, opts.Rules.Set("-"+r.ID))
		for name, rule := range doubtful(settled(t, dir, folder, opts)) {
			assert.Empty(t, rule, "%s.%s without the rule", folder, name)
		}
	}
}

// settled is what there is in a folder, and in those below it, as a library that others use.
func settled(t *testing.T, dir, folder string, opts analyzer.Options) []*analyzer.Extension {
	t.Helper()
	var results []*analyzer.Result
	for _, r := range analysistest.Run(quiet{}, dir, analyzer.New(opts), folder+"/...") {
		results = append(results, r.Action.Result.(*analyzer.Result))
	}
	analyzer.Settle(results, true, false)
	var out []*analyzer.Extension
	for _, r := range results {
		out = append(out, r.Extensions...)
	}
	return out
}

// doubtful are the functions with a violation that no rule hides, each with the rule that leaves it
// medium confidence: none if that is high, and "-" if it is lower for another reason.
func doubtful(all []*analyzer.Extension) map[string]string {
	out := map[string]string{}
	for _, x := range all {
		if x.Verdict != absint.Violation || x.Rule != "" {
			continue
		}
		out[x.Function] = ""
		if x.Confidence == analyzer.ConfidenceHigh {
			continue
		}
		out[x.Function] = "-"
		for _, e := range x.Evidence {
			if e.Rule != "" {
				out[x.Function] = e.Rule
			}
		}
	}
	return out
}

func violations(r *checker.Action) []*analyzer.Extension {
	var out []*analyzer.Extension
	for _, x := range r.Result.(*analyzer.Result).Extensions {
		if x.Verdict == absint.Violation {
			out = append(out, x)
		}
	}
	return out
}
