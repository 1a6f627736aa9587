package absint

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint/internal/oracle"
)

// TestExplains tries single runs of random programs, and compares what explains them with
// what is found by trying all choices one by one.
func TestExplains(t *testing.T) {
	for _, mix := range []oracle.Mix{
		{Cells: 1, Env: oracle.Open, Noise: oracle.DefaultNoise},
		{Cells: 1, Env: oracle.Package, Noise: oracle.DefaultNoise},
		{Cells: 2, Env: oracle.Package, Noise: oracle.DefaultNoise},
	} {
		t.Run(fmt.Sprintf("cells=%d/env=%d", mix.Cells, mix.Env), func(t *testing.T) {
			explained, refuted, missed := 0, 0, 0
			for n := range *diffPrograms {
				r := oracle.Rand(*diffSeed, uint64(n))
				pr := oracle.Generate(r, mix)
				weakenSome(r, pr.Program)
				for _, h := range tryRuns(t, translate(pr), 4) {
					for after := h.before(); after <= len(h.steps); after++ {
						is, all := explanation(h, after)
						possible, _, err := h.explained(after)
						switch {
						case err != nil:
						case is != nil:
							require.True(t, possible, "-diff.seed=%d, program %d: %s\n%+v\n%+v", *diffSeed, n, pr.Program, h.events, is)
							explained++
						case !all:
						case possible:
							missed++
						default:
							refuted++
						}
					}
				}
			}
			t.Logf("%d explained, %d refuted, %d left to choices one by one", explained, refuted, missed)
			require.Positive(t, explained)
			require.Greater(t, refuted, missed, "most of what has no explanation is seen to have none")
		})
	}
}

// explanation is an atomic run that explains a history, nil if none does; not all may
// have been tried.
func explanation(h *history, after int) (is *Order, all bool) {
	script := []int{}
	for range 500 {
		s := newSpecHost(h, script)
		o, settled, err := h.order(after, s)
		switch {
		case err != nil: // it branches on what is neither true nor false
			return nil, false
		case o.Differs == "":
			return &o, true
		}
		if script = s.nextScript(); script == nil || settled {
			return nil, true
		}
	}
	return nil, false
}

// tryRuns are histories of runs that a sampler makes.
func tryRuns(t *testing.T, p Problem, n int) (out []*history) {
	require.NoError(t, p.validate())
	p = p.summarised()
	s := newSampler(newEngine(p, assumptions{}, stage{steps: 1, share: 4}))
	for range n {
		for _, regs := range s.initialContents() {
			c, err := s.one(regs)
			require.NoError(t, err)
			if c == nil {
				continue
			}
			if m := s.newModel(c.alongTheWay()); m != nil {
				if h := s.history(c, m); h != nil && h.run() {
					out = append(out, h)
				}
			}
		}
	}
	return out
}
