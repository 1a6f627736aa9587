package analyzer_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapatom/mapatom/analyzer"
)

// extensionsOf are those of one folder of testdata/src, which is run as a fixture.
func extensionsOf(t *testing.T, folder string, opts analyzer.Options) []*analyzer.Extension {
	t.Helper()
	var all []*analyzer.Extension
	for _, r := range analysistest.Run(reportsOnly{t}, analysistest.TestData(), analyzer.New(opts), folder) {
		all = append(all, r.Result.(*analyzer.Result).Extensions...)
	}
	return all
}

// TestNames asserts that names are shown as they are written, and decide nothing.
func TestNames(t *testing.T) {
	found := extensionsOf(t, "names", analyzer.Options{})
	require.Len(t, found, 1)
	x := found[0]
	assert.Equal(t, "s.値段表", x.Map)
	assert.Equal(t, "user_id", x.Key)
	assert.Contains(t, x.Message, "s.値段表[user_id]")
	assert.Equal(t, []string{"s", "user_id", "é"}, paramNames(x))
	steps := 0
	for _, ev := range x.Witness.Events {
		if ev.Other {
			steps++
			assert.Contains(t, []string{"(*Shop).Set", "(*Shop).Raise"}, ev.Name, "it is given the function's own arguments")
		}
	}
	assert.NotZero(t, steps)
}

func paramNames(x *analyzer.Extension) []string {
	var names []string
	for _, l := range x.Region.Params {
		names = append(names, x.Region.Names[l])
	}
	return names
}

// TestNotStandard has a module that is named like a part of the standard library.
func TestNotStandard(t *testing.T) {
	assert.Len(t, extensionsOf(t, "text/store", analyzer.Options{}), 1)
}
