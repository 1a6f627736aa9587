package absint

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/reduce"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestText draws the witness of every violation among the known shapes.
func TestText(t *testing.T) {
	var got strings.Builder
	for _, p := range shapes(t, "open.reg") {
		res, err := Check(context.Background(), Problem{Region: p})
		require.NoError(t, err)
		if res.Witness == nil {
			continue
		}
		got.WriteString("-- " + strings.TrimPrefix(p.Name, "violation ") + " --\n\n")
		got.WriteString(res.Witness.Text(TextOptions{}) + "\n")
	}
	golden(t, "text.golden", got.String())
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

// TestTextNames draws a witness with what the shapes do not have: source
// positions, methods, a method of two steps, a step of the package, effects,
// a panic, several cells, values that only the atomic runs know.
func TestTextNames(t *testing.T) {
	w := namedWitness()
	opts := TextOptions{OpName: func(p reduce.Pos) string {
		return map[reduce.Pos]string{"a.go:7:4": "Add", "a.go:112:9": "LoadOrStore", "a.go:9:1": "CompareAndDelete"}[p]
	}}
	golden(t, "textnames.golden", w.Text(opts))
}

func namedWitness() *Witness {
	return &Witness{
		Params:  []Binding{{"id", "id"}, {"max", "3"}},
		Initial: []Binding{{"r.open", "2"}, {"r.sessions[id]", "absent"}},
		Events: []Event{
			{Op: "read", Cell: 0, Results: []reduce.Value{"2", "true"}, Pos: "a.go:7:4"},
			{Op: "write", Cell: 0, Args: []reduce.Value{"3"}, Results: []reduce.Value{"2", "true"}, Pos: "a.go:7:4"},
			{Other: true, Op: "run", Cell: -1, Name: "(*Registry).OpenSessionForClient", Args: []reduce.Value{"r", "id", "client"}, Results: []reduce.Value{"their_tour.Session#0"}},
			{Op: "cas", Cell: 1, Args: []reduce.Value{"absent", "tour.Session#1"}, Results: []reduce.Value{"their_tour.Session#0", "false"}, Pos: "a.go:112:9"},
			{Other: true, Op: "run", Cell: -1, Name: "(*Registry).Reset", Args: []reduce.Value{"r"}},
			{Op: "cas", Cell: 1, Args: []reduce.Value{"their_tour.Session#0", "absent"}, Results: []reduce.Value{"nil", "false"}, Pos: "a.go:9:1"},
		},
		Breaking: 5,
		Result:   Ending{Panic: true, Label: "nil dereference", Effects: []string{"(*Session).Close(their_tour.Session#0)"}},
		Final:    []Binding{{"r.open", "3"}, {"r.sessions[id]", "absent"}},
		Atomic: []Order{
			{After: 0, Differs: "result", Result: Ending{Vals: []reduce.Value{"spec_tour.Session#4", "spec_uuid.New2"}, Effects: []string{"(*Session).Close(spec_tour.Session#4)"}}},
			{After: 1, Differs: "endless"},
			{After: 2, Differs: "final", Final: []Binding{{"r.open", "3"}, {"r.sessions[id]", "spec_tour.Session#4"}}},
		},
	}
}

// TestTextWidth checks that no line is wider than asked for, however long
// the values are, and that colour changes nothing but escapes.
func TestTextWidth(t *testing.T) {
	long := reduce.Value(`"` + strings.Repeat("x", 100) + `"`)
	witnesses := []*Witness{namedWitness()}
	for _, p := range shapes(t, "open.reg") {
		res, err := Check(context.Background(), Problem{Region: p})
		require.NoError(t, err)
		if res.Witness != nil {
			witnesses = append(witnesses, res.Witness)
		}
	}
	for _, w := range witnesses {
		w.Result.Vals = append(w.Result.Vals, long)
		w.Initial[0].Value = long
		for _, width := range []int{60, 76, 80, 120} {
			text := w.Text(TextOptions{Width: width})
			for line := range strings.Lines(text) {
				assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), width, line)
			}
			colored := w.Text(TextOptions{Width: width, Color: true})
			assert.NotEqual(t, text, colored)
			for _, escape := range []string{ansiBold, ansiRed, ansiReset} {
				colored = strings.ReplaceAll(colored, escape, "")
			}
			assert.Equal(t, text, colored)
		}
	}
}
