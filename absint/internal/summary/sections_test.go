package summary_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint/internal/oracle"
	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

var (
	programs = flag.Int("summary.programs", 2000, "random programs that are run with and without their second looks")
	seed     = flag.Uint64("summary.seed", 1, "seed of the random programs")
)

// lookAgain looks at a cell in each round of a loop inside of a section, after it was let go.
const lookAgain = `
func "look again"(words)
cell c0 map &m["k"] zero nil guarded label "m[k]"

b0:
    enter
    v, had = read c0
    leave
    enter
    n = pure len(words)
    i = 0
    jump b1

b1:
    more = pure lt(i, n)
    branch more, b2, b4

b2:
    w = pure index(words, i)
    now, _ = read c0
    same = pure eq(w, now)
    branch same, b4, b3

b3:
    i = pure add(i, 1)
    jump b1

b4:
    ACT
    leave
    return v, i
`

// TestWithoutSecondLooks: what a section has found, or put there, it does not look for again;
// another section does.
func TestWithoutSecondLooks(t *testing.T) {
	for _, c := range []struct {
		name, act string
		reads     int
		loops     bool
	}{
		{"only looks", "last, _ = read c0", 2, false},
		{"after a write", "_, _ = write c0, words\n    last, is = read c0\n    i = last", 2, false},
		{"something else is put there in the loop", "jump b5\n\nb5:\n    _, _ = write c0, words\n    again = pure lt(i, 5)\n    branch again, b1, b6\n\nb6:", 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			progs, err := register.Parse("register.reg", []byte(strings.Replace(lookAgain, "ACT", c.act, 1)))
			require.NoError(t, err)
			before := progs[0].String()
			p := summary.WithoutSecondLooks(progs[0])
			assert.Equal(t, before, progs[0].String(), "the program stays as it is")
			require.NoError(t, register.Check(p))
			assert.Equal(t, c.reads, countReads(p), p)
			assert.Equal(t, c.loops, len(register.Loops(summary.WithoutIdleLoops(p))) > 0)
		})
	}
}

func countReads(p *register.Program) (n int) {
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if b.Instrs[i].Op == register.Read {
				n++
			}
		}
	}
	return n
}

// TestSecondLooksAreTheSame: random programs that run as one section do the same without
// their second looks.
func TestSecondLooksAreTheSame(t *testing.T) {
	replaced := 0
	for n := range *programs {
		r := oracle.Rand(*seed, uint64(n))
		p := inOneSection(oracle.Generate(r, oracle.Mix{Cells: 1 + n%2, Env: oracle.Open, Noise: oracle.DefaultNoise}).Program)
		q := summary.WithoutSecondLooks(p)
		if q != p {
			replaced++
		}
		for _, content := range []register.Value{register.LitAbsent, "a", "b"} {
			want, got := runs(p, content), runs(q, content)
			require.Equal(t, want, got, "-summary.seed=%d, program %d from %s\n%s\n%s", *seed, n, content, p, q)
		}
	}
	require.Greater(t, 50*replaced, *programs, "many have something to replace")
}

// inOneSection is a program that nobody comes into.
func inOneSection(p *register.Program) *register.Program {
	q := p.Clone()
	first := q.Blocks[0]
	first.Instrs = append([]register.Instr{{Op: register.Enter}}, first.Instrs...)
	for _, b := range q.Blocks {
		if len(b.Term.To) == 0 {
			b.Instrs = append(b.Instrs, register.Instr{Op: register.Leave})
		}
	}
	return q
}

// runs is how a program ends, and what it leaves in the cells.
func runs(p *register.Program, content register.Value) string {
	var args, cells []register.Value
	for i := range p.Params {
		args = append(args, register.Value(fmt.Sprint("p", i)))
	}
	for i := range p.Cells {
		v := content
		if v == register.LitAbsent && p.Cells[i].Kind != register.Map {
			v = register.Value(p.Cells[i].Zero)
		}
		cells = append(cells, v)
	}
	host := &textHost{}
	out, err := register.Run(p, args, cells, host, nil, 300)
	if err != nil {
		return "it does not end" // or branches on what is no answer
	}
	return fmt.Sprint(out.Kind, out.Label, out.Vals, out.Effects, cells)
}

// textHost gives terms for what functions give.
type textHost struct{ made int }

func (h *textHost) Pure(name string, result int, args []register.Value) register.Value {
	return register.Value(fmt.Sprint(name, result, args))
}

func (h *textHost) Fresh(site string, _ []register.Value) register.Value {
	h.made++
	return register.Value(fmt.Sprint(site, h.made))
}

func (h *textHost) Unknown(site string, result int, _ []register.Value) register.Value {
	h.made++
	return []register.Value{register.LitTrue, register.LitFalse}[h.made%2]
}
