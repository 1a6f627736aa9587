package absint

import (
	"context"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// stages are tried in this order for a problem whose environment is the
// package. Most correct code is correct in any environment, and nearly every
// bug shows with two or three steps: one that fills the cell, and one or two
// at the wrong moment. What the package can do in any number of steps is only
// asked for what is left.
var stages = []stage{
	{envelope: true, share: 1},
	{steps: 2, share: 2},
	{steps: 3, share: 2},
	{share: 4},
}

// decide answers a problem under the given assumptions, by stages.
func decide(ctx context.Context, p Problem, a assumptions) (Result, error) {
	all := stages
	if p.Env == Open {
		all = []stage{{share: 4}}
	}
	var last Result
	var watched *Witness
	configs := 0
	for _, s := range all {
		e := newEngine(p, a, s)
		res, err := e.run(ctx)
		if err != nil {
			return Result{}, err
		}
		if watched == nil && !s.envelope {
			watched = e.watched
		}
		configs += res.Configurations
		res.Configurations = configs
		switch {
		case s.envelope && res.Verdict == Verified,
			!s.envelope && res.Verdict == Violation,
			!s.envelope && res.Verdict == Verified && !e.cut:
			return res, nil
		}
		last = res
	}
	if watched != nil {
		return Result{Verdict: Violation, Configurations: configs, Witness: watched}, nil
	}
	return last, nil
}

// putsNil reports whether a step of the package might put nil in a map, as far
// as can be told from what it stores.
func (p *Problem) putsNil() bool {
	for _, s := range p.Steps {
		for _, b := range s.Program.Blocks {
			for i := range b.Instrs {
				in := &b.Instrs[i]
				if (in.Op == register.Write || in.Op == register.CAS) && !neverStoresNil(s.Program, in.Args[len(in.Args)-1]) {
					return true
				}
			}
		}
	}
	return false
}

// neverStoresNil reports whether an operand that is stored is a literal other
// than nil, an allocation, or an argument that nobody passes nil for.
func neverStoresNil(p *register.Program, v register.Operand) bool {
	if v.Local == register.None {
		return v != register.Lit(register.LitNil)
	}
	if slices.Contains(p.Params, v.Local) {
		return neverNil(p, v.Local)
	}
	defined, fresh := 0, 0
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Defs(func(l register.Local) {
				if l != v.Local {
					return
				}
				defined++
				if b.Instrs[i].Op == register.Fresh {
					fresh++
				}
			})
		}
	}
	return defined > 0 && defined == fresh
}
