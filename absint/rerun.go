package absint

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// World is what a run is told from outside of its programs: with it a Witness
// determines everything that happens.
type World struct {
	// Functions are the applications of uninterpreted functions, in the
	// order in which the run first asks for them.
	Functions []Application
	// Fresh are the identities that the call allocates, Unknown the results
	// of its unknown callees, and Others both of the other goroutine, each
	// in order.
	Fresh, Unknown, Others []register.Value
}

// Application says that result Result of the function Name is Value.
type Application struct {
	Name   string
	Result int
	Args   []register.Value
	Value  register.Value
}

var (
	// errNoReplay is the error about a witness that cannot happen.
	errNoReplay = errors.New("the interleaving cannot be replayed")
	// errOther ends a run that does not go as the witness says.
	errOther = errors.New("the run differs")
)

// maxWorlds bounds the worlds that Replay tries. A witness of the corpora
// takes a few dozen.
const maxWorlds = 200_000

// Replay runs the interleaving with the concrete interpreter and compares
// every operation, how the call ended, and the final contents with what w
// says. A witness lists the values that were seen, not what each function
// gave; Replay looks for a world in which the run goes as written, and returns
// it. It knows nothing of the exploration that found the witness.
func (w *Witness) Replay(p Problem) (*World, error) {
	if p.Region == nil || len(w.Params) != len(p.Region.Params) || len(w.Initial) != len(p.Region.Cells) {
		return nil, fmt.Errorf("absint: %w: it belongs to another region", errNoReplay)
	}
	p = p.summarised()
	r := &rerun{witness: w, problem: &p, values: w.mentioned(), parts: p.parts()}
	for range maxWorlds {
		err := r.play()
		if err == nil {
			return &r.world, nil
		}
		if !r.advance() {
			return nil, fmt.Errorf("absint: %w: %w", errNoReplay, err)
		}
	}
	return nil, fmt.Errorf("absint: %w: %d worlds did not fit", errNoReplay, maxWorlds)
}

// mentioned are the values that a run can be given: those of w.
func (w *Witness) mentioned() []register.Value {
	all := append(w.values(), register.LitNil, register.LitTrue, register.LitFalse)
	var vs []register.Value
	for _, v := range all {
		if v != "" && v != register.LitAbsent && !slices.Contains(vs, v) {
			vs = append(vs, v)
		}
	}
	return vs
}

// rerun is one attempt after the other to replay a witness. Choices are
// numbered in the order in which a run makes them; advance goes to the next
// series of choices, depth first, so that a run that fails early is not tried
// again with other choices later on.
type rerun struct {
	witness *Witness
	problem *Problem
	values  []register.Value
	parts   register.Parts

	picks, limits []int
	at            int

	// Set anew by each play.
	world   World
	exist   []register.Value // values that have appeared so far
	next    int              // event
	inStep  bool             // the other goroutine is running
	differs error
}

// pick makes a choice among n.
func (r *rerun) pick(n int) int {
	if r.at == len(r.picks) {
		r.picks, r.limits = append(r.picks, 0), append(r.limits, n)
	}
	r.at++
	return r.picks[r.at-1]
}

// advance goes to the next series of choices; false after the last.
func (r *rerun) advance() bool {
	n := r.at
	for n > 0 && r.picks[n-1]+1 == r.limits[n-1] {
		n--
	}
	r.picks, r.limits = r.picks[:n], r.limits[:n]
	if n > 0 {
		r.picks[n-1]++
	}
	return n > 0
}

// play runs the call once; nil if all is as the witness says.
func (r *rerun) play() error {
	r.at, r.next, r.world, r.exist, r.differs = 0, 0, World{}, nil, nil
	args, cells := valuesOf(r.witness.Params), valuesOf(r.witness.Initial)
	r.exist = slices.Concat(args, cells)
	yield := func(p register.Point) error { return r.others(p.Index, cells) }
	out, err := register.Run(r.problem.Region, args, cells, r, yield, maxConcreteSteps)
	switch {
	case r.differs != nil:
		return r.differs
	case err != nil:
		return err
	case r.next != len(r.witness.Events):
		return fmt.Errorf("%w: event %d does not happen", errOther, r.next)
	case !slices.Equal(cells, valuesOf(r.witness.Final)):
		return fmt.Errorf("%w: the final contents are %v", errOther, cells)
	}
	if got := ending(&out); !got.same(&r.witness.Result) {
		return fmt.Errorf("%w: it ends with %+v", errOther, got)
	}
	return nil
}

func valuesOf(bs []Binding) []register.Value {
	vs := make([]register.Value, len(bs))
	for i, b := range bs {
		vs[i] = b.Value
	}
	return vs
}

func (e *Ending) same(o *Ending) bool {
	return e.Panic == o.Panic && e.Label == o.Label && slices.Equal(e.Vals, o.Vals) && SameEffects(e.Effects, o.Effects)
}

// others performs the other goroutine's steps at a scheduling point.
func (r *rerun) others(point int, cells []register.Value) error {
	if r.differs != nil {
		return r.differs
	}
	for ; r.next < len(r.witness.Events); r.next++ {
		ev := &r.witness.Events[r.next]
		if !ev.Other || ev.Point > point {
			return nil // not yet, or never: the next operation is not as written
		}
		if ev.Point < point {
			return fmt.Errorf("%w: event %d was due at point %d", errOther, r.next, ev.Point)
		}
		saw, err := r.step(ev, cells)
		if err != nil {
			return err
		}
		if !slices.Equal(saw, ev.Results) {
			return fmt.Errorf("%w: event %d shows %v", errOther, r.next, saw)
		}
		r.exist = slices.Concat(r.exist, ev.Args, saw)
	}
	return nil
}

// step performs one step and returns what it is shown.
func (r *rerun) step(ev *Event, cells []register.Value) ([]register.Value, error) {
	if ev.Op == "run" {
		return r.runStep(ev, cells)
	}
	if ev.Cell < 0 || ev.Cell >= len(cells) {
		return nil, fmt.Errorf("%w: there is no cell %d", errOther, ev.Cell)
	}
	saw := []register.Value{cells[ev.Cell]}
	switch {
	case ev.Op == "look":
	case ev.Op == "swap" && len(ev.Args) == 1:
		cells[ev.Cell] = ev.Args[0]
	case ev.Op == "delete":
		cells[ev.Cell] = register.LitAbsent
	default:
		return nil, fmt.Errorf("%w: there is no step %q", errOther, ev.Op)
	}
	return saw, nil
}

// runStep runs a function of the package; several can have the same name.
func (r *rerun) runStep(ev *Event, cells []register.Value) ([]register.Value, error) {
	var named []*Step
	for i := range r.problem.Steps {
		if s := &r.problem.Steps[i]; s.Name == ev.Name {
			named = append(named, s)
		}
	}
	if len(named) == 0 {
		return nil, fmt.Errorf("%w: there is no step %q", errOther, ev.Name)
	}
	s := named[r.pick(len(named))]
	local := make([]register.Value, len(s.Cells))
	for i, c := range s.Cells {
		switch {
		case c >= 0:
			local[i] = cells[c]
		case s.only(i) != "":
			local[i] = s.only(i)
		case s.Program.Cells[i].Content().Kind == register.Bool:
			local[i] = []register.Value{register.LitFalse, register.LitTrue}[r.pick(2)]
		default:
			local[i] = "other" // a cell of its own, which nobody knows
		}
	}
	r.inStep = true
	out, err := register.Run(s.Program, ev.Args, local, stepWorld{r}, nil, maxConcreteSteps)
	r.inStep = false
	for i, c := range s.Cells {
		if c >= 0 {
			cells[c] = local[i]
		}
	}
	return out.Vals, err
}

// stepWorld is the Host of the other goroutine's programs: whose operations
// are no events.
type stepWorld struct{ register.Host }

// Trace compares the call's operations with the witness.
func (r *rerun) Trace(got register.Event) {
	if r.differs != nil {
		return
	}
	op := map[register.Op]string{register.Read: "read", register.Write: "write", register.CAS: "cas"}[got.Op]
	if r.next < len(r.witness.Events) {
		ev := &r.witness.Events[r.next]
		if !ev.Other && ev.Op == op && ev.Cell == got.Cell && ev.Pos == got.Pos &&
			slices.Equal(ev.Args, got.Args) && slices.Equal(ev.Results, got.Results) {
			r.next++
			return
		}
	}
	r.differs = fmt.Errorf("%w: operation %d is %s%v", errOther, r.next, op, got.Args)
}

// Pure is a function's result: what it was before for these arguments, else
// anything but what the call allocated and did not give it.
func (r *rerun) Pure(name string, result int, args []register.Value) register.Value {
	for _, a := range r.world.Functions {
		if a.Name == name && a.Result == result && slices.Equal(a.Args, args) {
			return a.Value
		}
		if a.Name == register.Inverse[name] && len(args) == 1 && a.Value == args[0] {
			return a.Args[0]
		}
	}
	v := r.any("", func(v register.Value) bool { return !slices.Contains(r.world.Fresh, v) || slices.Contains(args, v) })
	r.world.Functions = append(r.world.Functions, Application{name, result, args, v})
	if strings.HasPrefix(name, register.StructOf) {
		r.define(v, name, args)
	}
	return v
}

// Fresh is an identity that has not appeared yet.
func (r *rerun) Fresh(site string, contents []register.Value) register.Value {
	v := r.any(siteType(site)+"#", func(v register.Value) bool { return !v.IsLit() && !slices.Contains(r.exist, v) })
	if r.inStep {
		r.world.Others = append(r.world.Others, v)
	} else {
		r.world.Fresh = append(r.world.Fresh, v)
	}
	r.define(v, site, contents)
	return v
}

// define says what is found in a new object, where nobody changes that.
func (r *rerun) define(object register.Value, site string, contents []register.Value) {
	r.parts.Of(site, contents, func(function string, content register.Value) {
		r.world.Functions = append(r.world.Functions, Application{function, 0, []register.Value{object}, content})
	})
}

// Unknown is anything.
func (r *rerun) Unknown(string, int, []register.Value) register.Value {
	v := r.any("", func(register.Value) bool { return true })
	if r.inStep {
		r.world.Others = append(r.world.Others, v)
	} else {
		r.world.Unknown = append(r.world.Unknown, v)
	}
	return v
}

// any is a new value, or one of the witness's that is allowed.
func (r *rerun) any(prefix string, allowed func(register.Value) bool) register.Value {
	options := []register.Value{r.unseen(prefix)}
	for _, v := range r.values {
		if allowed(v) {
			options = append(options, v)
		}
	}
	v := options[r.pick(len(options))]
	r.exist = append(r.exist, v)
	return v
}

// unseen is a value that the witness does not mention.
func (r *rerun) unseen(prefix string) register.Value {
	for i := 1; ; i++ {
		v := register.Value(prefix + "unseen" + strconv.Itoa(i))
		if !slices.Contains(r.values, v) && !slices.Contains(r.exist, v) {
			return v
		}
	}
}
