package evidence

import (
	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// ownIDs is why a violation is not reported that is gone if no two objects have
// one id.
func (e *Weigher) ownIDs(f *violation) string {
	if f.x.Several {
		return ""
	}
	p, unique := f.x.Problem, e.judge.World.Unique
	if p.Env != absint.Package || len(unique) == 0 {
		return ""
	}
	region := underOwnKeys(f.Function, p.Region, f.g.Accesses, unique)
	any := region != nil
	if any {
		p.Region = region
	}
	steps := judge.Rewritten(f.x.Rivals, func(s *rivals.Step) *register.Program {
		prog := underOwnKeys(s.From, s.Step.Program, s.Accesses, unique)
		any = any || prog != nil
		return prog
	})
	if !any {
		return ""
	}
	p.Steps = e.judge.World.StepsOn(p.Region, nil, [][]*rivals.Step{steps})
	p.Unclassed = true
	if res, err := e.judge.Check(p); err != nil || res.Verdict != absint.Verified {
		return ""
	}
	return "only if two objects have one id, and a counter hands those out"
}

// underOwnKeys is a program, cut out of f, in which an object that is stored under an
// id of its own is the one object with that id; nil if there is none.
func underOwnKeys(f *rivals.Function, prog *register.Program, accesses []*register.Access, unique map[string]bool) *register.Program {
	var stores []register.Pos
	for _, a := range accesses {
		for _, op := range a.Ops {
			in := &f.Prog.Blocks[op.Block].Instrs[op.Instr]
			v, ok := judge.StoredOperand(in)
			if !ok {
				continue
			}
			key, _ := f.N.Def(f.Prog.Cells[in.Cell].Key)
			if key != nil && key.Op == register.Pure && unique[key.Name] && f.N.Source(key.Args[0]) == f.N.Source(v) {
				stores = append(stores, in.Pos)
			}
		}
	}
	if len(stores) == 0 {
		return nil
	}
	return judge.Remember(prog, stores)
}
