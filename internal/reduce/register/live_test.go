package register_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// parseOne reads a text with one program.
func parseOne(t require.TestingT, src string) *register.Program {
	progs, err := register.Parse("test.reg", []byte(src))
	require.NoError(t, err)
	require.Len(t, progs, 1)
	return progs[0]
}

// liveNames is what is live before an instruction, as text.
func liveNames(p *register.Program, block, instr int) []string {
	var names []string
	for _, l := range register.Live(p).In(block, instr) {
		names = append(names, p.Names[l])
	}
	return names
}

const liveText = `
func "(*Registry).Get"(r, id)
cell c0 map m[id] zero nil
b0:
    m = pure &Registry.sessions(r)
    v, ok = read c0
    branch ok, b1, b2
b1:
    return v
b2:
    n = fresh Session#1(r)
    n, v = cas c0, absent, n
    return n
`

func TestLiveInEachPlace(t *testing.T) {
	p := parseOne(t, liveText)
	assert.Equal(t, []string{"r"}, liveNames(p, 0, 0))
	assert.Equal(t, []string{"r"}, liveNames(p, 0, 1), "map and key of the cell do not count")
	assert.Equal(t, []string{"r", "v", "ok"}, liveNames(p, 0, 2))
	assert.Equal(t, []string{"v"}, liveNames(p, 1, 0))
	assert.Equal(t, []string{"r"}, liveNames(p, 2, 0), "v is assigned before it is read")
	assert.Equal(t, []string{"n"}, liveNames(p, 2, 1))
	assert.Equal(t, []string{"n"}, liveNames(p, 2, 2))
	assert.True(t, register.Live(p).Has(p.Params[0], 0, 0))
	assert.False(t, register.Live(p).Has(p.Params[1], 0, 0))
}

func TestUsesAndDefs(t *testing.T) {
	p := parseOne(t, "func f(a, b)\nb0:\n x, _ = unknown s(b, nil, a, b)\n branch x, b1, b1\nb1:\n return a, 1\n")
	var uses, defs, cond, vals []register.Local
	in := &p.Blocks[0].Instrs[0]
	in.Uses(func(l register.Local) { uses = append(uses, l) })
	in.Defs(func(l register.Local) { defs = append(defs, l) })
	p.Blocks[0].Term.Uses(func(l register.Local) { cond = append(cond, l) })
	p.Blocks[1].Term.Uses(func(l register.Local) { vals = append(vals, l) })
	assert.Equal(t, []register.Local{1, 0, 1}, uses)
	assert.Equal(t, []register.Local{2}, defs)
	assert.Equal(t, []register.Local{2}, cond)
	assert.Equal(t, []register.Local{0}, vals)
}

// The zero Operand reads local 0, so a Jump's Cond must not be looked at.
func TestUsesIgnoresFieldsOfOtherTerminators(t *testing.T) {
	jump := register.Term{Kind: register.Jump, To: []int{1}, Vals: []register.Operand{register.L(1)}}
	jump.Uses(func(l register.Local) { t.Errorf("uses %d", l) })
}

// drawDataflow draws a graph whose blocks copy locals around at random. Check
// may well object: locals may be read before they are assigned.
func drawDataflow(t *rapid.T) *register.Program {
	p := drawGraph(t)
	p.Names = make([]string, rapid.SampledFrom([]int{2, 3, 70}).Draw(t, "locals"))
	for l := range p.Names {
		p.Names[l] = "v" + string(rune('a'+l%26)) + string(rune('a'+l/26))
	}
	// The last ones, so that sets need their second word.
	local := rapid.Map(rapid.IntRange(1, 2), func(i int) register.Local { return register.Local(len(p.Names) - i) })
	if rapid.Bool().Draw(t, "param") {
		p.Params = []register.Local{local.Draw(t, "param local")}
	}
	for _, blk := range p.Blocks {
		for range rapid.IntRange(0, 2).Draw(t, "instrs") {
			arg := register.L(local.Draw(t, "arg"))
			if rapid.Bool().Draw(t, "literal") {
				arg = register.Lit("1")
			}
			blk.Instrs = append(blk.Instrs, register.Instr{Op: register.Copy, Dst: []register.Local{local.Draw(t, "dst")}, Args: []register.Operand{arg}})
		}
		if use := register.L(local.Draw(t, "use")); blk.Term.Kind == register.Branch {
			blk.Term.Cond = use
		} else if blk.Term.Kind == register.Return && rapid.Bool().Draw(t, "returned") {
			blk.Term.Vals = []register.Operand{use}
		}
	}
	return p
}

// livePlace is a point in a program: before an instruction or the terminator.
type livePlace struct{ block, instr int }

// liveStep says which locals the instruction at a place reads and assigns, and
// where execution goes on.
func liveStep(p *register.Program, at livePlace) (uses, defs []register.Local, next []livePlace) {
	addTo := func(ls *[]register.Local) func(register.Local) {
		return func(l register.Local) { *ls = append(*ls, l) }
	}
	blk := p.Blocks[at.block]
	if at.instr < len(blk.Instrs) {
		blk.Instrs[at.instr].Uses(addTo(&uses))
		blk.Instrs[at.instr].Defs(addTo(&defs))
		return uses, defs, []livePlace{{at.block, at.instr + 1}}
	}
	blk.Term.Uses(addTo(&uses))
	for _, s := range blk.Term.To {
		next = append(next, livePlace{s, 0})
	}
	return uses, nil, next
}

// readFrom walks on from a place in search of a read of l before any
// assignment to it.
func readFrom(p *register.Program, l register.Local, at livePlace, seen map[livePlace]bool) bool {
	if seen[at] {
		return false
	}
	seen[at] = true
	uses, defs, next := liveStep(p, at)
	if slices.Contains(uses, l) {
		return true
	}
	if slices.Contains(defs, l) {
		return false
	}
	for _, n := range next {
		if readFrom(p, l, n, seen) {
			return true
		}
	}
	return false
}

func TestLiveAgreesWithPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawDataflow(t)
		lv := register.Live(p)
		for b, blk := range p.Blocks {
			for i := range len(blk.Instrs) + 1 {
				var want []register.Local
				for l := range p.Names {
					if readFrom(p, register.Local(l), livePlace{b, i}, map[livePlace]bool{}) {
						want = append(want, register.Local(l))
					}
				}
				require.Equal(t, want, lv.In(b, i), "b%d, instruction %d", b, i)
			}
		}
	})
}
