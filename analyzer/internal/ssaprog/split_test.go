package ssaprog

import (
	"testing"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/assert"
)

// TestSplitPrograms makes the program of every operation of the catalog that
// is two steps.
func TestSplitPrograms(t *testing.T) {
	n := 0
	for _, op := range catalog.Default().Ops() {
		if op.Split == 0 {
			continue
		}
		n++
		p := splitProgram(op, &calls.BaseCall{Zero: "nil"}, op.Name, 1+len(op.Params))
		assert.NoError(t, register.Check(p), op)
		assert.Len(t, p.Blocks[1].Term.Vals, len(op.Results), op)
		assert.Contains(t, p.String(), "read c0", op)
		assert.Contains(t, p.String(), map[catalog.Kind]string{catalog.Store: "write c0", catalog.Insert: "cas c0, absent"}[op.Split], op)
	}
	assert.Positive(t, n)
}

func TestSplitCall(t *testing.T) {
	w := passtest.New(t)
	loadTestdata(w, "github.com/alphadose/haxmap")
	ps := load(w, "example.com/p", `package p
import "github.com/alphadose/haxmap"
type T struct{ m *haxmap.Map[string, int] }
func (t *T) Set(k string, v int) int { n, _ := t.m.GetOrSet(k, v); return n }
func (t *T) Make(k string) int { n, _ := t.m.GetOrCompute(k, func() int { return len(k) }); return n }
`)
	assert.Equal(t, []string{"read t.m[k] GetOrSet", "write t.m[k] GetOrSet"}, ps.baseOps(t, "(*T).Set"))
	for _, op := range ps.Res.ops {
		assert.False(t, op.Wrapper)
	}
	assert.Contains(t, ps.text(t, "(*T).Make"), "pure len(k)")
}

// TestWholeCalls asserts that calls on the whole map are writes of some entry,
// so that nobody takes a map for one that nobody clears.
func TestWholeCalls(t *testing.T) {
	ps := load(passtest.New(t), "example.com/p", `package p
import "sync"
type T struct{ m sync.Map }
func (t *T) Reset(k string) { t.m.Load(k); t.m.Clear() }
`)
	assert.Equal(t, []string{"read t.m[k] Load", "write t.m[key] Clear", "write t.m[k] Clear"}, ps.baseOps(t, "(*T).Reset"))
	for _, op := range catalog.Default().Ops() {
		if op.Whole == catalog.Clear || op.Whole == catalog.Sweep || op.Whole == catalog.Fill {
			p := wholeProgram(op, &calls.BaseCall{Zero: "nil"}, op.Name, 1+len(op.Params))
			assert.NoError(t, register.Check(p), op)
		}
	}
}
