package goracle_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/goracle"
	"github.com/mapatom/mapatom/analyzer/internal/goracle/sim"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

var cellLabel = regexp.MustCompile(`^s\.([\w.]+)(?:\[(.*)\])?$`)

// scripts are the runs that a witness may tell: the arguments of another
// function do not say which of its parameters they are for if some of them do
// not matter, so that there may be several.
func scripts(w *absint.Witness, params map[string][]string, self string) []*sim.Script {
	s := &sim.Script{
		Panics: w.Result.Panic, Initial: contents(w.Initial), Final: contents(w.Final),
		Goes: !w.Result.Panic && strings.HasPrefix(w.Result.Label, "exit"),
	}
	byName := map[string]string{}
	for _, b := range w.Params {
		byName[b.Name] = string(b.Value)
	}
	for _, p := range params[self] {
		s.Args = append(s.Args, byName[p])
	}
	if !w.Result.Panic {
		s.Results = texts(w.Result.Vals)
	}
	for i, ev := range w.Events {
		if e, ok := event(w, i, ev); ok {
			s.Events = append(s.Events, e)
		}
	}
	return align(s, params)
}

// story are the functions that a witness has others call.
func story(w *absint.Witness) (out []sim.Told) {
	before := true
	for i, ev := range w.Events {
		if before = before && ev.Other; ev.Op != "run" {
			continue
		}
		if e, ok := event(w, i, ev); ok {
			out = append(out, sim.Told{Func: e.Func, Before: before})
		}
	}
	return out
}

// event is a step of a witness. A call that is both a read and a write in the
// register program, such as Add, is one step: that of its write.
func event(w *absint.Witness, i int, ev absint.Event) (sim.Event, bool) {
	if !ev.Other && ev.Op == "read" && i+1 < len(w.Events) {
		if next := w.Events[i+1]; !next.Other && next.Pos == ev.Pos && next.Op == "write" {
			return sim.Event{}, false
		}
	}
	e := sim.Event{Other: ev.Other, Op: ev.Op, Cell: ev.Cell, Line: ev.Pos.Line, Args: texts(ev.Args)}
	if ev.Op == "run" {
		_, e.Func, _ = strings.Cut(ev.Name, ").")
		e.Args = e.Args[min(1, len(e.Args)):] // but for the receiver
		if name, within := strings.CutSuffix(e.Func, absint.Within); within {
			e.Args, e.Hints = nil, e.Args
			e.Func, _, _ = strings.Cut(name, ".") // of which it is a function literal
		}
	}
	if len(ev.Results) > 0 {
		e.Old = string(ev.Results[0])
	}
	e.Writes = ev.Op == "cas" && len(ev.Results) > 1 && ev.Results[1] == register.LitTrue
	return e, true
}

// align gives the arguments of other functions to parameters, in each way in
// which their order allows it.
func align(s *sim.Script, params map[string][]string) []*sim.Script {
	out := []*sim.Script{s}
	for i, ev := range s.Events {
		if ev.Op != "run" || len(ev.Args) == 0 || len(ev.Args) >= len(params[ev.Func]) {
			continue
		}
		var more []*sim.Script
		for _, base := range out {
			for _, args := range spread(ev.Args, len(params[ev.Func])) {
				c := *base
				c.Events = append([]sim.Event{}, base.Events...)
				c.Events[i].Args = args
				more = append(more, &c)
			}
		}
		out = more[:min(len(more), 64)]
	}
	return out
}

// spread are the ways to put args, in order, into n places.
func spread(args []string, n int) (out [][]string) {
	if len(args) == 0 {
		return [][]string{make([]string, n)}
	}
	if len(args) > n {
		return nil
	}
	for _, rest := range spread(args[1:], n-1) {
		out = append(out, append([]string{args[0]}, rest...))
	}
	for _, rest := range spread(args, n-1) {
		out = append(out, append([]string{""}, rest...))
	}
	return out
}

func contents(bs []absint.Binding) (out []sim.Content) {
	for _, b := range bs {
		c := sim.Content{Value: string(b.Value)}
		if m := cellLabel.FindStringSubmatch(b.Name); m != nil {
			c.Cell, c.Key = m[1], m[2]
		}
		out = append(out, c)
	}
	return out
}

func texts(vs []register.Value) []string {
	out := []string{}
	for _, v := range vs {
		out = append(out, string(v))
	}
	return out
}

// TestAlike: a violation that only tells which of two objects is there that were made alike is no disagreement,
// where the runs do not tell them apart; one of what they hold is one.
func TestAlike(t *testing.T) {
	u, err := goracle.NewUnit("U1", `type U struct{ m sync.Map }

type Unode struct{ n int }

func (s *U) F(k string) {
	defer s.m.LoadOrStore(k, &Unode{n: 1})
	for {
		v, ok := s.m.Load(k)
		if !ok {
			return
		}
		if s.m.CompareAndSwap(k, v, &Unode{n: 1}) {
			return
		}
	}
}
`)
	require.NoError(t, err)
	p, err := goracle.Build(context.Background(), t.TempDir(), []*goracle.Unit{u})
	require.NoError(t, err)
	defer p.Close()
	vs, loose := verdicts(t, p, environments["package"])
	v := vs[function{"U1", "F"}]
	require.Equal(t, absint.DuplicateInstance, v.Category)
	for category, alike := range map[absint.Category]int{absint.DuplicateInstance: 1, absint.LostUpdate: 0} {
		x := *v.Extension
		x.Category = category
		v.Extension = &x
		var k counts
		_, fine, err := (&comparison{t: t, env: "package"}).judge(p, v, loose["U1"], &k)
		require.NoError(t, err)
		require.Equal(t, alike == 1, fine)
		require.Equal(t, alike, k.alike)
	}
}
