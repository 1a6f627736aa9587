package reduce

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An atomic.Value holds values of one type: what is taken out of it as a pointer is no number, and may
// be another pointer.
func TestValueOfOneType(t *testing.T) {
	lp := buildLower(t, `package p

import "sync/atomic"

type T struct{ v, w atomic.Value }

func Number(t *T) (*T, bool) {
	v := t.v.Load()
	x, _ := v.(*T)
	return x, v == any(1)
}

func Pointer(t, a *T) (*T, bool) {
	v := t.v.Load()
	x, _ := v.(*T)
	return x, v == any(a)
}

func Other(t *T) (*T, bool) {
	v := t.w.Load()
	x, _ := t.v.Load().(*T)
	return x, v == any(1)
}
`)
	require.Regexp(t, `return x, false`, lp.lower(t, "Number").String())
	require.Regexp(t, `eq\(\w+, a\)`, lp.lower(t, "Pointer").String())
	require.Regexp(t, `eq\(\w+, 1\)`, lp.lower(t, "Other").String())
}
