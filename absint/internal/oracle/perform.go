package oracle

import (
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// The environment's steps, which mean the same in the actual run and on the
// specification's copy of the cells.

// stepHost is the host of a step's program. Its identities and unknown
// results are named by step, site and number of the call, and therefore are
// the same in both runs.
type stepHost struct {
	run     int // number of the RunStep in the history, from 1
	program int // index in the Problem
	calls   map[string]int

	side side
}

// side is the run that a step is part of: the actual one or the
// specification's.
type side interface {
	Pure(name string, result int, args []register.Value) register.Value
	stepUnknown(call string, program int, site string, result int) register.Value
	stepFresh(v register.Value, typ string, contents []register.Value)
	// see tells what the environment saw.
	see(v register.Value)
}

// next numbers the calls of a site.
func (h *stepHost) next(site string) int {
	if h.calls == nil {
		h.calls = map[string]int{}
	}
	h.calls[site]++
	return h.calls[site] - 1
}

func (h *stepHost) Pure(name string, result int, args []register.Value) register.Value {
	return h.side.Pure(name, result, args)
}

// Unknown numbers results as calls of their own.
func (h *stepHost) Unknown(site string, result int, _ []register.Value) register.Value {
	n := h.next(site + "/" + strconv.Itoa(result))
	return h.side.stepUnknown(StepUnknown(h.run, site, n), h.program, site, result)
}

// Fresh names an identity, e.g. "Session#1@2.0".
func (h *stepHost) Fresh(site string, contents []register.Value) register.Value {
	n := h.next("fresh " + site)
	v := StepFresh(h.run, site, n)
	h.side.stepFresh(v, typeOf(site), contents)
	return v
}

// perform executes a step on cells, the runth RunStep if it is one, and says
// what the environment saw of it.
func perform(pr *Problem, s EnvStep, run int, cells []register.Value, side side) (string, error) {
	if s.Kind == RunStep {
		h := &stepHost{run: run, program: s.Step, side: side}
		return h.runStep(pr, s, cells)
	}
	old := cells[s.Cell]
	side.see(old)
	switch s.Kind {
	case Swap:
		cells[s.Cell] = s.Value
	case Delete:
		cells[s.Cell] = register.LitAbsent
	}
	return string(old), nil
}

func (h *stepHost) runStep(pr *Problem, s EnvStep, cells []register.Value) (string, error) {
	def := pr.Steps[s.Step]
	local := make([]register.Value, len(def.Cells))
	for i, c := range def.Cells {
		local[i] = cells[c]
	}
	out, err := register.Run(def.Program, s.Args, local, h, nil, pr.Bounds.Run)
	if err != nil {
		return "", err
	}
	for i, c := range def.Cells {
		cells[c] = local[i]
	}
	for _, v := range out.Vals {
		h.side.see(v)
	}
	for _, e := range out.Observed() {
		for _, v := range e.Args {
			h.side.see(v)
		}
	}
	return outcomeText(&out), nil
}

// outcomeText is what others see of an outcome; equal texts are equal
// outcomes.
func outcomeText(out *register.Outcome) string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(int(out.Kind)))
	b.WriteString(out.Label)
	texts(&b, out.Vals)
	for _, e := range out.Observed() {
		b.WriteByte(1)
		b.WriteString(e.Name)
		texts(&b, e.Args)
	}
	return b.String()
}

func texts(b *strings.Builder, vs []register.Value) {
	for _, v := range vs {
		b.WriteByte(0)
		b.WriteString(string(v))
	}
}
