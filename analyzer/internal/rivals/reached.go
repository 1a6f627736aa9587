package rivals

import (
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A counter is compared with limits: what matters happens next to them, and they
// can be many steps away from where the counter starts. This file finds out, by
// running the package's steps one after the other, which of these numbers the
// counter can come to, so that the call is also tried there.

const (
	// farthestLimit is the largest number, either way, that is looked for.
	farthestLimit = 1 << 12
	// maxReachRuns bounds how often steps are run, maxReachSteps the
	// instructions of one run.
	maxReachRuns  = 1 << 14
	maxReachSteps = 200
)

// Reached are the numbers next to the limits of an atomic number that steps lead
// to from its initial contents, in order.
func Reached(region *register.Program, steps []absint.Step, initial []register.Value) []register.Value {
	cell := &region.Cells[0]
	if len(region.Cells) != 1 || cell.Kind != register.Atomic || cell.Zero != "0" {
		return nil
	}
	wanted := map[register.Value]bool{}
	for _, n := range limits(region, steps) {
		for _, v := range []int64{n - 1, n, n + 1} {
			wanted[register.Value(strconv.FormatInt(v, 10))] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	from := append([]register.Value{register.Value(cell.Zero)}, initial...)
	seen := walkSteps(steps, slices.DeleteFunc(from, func(v register.Value) bool { return v == absint.Anything }), wanted)
	var out []register.Value
	for v := range wanted {
		if seen[v] {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

// limits are the numbers that something is compared with, but for those that are
// a step or two away from zero.
func limits(region *register.Program, steps []absint.Step) []int64 {
	var all []int64
	collect := func(p *register.Program) {
		for _, b := range p.Blocks {
			for i := range b.Instrs {
				in := &b.Instrs[i]
				if in.Op != register.Pure || in.Name != "lt" && in.Name != "le" && in.Name != "eq" {
					continue
				}
				for _, o := range in.Args {
					n, err := strconv.ParseInt(o.Lit, 10, 64)
					far := err == nil && (n > 1 || n < -1) && n <= farthestLimit && n >= -farthestLimit
					if o.IsLit() && far && !slices.Contains(all, n) {
						all = append(all, n)
					}
				}
			}
		}
	}
	collect(region)
	for i := range steps {
		collect(steps[i].Program)
	}
	return all
}

// walkSteps runs the steps on one number after the other, breadth first, until all
// that is wanted has been seen. Steps are given the number one for all their
// arguments, or one that is wanted.
func walkSteps(steps []absint.Step, from []register.Value, wanted map[register.Value]bool) map[register.Value]bool {
	seen := map[register.Value]bool{}
	for _, v := range from {
		seen[v] = true
	}
	arguments := []register.Value{"1"}
	for v := range wanted {
		arguments = append(arguments, v)
	}
	slices.Sort(arguments[1:])
	missing := len(wanted)
	for runs := 0; len(from) > 0 && missing > 0; from = from[1:] {
		for i := range steps {
			for _, arg := range arguments {
				if runs++; runs > maxReachRuns {
					return seen
				}
				v, ok := stepFrom(&steps[i], from[0], arg)
				if !ok || seen[v] {
					continue
				}
				seen[v] = true
				from = append(from, v)
				if wanted[v] {
					missing--
				}
				if len(steps[i].Program.Params) == 0 {
					break
				}
			}
		}
	}
	return seen
}

// stepFrom is what a step leaves in its cell, if it can be run and leaves a
// number.
func stepFrom(s *absint.Step, content, arg register.Value) (register.Value, bool) {
	if len(s.Cells) != 1 || s.Cells[0] != 0 {
		return "", false
	}
	args := make([]register.Value, len(s.Program.Params))
	for i, l := range s.Program.Params {
		if args[i] = arg; !isOf(arg, s.Program.TypeOf(l).Kind) {
			return "", false
		}
	}
	cells := []register.Value{content}
	out, err := register.Run(s.Program, args, cells, stranger{}, nil, maxReachSteps)
	if err != nil || out.Kind == register.Panic {
		return "", false
	}
	n, err := strconv.ParseInt(string(cells[0]), 10, 64)
	return cells[0], err == nil && n <= farthestLimit && n >= -farthestLimit
}

// isOf reports whether a number is one of a kind, if that is one of numbers.
func isOf(v register.Value, kind register.TypeKind) bool {
	switch n, err := strconv.ParseInt(string(v), 10, 64); {
	case err != nil || !kind.IsInteger():
		return true
	case kind.IsUnsigned():
		return n >= 0 && (kind.Bits() > 62 || n < 1<<kind.Bits())
	default:
		return kind.Bits() > 62 || n >= -1<<(kind.Bits()-1) && n < 1<<(kind.Bits()-1)
	}
}

// stranger is a host of which nothing is known: what it gives is equal to
// nothing else, and no answer to a question.
type stranger struct{}

func (stranger) Pure(name string, result int, args []register.Value) register.Value {
	text := name + "." + strconv.Itoa(result)
	for _, a := range args {
		text += "," + string(a)
	}
	return register.Value("of " + text)
}

func (stranger) Fresh(site string, _ []register.Value) register.Value {
	return register.Value("new " + site)
}

func (stranger) Unknown(site string, result int, _ []register.Value) register.Value {
	return register.Value("from " + site + "." + strconv.Itoa(result))
}
