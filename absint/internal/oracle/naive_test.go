package oracle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// naive is a source without any of the search's shortcuts: every step of the
// environment is possible at every point, the first and the last included,
// observing is a step like others, a step may change nothing, and values
// come from a fixed domain, of which all members are alike.
type naive struct {
	script script
	left   int // steps of the environment
}

var domain = []register.Value{"v1", "v2", "v3"}

func (s *naive) identity(int) register.Value { return "" }

func (s *naive) answer(r *run, q question) (register.Value, error) {
	if len(q.among) > 0 && !slices.Contains(q.among, "") {
		return q.among[s.script.pick(len(q.among))], nil
	}
	vs := s.values(r, q.boolean, q.allow)
	if q.absent {
		vs = append(vs, register.LitAbsent)
	}
	return vs[s.script.pick(len(vs))], nil
}

// values are the domain and what else there is: literals and identities.
func (s *naive) values(r *run, boolean bool, allow func(*entry) bool) []register.Value {
	if boolean {
		return []register.Value{register.LitTrue, register.LitFalse}
	}
	vs := slices.Clone(domain)
	for i := range r.pool.entries {
		if e := &r.pool.entries[i]; allow == nil || allow(e) {
			vs = addValue(vs, e.value)
		}
	}
	return vs
}

func (s *naive) act(r *run, at register.Point) error {
	for s.left > 0 {
		steps := s.steps(r)
		i := s.script.pick(len(steps) + 1)
		if i == len(steps) {
			return nil
		}
		s.left--
		steps[i].Point = at.Index
		if err := r.apply(steps[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *naive) steps(r *run) []EnvStep {
	var steps []EnvStep
	for i, c := range r.pr.Program.Cells {
		steps = append(steps, EnvStep{Kind: Observe, Cell: i})
		if r.pr.Env == Package {
			continue
		}
		if c.Kind == register.Map {
			steps = append(steps, EnvStep{Kind: Delete, Cell: i})
		}
		fits := r.content(i)
		for _, v := range s.values(r, r.bools.has(cellClass(i)), func(e *entry) bool { return fits(e) && known(e) }) {
			steps = append(steps, EnvStep{Kind: Swap, Cell: i, Value: v})
		}
	}
	if r.pr.Env == Package {
		for i, def := range r.pr.Steps {
			for _, args := range s.arguments(r, i, def.Params) {
				steps = append(steps, EnvStep{Kind: RunStep, Step: i, Args: args})
			}
		}
	}
	return steps
}

// arguments lists all arguments of a step.
func (s *naive) arguments(r *run, step int, params []int) [][]register.Value {
	all := [][]register.Value{nil}
	for i, p := range params {
		vs := []register.Value{}
		if p == Free {
			p := r.pr.Steps[step].Program
			fits := passable(p, p.Params[i])
			vs = s.values(r, r.bools.has(localClass(step, p.Params[i])), func(e *entry) bool { return known(e) && fits(e) })
		} else {
			vs = append(vs, r.h.Args[p])
		}
		var longer [][]register.Value
		for _, args := range all {
			for _, v := range vs {
				longer = append(longer, append(slices.Clone(args), v))
			}
		}
		all = longer
	}
	return all
}

// searchNaively is Search with a naive source and at most steps steps.
func searchNaively(pr *Problem, steps, work int) (*History, error) {
	s := &naive{}
	types, lits := findBools(pr), literals(pr)
	for {
		s.left = steps
		r := &run{pr: pr, bools: types, from: s}
		if err := r.execute(lits); err != nil {
			return nil, err
		}
		c := newChecker(r)
		c.work = work
		ok, err := c.linearizable()
		if err != nil {
			return nil, err
		}
		work = c.work
		if other, err := matchAnything(r); err == nil && other != ok {
			return nil, fmt.Errorf("matching all identities makes a difference on\n%s", &r.h)
		}
		if !ok {
			return &r.h, nil
		}
		if !s.script.advance() {
			return nil, nil
		}
	}
}

// matchAnything checks a run without the shortcut that some identities are
// not worth matching.
func matchAnything(r *run) (bool, error) {
	c := newChecker(r)
	c.work, c.matches = 500, nil
	for _, e := range r.pool.entries {
		if e.own {
			c.matches = append(c.matches, e)
		}
	}
	return c.linearizable()
}

// TestSearchAgreesWithNaiveSearch checks the shortcuts of the search, for a
// few steps of the environment: more are too many to try without them.
func TestSearchAgreesWithNaiveSearch(t *testing.T) {
	const seed, steps = 7, 2
	for _, mix := range []Mix{
		{Cells: 1, Noise: DefaultNoise}, {Cells: 2, Noise: DefaultNoise},
		{Cells: 1, Noise: DefaultNoise, Env: Package}, {Cells: 2, Noise: DefaultNoise, Env: Package},
	} {
		var bad, good int
		for n := range uint64(programs(48)) {
			pr := Generate(Rand(seed, n), mix)
			if baseOps(pr.Program) > 4 {
				continue
			}
			pr.Bounds = Bounds{PerPoint: steps, Env: steps, Run: 60, Work: 10_000}
			h, _, err := Search(context.Background(), pr)
			if errors.Is(err, ErrWork) {
				continue
			}
			require.NoError(t, err, "seed %d, program %d, mix %+v", seed, n, mix)
			plain, err := searchNaively(&pr, steps, 40_000)
			switch {
			case plain != nil:
				bad++
				assert.NotNil(t, h, "seed %d, program %d, mix %+v: the search misses\n%s", seed, n, mix, plain)
			case err == nil:
				good++
				if h != nil && len(h.Steps) <= steps && !strings.Contains(h.String(), "v4") {
					assert.Fail(t, "invented violation", "seed %d, program %d, mix %+v: \n%s", seed, n, mix, h)
				}
			default:
				require.ErrorIs(t, err, ErrWork)
			}
		}
		t.Logf("seed %d, mix %+v: %d violations, %d linearizable", seed, mix, bad, good)
		assert.GreaterOrEqual(t, bad, programs(48)/16)
		assert.GreaterOrEqual(t, good, programs(48)/16)
	}
}
