package absint

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

func whole(t *testing.T, src string) *register.Program {
	t.Helper()
	ps, err := register.Parse("test", []byte(src))
	require.NoError(t, err)
	require.NoError(t, register.Check(ps[0]))
	return ps[0]
}

// TestBare: what decides about nothing but results is not walked, and what decides about a
// cell is.
func TestBare(t *testing.T) {
	p := whole(t, `func "step"(x, y)
cell c0 atomic state zero 0 label "state"

b0:
    failed = unknown ask#1(x)
    branch failed, b1, b2

b1:
    err = unknown ask#2(x)
    jump b3

b2:
    err = nil
    jump b3

b3:
    known = pure f(y)
    branch known, b4, b5

b4:
    _, _ = write c0, 1
    return err

b5:
    old, _ = read c0
    return old
`)
	names := func(p *register.Program) (out []string) {
		for _, b := range p.Blocks {
			for _, in := range b.Instrs {
				out = append(out, in.Name)
			}
		}
		return out
	}
	bare := summary.Bare(p)
	require.Equal(t, p.Params, bare.Params)
	require.Equal(t, p.Cells, bare.Cells)
	require.NotContains(t, names(bare), "ask#1")
	require.Contains(t, names(bare), "f")
	require.Equal(t, 1, summary.Branches(bare))
	require.Equal(t, 2, summary.Branches(summary.Telling(p)), "it is told whether there was an error")
	require.Equal(t, 2, summary.Branches(p), "the program itself stays as it is")
}

// TestToldAlike: a step is told the same of two contents as far as the answers to its own
// questions are the same, and not if they are not.
func TestToldAlike(t *testing.T) {
	region := whole(t, `func "begin"()
cell c0 atomic state zero 0 label "state"

b0:
    old, _ = read c0
    idle = pure eq(old, 0)
    branch idle, b1, b2

b1:
    _, _ = cas c0, 0, 1
    return old

b2:
    return old
`)
	for _, test := range []struct {
		name, asks string
		want       Verdict
	}{
		{"whether it is over, which it is neither idle nor begun", "2", Verified},
		{"whether it is idle, which it is not once begun", "0", Violation},
	} {
		t.Run(test.name, func(t *testing.T) {
			step := whole(t, `func "finish"()
cell c0 atomic state zero 0 label "state"

b0:
    old, _ = read c0
    is = pure eq(old, `+test.asks+`)
    _, _ = write c0, 2
    return is
`)
			res, err := Check(context.Background(), Problem{
				Region: region, Env: Package, Initial: [][]register.Value{{}},
				Steps: []Step{{Name: "finish", Program: step, Cells: []int{0}}},
			})
			require.NoError(t, err)
			require.Equal(t, test.want, res.Verdict, "%s %+v", res.Reason, res.Witness)
		})
	}
}

// TestCellsStay: a program that is made simpler has the cells that it had, also where what
// one of them is called by is a copy of something.
func TestCellsStay(t *testing.T) {
	p := whole(t, `func "step"(m, x)
cell c0 map n["k"] zero nil label "m[k]"

b0:
    n = m
    v = unknown ask#1(x)
    _, _ = write c0, v
    return
`)
	q := summary.WithoutArguments(p)
	require.Equal(t, p.Cells, q.Cells)
	i := slices.IndexFunc(q.Blocks[0].Instrs, func(in register.Instr) bool { return in.IsBase() })
	require.Zero(t, q.Blocks[0].Instrs[i].Cell)
}

// TestTooMuch: what there are too many cases in is named.
func TestTooMuch(t *testing.T) {
	region := whole(t, `func "count"(x)
cell c0 atomic state zero 0 label "state"

b0:
    old, _ = read c0
    idle = pure eq(old, x)
    branch idle, b1, b2

b1:
    _, _ = write c0, 1
    return old

b2:
    return old
`)
	res, err := Check(context.Background(), Problem{Region: region, Budget: Budget{Work: 8}})
	require.NoError(t, err)
	require.Equal(t, "too many cases to tell apart in a sequence of 1 branches", res.Reason)
	step := []byte("func \"drain\"(x)\ncell c0 atomic state zero 0 label \"state\"\n")
	for i := range 20 {
		step = fmt.Appendf(step, "\nb%d:\n    t%d = unknown ask#%d()\n    branch t%d, b%d, b%d\n", 2*i, i, i, i, 2*i+1, 2*i+2)
		step = fmt.Appendf(step, "\nb%d:\n    x = pure add(x, %d)\n    jump b%d\n", 2*i+1, 1<<i, 2*i+2)
	}
	step = append(step, "\nb40:\n    _, _ = write c0, x\n    return\n"...)
	res, err = Check(context.Background(), Problem{
		Region: region, Env: Package, Budget: Budget{Work: 1000}, Initial: [][]register.Value{{Anything}},
		Steps: []Step{{Name: "drain", Program: whole(t, string(step)), Cells: []int{0}, Bind: []int{-1}}},
	})
	require.NoError(t, err)
	require.Equal(t, Unknown, res.Verdict)
	require.Contains(t, res.Reason, "in drain, which others run meanwhile")
}

// TestManyCells: of more cells than are followed at once, single runs show what is wrong; where they show nothing, it is not known.
func TestManyCells(t *testing.T) {
	text := "func \"sum\"(m)\n"
	for i := range MaxCells + 1 {
		text += fmt.Sprintf("cell c%d atomic n%d zero 0 label \"n%d\"\n", i, i, i)
	}
	text += "\nb0:\n"
	for i := range MaxCells + 1 {
		text += fmt.Sprintf("    x%d, _ = read c%d\n", i, i)
	}
	for _, test := range []struct {
		name, end string
		want      Verdict
		reason    string
	}{
		{"all are told", "    return x0, x1, x2, x3, x4\n", Violation, ""},
		{"none is told", "    return\n", Verified, ""},
		{"it makes no difference", "    z = pure eq(x0, x4)\n    branch z, b1, b2\n\nb1:\n    return x1\n\nb2:\n    return x1\n", Unknown, "5 cells; at most 4 are followed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			res, err := Check(context.Background(), Problem{Region: whole(t, text+test.end), Unclassed: true})
			require.NoError(t, err)
			require.Equal(t, test.want, res.Verdict, res.Reason)
			require.Equal(t, test.reason, res.Reason)
		})
	}
}

// TestStartsOfManyCells: what many entries can hold at first is not listed, but each of them can hold anything and nothing.
func TestStartsOfManyCells(t *testing.T) {
	const cells = 40
	text := "func \"F\"(m, k)\n"
	for i := range cells {
		text += fmt.Sprintf("cell c%d map m[\"k%d\"] zero 0 label \"m[k%d]\"\n", i, i, i)
	}
	text += "\nb0:\n    x, _ = read c0\n    return x\n"
	s := newSampler(newEngine(Problem{Region: whole(t, text)}.summarised(), assumptions{}, stage{steps: 1, share: 4}))
	require.Len(t, s.starts, maxStarts)
	for i := range cells {
		held := map[bool]bool{}
		for _, regs := range s.starts {
			held[regs[i] == s.terms.absentT] = true
		}
		require.Len(t, held, 2, "cell %d", i)
	}
}
