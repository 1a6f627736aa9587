package absint

import (
	"slices"
	"sync"

	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// unasked is the problem without what only unpredictable calls are given: whatever that
// is, nobody can tell what they make of it.
func (p Problem) unasked() Problem {
	p.Region = p.Memo.withoutArguments(p.Region)
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		p.Steps[i].Program = p.Memo.withoutArguments(p.Steps[i].Program)
	}
	return p
}

// recall is what make makes of a program, once for each if there is a memo.
func recall(of *map[*register.Program]*register.Program, p *register.Program, make func(*register.Program) *register.Program) *register.Program {
	if q, ok := (*of)[p]; ok {
		return q
	}
	q := make(p)
	if *of == nil || len(*of) >= maxKept {
		*of = map[*register.Program]*register.Program{}
	}
	(*of)[p] = q
	return q
}

// summary is a program made smaller, see summary.Of.
func (m *Memo) summary(p *register.Program) *register.Program {
	return recall(&m.summarised, p, summary.Of)
}

// withoutArguments is a program that gives its unpredictable calls nothing.
func (m *Memo) withoutArguments(p *register.Program) *register.Program {
	return recall(&m.unasked, p, summary.WithoutArguments)
}

// withBare is the problem with steps that know what they do to the cells, once somebody
// asks.
func (p Problem) withBare() Problem {
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		if p.Steps[i].bare != nil {
			continue
		}
		program := p.Steps[i].Program
		p.Steps[i].bare = sync.OnceValue(func() *register.Program { return summary.Bare(program) })
		p.Steps[i].telling = sync.OnceValue(func() *register.Program { return summary.Telling(program) })
	}
	return p
}
