package absint

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// told is a story with a line for each move.
func told(s *Story) string {
	var out strings.Builder
	out.WriteString(s.Start + "\n")
	for _, m := range s.Moves {
		who, mark := "call ", ""
		if m.Other {
			who = "other"
		}
		if m.Breaking {
			mark = " <-"
		}
		fmt.Fprintf(&out, "    %s %3d  %s%s\n", who, m.Pos.Line, strings.TrimSpace(m.Op+"  "+m.Note), mark)
	}
	for _, o := range s.Orders {
		fmt.Fprintf(&out, "  %s\n", o)
	}
	if s.Made != nil {
		out.WriteString("made " + strings.Join(s.Made, ", ") + "\n")
	}
	return out.String()
}

// TestStory tells the witness of every violation among the known shapes.
func TestStory(t *testing.T) {
	var got strings.Builder
	for _, p := range shapes(t, "open.reg") {
		res, err := Check(context.Background(), Problem{Region: p})
		require.NoError(t, err)
		if res.Witness == nil {
			continue
		}
		got.WriteString("-- " + strings.TrimPrefix(p.Name, "violation ") + " --\n\n")
		got.WriteString(told(res.Witness.Story(nil)) + "\n")
	}
	golden(t, "story.golden", got.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// TestStoryNames tells a witness with what the shapes do not have: source
// positions, methods, a method of two steps, a step of the package, effects,
// a panic, several cells, values that only the atomic runs know.
func TestStoryNames(t *testing.T) {
	s := namedWitness().Story(func(p register.Pos) string {
		return map[register.Pos]string{at("a.go:7:4"): "Add", at("a.go:112:9"): "LoadOrStore", at("a.go:9:1"): "CompareAndDelete"}[p]
	})
	golden(t, "storynames.golden", told(s))
	assert.False(t, s.Returns)
}

// TestCountsTold: the looks by which a call counts the entries of a map are one move, and nothing is told of an entry that is not there;
// what others count tells that there is one more. What others do first, and changes nothing, is left out.
func TestCountsTold(t *testing.T) {
	none, there := []register.Value{"nil", "false"}, at("a.go:4:7")
	w := &Witness{
		Initial: []Binding{{"r.seats[key]", "absent"}, {"r.seats[name]", "absent"}}, Counted: []int{0},
		Events: []Event{
			{Other: true, Op: "run", Cell: -1, Name: "(*Room).Leave", Args: []register.Value{"r", "name2"}, idle: true},
			{Op: "read", Cell: 0, Results: none, Pos: there},
			{Op: "read", Cell: 1, Results: none, Pos: there},
			{Other: true, Op: "run", Cell: -1, Name: "(*Room).Seat", Args: []register.Value{"r", "name2"}, Results: []register.Value{"false"}},
			{Op: "write", Cell: 1, Args: []register.Value{"Party#1"}, Results: none, Pos: at("a.go:9:1")},
		},
		Breaking: 4,
		Result:   Ending{Vals: []register.Value{"true"}},
		Final:    []Binding{{"r.seats[key]", "Party#2"}, {"r.seats[name]", "Party#1"}},
		Atomic: []Order{
			{After: 0, Differs: "other", Step: 1, Shown: []register.Value{"true"}},
			{After: 1, Differs: "other", Step: 1, Shown: []register.Value{"true"}},
			{After: 2, Differs: "result", Result: Ending{Vals: []register.Value{"false"}}},
		},
	}
	w.begins()
	golden(t, "counts.golden", told(w.Story(nil)))
	assert.Equal(t, 3, w.Breaking)
}

// at is a position.
func at(text string) register.Pos {
	p, err := register.ParsePos(text)
	if err != nil {
		panic(err)
	}
	return p
}

func namedWitness() *Witness {
	return &Witness{
		Params:  []Binding{{"id", "id"}, {"max", "3"}},
		Initial: []Binding{{"r.open", "2"}, {"r.sessions[id]", "absent"}},
		Events: []Event{
			{Op: "read", Cell: 0, Results: []register.Value{"2", "true"}, Pos: at("a.go:7:4")},
			{Op: "write", Cell: 0, Args: []register.Value{"3"}, Results: []register.Value{"2", "true"}, Pos: at("a.go:7:4")},
			{Other: true, Op: "run", Cell: -1, Name: "(*Registry).OpenSessionForClient", Args: []register.Value{"r", "id", "client"}, Results: []register.Value{"their_grand-tour.Session#0"}},
			{Op: "cas", Cell: 1, Args: []register.Value{"absent", "grand-tour.Session#1"}, Results: []register.Value{"their_grand-tour.Session#0", "false"}, Pos: at("a.go:112:9")},
			{Other: true, Op: "run", Cell: -1, Name: "(*Registry).Reset", Args: []register.Value{"r"}},
			{Op: "cas", Cell: 1, Args: []register.Value{"their_grand-tour.Session#0", "absent"}, Results: []register.Value{"nil", "false"}, Pos: at("a.go:9:1")},
		},
		Breaking: 5,
		Result:   Ending{Panic: true, Label: "nil dereference", Effects: []Effect{did("(*Session).Close", "their_grand-tour.Session#0")}},
		Final:    []Binding{{"r.open", "3"}, {"r.sessions[id]", "absent"}},
		Atomic: []Order{
			{After: 0, Differs: "result", Result: Ending{Vals: []register.Value{"spec_grand-tour.Session#4", "spec_uuid.New2"}, Effects: []Effect{did("(*Session).Close", "spec_grand-tour.Session#4")}}},
			{After: 1, Differs: "endless"},
			{After: 2, Differs: "final", Final: []Binding{{"r.open", "3"}, {"r.sessions[id]", "spec_grand-tour.Session#4"}}},
		},
	}
}

// TestShown: what a step of others was told, where several looks found nothing.
func TestShown(t *testing.T) {
	w := namedWitness()
	w.Events[2].Results = []register.Value{"nil", "false", "nil", "false", "7", "true", "nil", "false"}
	s := told(w.Story(func(register.Pos) string { return "Load" }))
	assert.Contains(t, s, "finds nothing, 7, true, nothing")
	w.Events[2].Results = append(w.Events[2].Results, "8", "true", "9", "true")
	s = told(w.Story(func(register.Pos) string { return "Load" }))
	assert.Contains(t, s, "finds nothing, 7, true, nothing, …")
	assert.NotContains(t, s, "8")
}

// TestApart: of long lists the first that differ are told, of short ones all.
func TestApart(t *testing.T) {
	for _, tc := range []struct{ as, bs, a, b string }{
		{"1 2", "1 3", "1, 2", "1, 3"},
		{"1 2 3 4 5 6", "1 2 3 4 5 7", "6", "7"},
		{"1 2 3 4 5 6", "1 2 3 4 5", "1, 2, 3, 4, …", "1, 2, 3, 4, …"},
	} {
		a, b := apart(strings.Fields(tc.as), strings.Fields(tc.bs))
		assert.Equal(t, []string{tc.a, tc.b}, []string{a, b})
	}
}

// TestLooksAgain: a method that looks twice and finds the same is one row, if nobody comes
// in between, and if it did not find something else.
func TestLooksAgain(t *testing.T) {
	read := func(found register.Value, pos string) Event {
		return Event{Op: "read", Results: []register.Value{found, "true"}, Pos: at(pos)}
	}
	other := Event{Other: true, Op: "look", Results: []register.Value{"v1"}}
	rows := func(events ...Event) string {
		w := &Witness{Initial: []Binding{{"c", "v1"}}, Events: events, Breaking: len(events) - 1}
		var got []string
		for _, m := range w.Story(nil).Moves {
			if m.Breaking {
				m.Note += " <-"
			}
			got = append(got, m.String())
		}
		return strings.Join(got[:len(got)-1], "; ")
	}
	a, b, c := read("v1", "a.go:7:4"), read("v2", "a.go:7:4"), read("v1", "a.go:8:4")
	assert.Equal(t, "read finds v1 <-", rows(a, a, a))
	assert.Equal(t, "read finds v1; read finds v2 <-", rows(a, b))
	assert.Equal(t, "read finds v1; read finds v1 <-", rows(a, c))
	assert.Equal(t, "read finds v1; looks, finds v1; read finds v1 <-", rows(a, other, a))
}

// TestNamesOfStructs: structs that the call puts together are numbered by their types.
func TestNamesOfStructs(t *testing.T) {
	w := &Witness{Initial: []Binding{{"c", "0"}}, Result: Ending{Vals: []register.Value{"struct:proto.Point20", "struct:proto.Event22", "struct:proto.Point7", "struct:proto.Point20"}}}
	assert.Equal(t, "(Point1, Event1, Point2, Point1)", w.Story(nil).Result)
}

// TestNamesOfLiterals: what has a type in front of it is written as Go has it, and a part of something as a part.
func TestNamesOfLiterals(t *testing.T) {
	w := &Witness{
		Params: []Binding{{"w", "w3"}, {"v", "7"}}, Initial: []Binding{{"c", "0"}},
		Result: Ending{Vals: []register.Value{"{zero time.Time}", "{nil *p.T}", "{uint8 3}", "w3.done", "p.T.done1", `"{a b}"`}},
	}
	assert.Equal(t, `(Time{}, (*T)(nil), uint8(3), w.done, T.done1, "{a b}")`, w.Story(nil).Result)
}

// TestNamesOfComputed: what a loop gives, and what is converted, is told by that.
func TestNamesOfComputed(t *testing.T) {
	res := decided(t, `
func Put(n, list)
cell c0 map &m["k"] zero nil label "m[k]"
var n int

b0:
    a, _ = read c0
    x = pure "computed~7d8r1pd4azgm"(list, n)
    y = pure convert int8(n)
    z = pure box int8(y)
    t = pure pair(x, z)
    branch t, b1, b2

b1:
    _, _ = write c0, x
    return a

b2:
    return y
`)
	require.Equal(t, Violation, res.Verdict, res.Reason)
	s := told(res.Witness.Story(nil))
	assert.Contains(t, s, "computed1")
	assert.NotContains(t, s, "~")
}

// TestNamesOfUnnamed: what the source has no name for is called by what it is, and what it has a name for by that.
func TestNamesOfUnnamed(t *testing.T) {
	w := &Witness{Initial: []Binding{{"c", "0"}}, Result: Ending{Vals: []register.Value{
		"closure:(*example.com/client.Client).waitPacket$11", "closure:example.com/client.init$2", "closure:(*example.com/client.Client).Close$bound1", "t21", "t2", "loop1", "round8", "t21x",
	}}}
	assert.Equal(t, "(closure1 of waitPacket, closure1 of init, Close1, value1, t2, loop1, round8, t21x)", w.Story(nil).Result)
}

// TestNamesOfVariables: what a variable of a package holds is told by its name.
func TestNamesOfVariables(t *testing.T) {
	progs, err := register.Parse("register.reg", []byte(`
func Mark()
cell c0 atomic &x zero 0 label "x"

b0:
    old, _ = read c0
    t = pure eq(old, 0)
    branch t, b1, b2

b1:
    _, _ = write c0, 1
    return nil

b2:
    marked = pure load(&pkg.errMarked)
    return marked
`))
	require.NoError(t, err)
	res, err := Check(context.Background(), Problem{
		Region: progs[0], Env: Package,
		Steps: []Step{{Name: "Mark", Program: progs[0], Cells: []int{0}}},
	})
	require.NoError(t, err)
	require.Equal(t, Violation, res.Verdict, res.Reason)
	assert.Contains(t, told(res.Witness.Story(nil)), "it would return errMarked, not nil")
}

// TestNamesOfLists: a list is told by what is in it, one with the same in it as another one has a number as well, and of
// one that was there nobody knows what is in it.
func TestNamesOfLists(t *testing.T) {
	progs, err := register.Parse("register.reg", []byte(`
func Add(k)
cell c0 atomic &x zero nil label "x"
var k string "string"

b0:
    old, _ = read c0
    t = pure append(old, k)
    _, _ = write c0, t
    return

func Rest(more)
cell c0 atomic &x zero nil label "x"
var more pointer "[]string"

b0:
    old, _ = read c0
    t = pure append(old, "a", "b")
    u = pure "append all"(t, more)
    v = pure "slice of"(u, 1, {none}, {none})
    w = pure "slice of"(t, {none}, 1, {none})
    _, _ = write c0, w
    return v
`))
	require.NoError(t, err)
	problem := func(p *register.Program) Problem {
		return Problem{Region: p, Env: Package, Steps: []Step{{Name: "Add", Program: progs[0], Cells: []int{0}, Bind: []int{-1}}, {Name: "Rest", Program: progs[1], Cells: []int{0}, Bind: []int{-1}}}}
	}
	res, err := Check(context.Background(), problem(progs[0]))
	require.NoError(t, err)
	require.Equal(t, Violation, res.Verdict, res.Reason)
	golden(t, "storylist.golden", told(res.Witness.Story(nil)))
	res, err = Check(context.Background(), problem(progs[1]))
	require.NoError(t, err)
	require.Equal(t, Violation, res.Verdict, res.Reason)
	golden(t, "storyrest.golden", told(res.Witness.Story(nil)))
}

// TestOnlyCells: what is about cells that stand for other entries is left out, and the operation that acts on what is no longer so
// is the call's, itself or the one before.
func TestOnlyCells(t *testing.T) {
	own := func(cell int) Event { return Event{Op: "read", Cell: cell, Results: []register.Value{"1", "true"}} }
	other := Event{Other: true, Op: "run", Cell: -1, Name: "Put"}
	for _, tc := range []struct {
		events     []Event
		breaking   int
		kept, then int
	}{
		{[]Event{own(0), other, own(1), own(0)}, 3, 3, 2},
		{[]Event{own(0), other, own(1), own(0)}, 2, 3, 0},
		{[]Event{own(1), other, own(0)}, 0, 2, 1},
		{[]Event{own(1), other}, 0, 1, -1},
	} {
		w := &Witness{Initial: make([]Binding, 2), Final: make([]Binding, 2), Events: tc.events, Breaking: tc.breaking}
		w.onlyCells(1)
		assert.Len(t, w.Events, tc.kept)
		assert.Equal(t, tc.then, w.Breaking)
	}
}
