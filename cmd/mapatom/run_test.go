package main

import (
	"bytes"
	"context"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

func TestDoubleDashes(t *testing.T) {
	assert.Equal(t,
		[]string{"extensions", "--json", "--env=open", "--tests", "-h", "-", "./...", "--", "-x.go"},
		doubleDashes([]string{"extensions", "-json", "-env=open", "--tests", "-h", "-", "./...", "--", "-x.go"}))
}

// TestInterrupted: after Ctrl-C nothing is analysed.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, err bytes.Buffer
	assert.Equal(t, exitInterrupted, run(ctx, []string{"."}, &out, &err))
	assert.Equal(t, "mapatom: interrupted\n", err.String())
	assert.Empty(t, out.String())
}

// TestPanic: a panic is a message, not a trace.
func TestPanic(t *testing.T) {
	var out, err bytes.Buffer
	var none context.Context // which panics when it is asked something
	assert.Equal(t, exitFailed, run(none, []string{"."}, &out, &err))
	assert.Contains(t, err.String(), "internal error")
	assert.Contains(t, err.String(), "Please report it")
}

// TestGuarded: a panic of the analyzer is an error of one package.
func TestGuarded(t *testing.T) {
	a := guarded(&analysis.Analyzer{Run: func(*analysis.Pass) (any, error) { panic("no such cell") }})
	_, err := a.Run(nil)
	assert.ErrorContains(t, err, "internal error: no such cell")
	assert.ErrorContains(t, err, "please report it")
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

func TestIsVetTool(t *testing.T) {
	for _, args := range [][]string{{"-V=full"}, {"-flags"}, {"-json", "b001/vet.cfg"}} {
		assert.True(t, isVetTool(args), args)
	}
	for _, args := range [][]string{nil, {"./..."}, {"-json", "./..."}, {"version"}} {
		assert.False(t, isVetTool(args), args)
	}
}

func TestIsNamed(t *testing.T) {
	for _, as := range []string{"Get", "Registry.Get", "(*Registry).Get", "*Registry.Get"} {
		assert.True(t, isNamed("(*Registry).Get", as), as)
	}
	for _, as := range []string{"et", "Registry", "Other.Get"} {
		assert.False(t, isNamed("(*Registry).Get", as), as)
	}
}

func TestRelative(t *testing.T) {
	a := &app{dir: "/src/module"}
	assert.Equal(t, "store/a.go:1:2", a.relative("/src/module/store/a.go:1:2"))
	assert.Equal(t, "/src/module2/a.go:1:2", a.relative("/src/module2/a.go:1:2"))
	assert.Equal(t, token.Position{}.String(), a.relative("-"))
}
