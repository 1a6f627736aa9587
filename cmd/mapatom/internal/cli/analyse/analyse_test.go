package analyse

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// TestGuarded: a panic of the analyzer is an error of one package.
func TestGuarded(t *testing.T) {
	a := Guarded(&analysis.Analyzer{Run: func(*analysis.Pass) (any, error) { panic("no such cell") }})
	_, err := a.Run(nil)
	assert.ErrorContains(t, err, "internal error: no such cell")
	assert.ErrorContains(t, err, "please report it")
}

// TestLoading: what takes long is explained, and only then.
func TestLoading(t *testing.T) {
	now := loading(time.Now())
	assert.Equal(t, "loading packages", now(0, 0))
	late := loading(time.Now().Add(-2 * slowLoad))
	assert.Contains(t, late(0, 0), "what they import is compiled")
	assert.Equal(t, now(1, 2), late(1, 2), "while it analyses")
}

func TestWithoutVariants(t *testing.T) {
	var pkgs []*packages.Package
	for _, p := range [][2]string{
		{"a", "a"}, {"a [a.test]", "a"}, {"a_test [a.test]", "a_test"}, {"a.test", "a.test"}, {"b", "b"}, {"b", "b"},
	} {
		pkgs = append(pkgs, &packages.Package{ID: p[0], PkgPath: p[1]})
	}
	var ids []string
	for _, p := range withoutVariants(pkgs) {
		ids = append(ids, p.ID)
	}
	assert.Equal(t, []string{"a [a.test]", "a_test [a.test]", "b"}, ids)
}
