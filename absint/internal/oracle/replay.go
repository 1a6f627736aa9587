package oracle

import (
	"fmt"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Linearizable executes the history h and reports whether it is
// linearizable. Applications of functions that only a linearization needs
// and that h.World does not list may yield anything: h is linearizable if it
// is whatever they yield. A history that cannot happen is an error.
func Linearizable(pr Problem, h History) (bool, error) {
	if err := pr.check(); err != nil {
		return false, err
	}
	from := &recorded{h: &h, world: map[string]register.Value{}}
	for i := range h.World {
		from.world[h.World[i].key()] = h.World[i].Value
	}
	r := &run{pr: &pr, bools: findBools(&pr), from: from}
	if err := r.execute(literals(&pr)); err != nil {
		return false, err
	}
	if from.done < len(h.Steps) {
		return false, fmt.Errorf("%w: there is no point %d", errBroken, h.Steps[from.done].Point)
	}
	for i := range h.World {
		r.world[h.World[i].key()] = h.World[i].Value
	}
	r.h.World = h.World
	return newChecker(r).linearizable()
}

// recorded is the source of a run that repeats a history.
type recorded struct {
	h     *History
	world map[string]register.Value
	done  int // steps of h
}

func (s *recorded) answer(_ *run, q question) (register.Value, error) {
	var vs []register.Value
	switch q.kind {
	case askArgument:
		vs = s.h.Args
	case askContent:
		vs = s.h.Initial
	case askUnknown:
		vs = s.h.Unknown
	case askApplication:
		if v, ok := s.world[q.app.key()]; ok {
			return v, nil
		}
		return "", fmt.Errorf("%w: nothing says what %s%v is", errBroken, q.app.Name, q.app.Args)
	}
	if q.index >= len(vs) {
		return "", fmt.Errorf("%w: it lists too few values", errBroken)
	}
	v := vs[q.index]
	if v == "" || v == register.LitAbsent && !q.absent {
		return "", fmt.Errorf("%w: %q is no value", errBroken, v)
	}
	return v, nil
}

func (s *recorded) identity(nth int) register.Value {
	if nth < len(s.h.Fresh) {
		return s.h.Fresh[nth]
	}
	return ""
}

func (s *recorded) act(r *run, at register.Point) error {
	for s.done < len(s.h.Steps) && s.h.Steps[s.done].Point == at.Index {
		step := s.h.Steps[s.done]
		s.done++
		if err := r.apply(step); err != nil {
			return err
		}
	}
	if s.h.Pending && s.done == len(s.h.Steps) {
		return errStop
	}
	return nil
}
