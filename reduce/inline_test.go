package reduce

import (
	"strings"
	"testing"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lookupIn looks programs up by name.
// maxInlined is for programs of which all is to be inlined.
const maxInlined = 2000

func lookupIn(t *testing.T, text string) func(key string) *register.Program {
	t.Helper()
	progs, err := register.Parse("test", []byte(text))
	require.NoError(t, err)
	return func(key string) *register.Program {
		for _, p := range progs {
			if p.Name == key {
				return p
			}
		}
		return nil
	}
}

const inlineText = `
func Caller(a)
b0:
    x, y = call callee(a, 1)
    z = call missing(x)
    return x, y, z

func callee(p, q)
cell c0 map &p.m[p] zero nil
b0:
    old, had = read c0
    branch had, b1, b2
b1:
    return old, q
b2:
    panic "gone" (p)

func loop(n)
b0:
    m = pure sub(n, 1)
    call loop(m)
    return

func few(a)
b0:
    x = call callee(a)
    return x

func never(a)
b0:
    call dies(a)
    effect after(a)
    return

func dies(a)
b0:
    panic "no" (a)
`

func TestInline(t *testing.T) {
	lookup := lookupIn(t, inlineText)
	before := lookup("Caller").String()
	p := Inline(lookup("Caller"), lookup, 3, maxInlined)
	require.NoError(t, register.Check(p))
	assert.Equal(t, before, lookup("Caller").String(), "the original is as it was")
	assert.Equal(t, strings.TrimSpace(`
func Caller(a)
cell c0 map &p.m[a] zero nil label "m[a]"

b0:
    old, had = read c0
    branch had, b1, b2

b1:
    effect missing(old)
    z = unknown missing#1(old)
    return old, 1, z

b2:
    panic "gone" (a)
`), strings.TrimSpace(p.String()))
}

func TestInlineStops(t *testing.T) {
	lookup := lookupIn(t, inlineText)
	for _, tc := range []struct {
		name, want string
		depth      int
	}{
		{"Caller", "effect callee(a, 1)", 0},
		{"loop", "effect loop(m_2)", 9},
		{"few", "effect callee(a)", 9}, // it has two parameters
	} {
		p := Inline(lookup(tc.name), lookup, tc.depth, maxInlined)
		require.NoError(t, register.Check(p))
		assert.Contains(t, p.String(), tc.want)
		assert.Empty(t, callsOf(p))
	}
	assert.NotContains(t, Inline(lookup("never"), lookup, 9, maxInlined).String(), "after", "what comes after a call that panics")
}

// A program that grows beyond all bounds is cut.
func TestInlineBound(t *testing.T) {
	text := "func f0(a)\nb0:\n    effect e(a)\n    return\n"
	for i := 1; i < 20; i++ {
		n := string(rune('a' + i))
		prev := string(rune('a' + i - 1))
		if i == 1 {
			prev = "f0"
		}
		text += "\nfunc " + n + "(a)\nb0:\n    call " + prev + "(a)\n    call " + prev + "(a)\n    return\n"
	}
	lookup := lookupIn(t, text)
	p := Inline(lookup("t"), lookup, 30, maxInlined)
	require.NoError(t, register.Check(p))
	assert.Less(t, p.Size(), 2*maxInlined)
}

// A load is pure only as long as no part of the program stores to such memory.
func TestInlineForgetsStored(t *testing.T) {
	lp := buildLower(t, `package p
import "sync"
type T struct{ key string; other int; m sync.Map }
var g string
func (t *T) set(k string) { t.key = k; g = k }
func (t *T) Quiet() { if _, ok := t.m.Load(t.key); ok { t.m.Delete(t.key) }; t.m.Load(t.other); t.m.Load(g); t.m.Load(g) }
func (t *T) Loud() { if _, ok := t.m.Load(t.key); ok { t.set("x"); t.m.Delete(t.key) }; t.m.Load(t.other); t.m.Load(t.other); t.m.Load(g); t.m.Load(g) }
`)
	assert.Len(t, lp.inline(t, "(*T).Quiet").Cells, 3)
	p := lp.inline(t, "(*T).Loud")
	var labels []string
	for _, c := range p.Cells {
		labels = append(labels, c.Label)
	}
	assert.Equal(t, []string{"t.m[key]", "t.m[key_2]", "t.m[t.other]", "t.m[g]", "t.m[g_2]"}, labels)
}

func TestCalls(t *testing.T) {
	lookup := lookupIn(t, inlineText)
	var names []string
	for _, in := range callsOf(lookup("Caller")) {
		names = append(names, in.Name)
	}
	assert.Equal(t, []string{"callee", "missing"}, names)
}

// callsOf lists the Call instructions of p in block order.
func callsOf(p *register.Program) []*register.Instr {
	var calls []*register.Instr
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if b.Instrs[i].Op == register.Call {
				calls = append(calls, &b.Instrs[i])
			}
		}
	}
	return calls
}
