package absint

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint/internal/oracle"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

var (
	diffPrograms = flag.Int("diff.programs", 40, "random programs that the engine and the brute force are compared on, per kind")
	diffSeed     = flag.Uint64("diff.seed", 1, "seed of the random programs")
)

// TestAgreesWithBruteForce compares the engine with the enumeration of all
// interleavings, which shares no code with it, on random programs.
func TestAgreesWithBruteForce(t *testing.T) { agrees(t, *diffPrograms, false) }

// TestLateAgreesWithBruteForce is TestAgreesWithBruteForce where calls take effect after they have gone on,
// which is only done to those of many branches else.
func TestLateAgreesWithBruteForce(t *testing.T) { agrees(t, *diffPrograms, true) }

func agrees(t *testing.T, programs int, late bool) {
	for _, mix := range []oracle.Mix{
		{Cells: 1, Env: oracle.Open, Noise: oracle.DefaultNoise},
		{Cells: 1, Env: oracle.Package, Noise: oracle.DefaultNoise},
		{Cells: 2, Env: oracle.Open, Noise: oracle.DefaultNoise},
	} {
		t.Run(fmt.Sprintf("cells=%d/env=%d", mix.Cells, mix.Env), func(t *testing.T) {
			t.Logf("seed %d", *diffSeed)
			d := differ{t: t, mix: mix, late: late}
			began := time.Now()
			for n := range programs {
				d.compare(uint64(n))
			}
			t.Logf("%d agree (%d violations, %d verified), %d undecided by the engine, %d by the brute force, %s",
				d.violations+d.verified, d.violations, d.verified, d.unknown, d.gaveUp, time.Since(began).Round(time.Millisecond))
			decided := d.violations + d.verified
			require.Greater(t, 5*min(d.violations, d.verified), decided, "both answers must be well represented")
			require.Less(t, 6*d.unknown, programs, "the engine leaves too much undecided")
		})
	}
}

type differ struct {
	t                                     *testing.T
	mix                                   oracle.Mix
	late                                  bool
	violations, verified, unknown, gaveUp int
}

func (d *differ) compare(n uint64) {
	r := oracle.Rand(*diffSeed, n)
	pr := oracle.Generate(r, d.mix)
	weakenSome(r, pr.Program)
	d.judge(pr, fmt.Sprintf("-diff.seed=%d, program %d of %+v", *diffSeed, n, d.mix))
}

// judge compares the answers to one problem.
func (d *differ) judge(pr oracle.Problem, where string) {
	p := translate(pr)
	p.late = d.late
	res, err := Check(context.Background(), p)
	require.NoError(d.t, err, "%s\n%s", where, pr.Program)
	if res.Verdict == Unknown {
		d.unknown++
		return
	}
	h, _, err := oracle.Search(context.Background(), pr)
	if err != nil {
		require.False(d.t, errors.Is(err, context.Canceled))
		d.gaveUp++
		return
	}
	switch {
	case res.Verdict == Verified && h != nil && strings.Contains(h.String(), "nil"):
		// The engine takes values in a map to be not nil; the brute force
		// lets a program store a nil that it computed.
		d.gaveUp++
		return
	case res.Verdict == Verified && h != nil:
		require.Fail(d.t, "verified, but there is a history without a linearization", "%s\n%s%s\n%s", where, pr.Program, steps(pr), h)
	case res.Verdict == Violation && h == nil && len(register.Loops((&Memo{}).summary(pr.Program))) < len(register.Loops(pr.Program)):
		// The engine does not know what a loop gives, and whether it ends.
		d.gaveUp++
		return
	case res.Verdict == Violation && h == nil && len(res.Witness.others()) <= pr.Bounds.Env && !res.Witness.storesNil(pr.Program):
		// The bounds of the brute force may be too small for this witness;
		// its own check of a single history has none.
		if d.mix.Env == oracle.Open {
			requireNoLinearization(d.t, pr, translate(pr), res.Witness)
			break
		}
		require.Fail(d.t, "a violation that the brute force does not know", "%s\n%s%s\n%+v", where, pr.Program, steps(pr), res.Witness)
	}
	if res.Verdict == Verified {
		d.verified++
	} else {
		d.violations++
	}
}

// storesNil reports whether somebody writes nil to a map: the brute force
// leaves such runs out.
func (w *Witness) storesNil(p *register.Program) bool {
	for _, ev := range w.Events {
		if ev.Op == "run" {
			return true // what it writes is not on the record
		}
		if len(ev.Args) > 0 && ev.Args[len(ev.Args)-1] == register.LitNil && p.Cells[ev.Cell].Kind != register.Atomic {
			return true
		}
	}
	return false
}

// others are the environment's steps that change something: looking is not
// counted in the brute force's bounds.
func (w *Witness) others() (out []Event) {
	for _, ev := range w.Events {
		if ev.Other && ev.Op != "look" {
			out = append(out, ev)
		}
	}
	return out
}

func steps(pr oracle.Problem) (out string) {
	for _, s := range pr.Steps {
		out += fmt.Sprintf("\nstep, cells %v, parameters %v:\n%s", s.Cells, s.Params, s.Program)
	}
	return out
}

// weakenSome makes some compare-and-swaps weak.
func weakenSome(r *rand.Rand, p *register.Program) {
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			if in.Op == register.CAS && in.Args[0] != register.Absent && r.IntN(4) == 0 {
				in.Name = register.Weak
			}
		}
	}
}

func translate(pr oracle.Problem) Problem {
	p := Problem{Region: pr.Program, Initial: pr.Initial, Budget: Budget{Configurations: 4000, Spurious: 20}}
	if pr.Env == oracle.Package {
		p.Env = Package
	}
	for i, s := range pr.Steps {
		p.Steps = append(p.Steps, Step{Name: fmt.Sprint("step", i), Program: s.Program, Cells: s.Cells, Bind: s.Params})
	}
	return p
}
