package lineup_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/checker/lineup"
)

func TestParseTest(t *testing.T) {
	add := func(arg string) lineup.Call { return lineup.Call{Method: "Add", Args: []string{arg}} }
	take := lineup.Call{Method: "Take"}
	for text, want := range map[string]lineup.Test{
		"Add(200) Add(400) | Take() Take()":     {Threads: [][]lineup.Call{{add("200"), add("400")}, {take, take}}},
		"Add( 200 ),Add(400);Take()":            {Threads: [][]lineup.Call{{add("200"), add("400"), take}}},
		"Add(1) -> Take() | Take()":             {Initial: []lineup.Call{add("1")}, Threads: [][]lineup.Call{{take}, {take}}},
		"-> Take() -> Add(1)":                   {Threads: [][]lineup.Call{{take}}, Final: []lineup.Call{add("1")}},
		"Take() | | Take()":                     {Threads: [][]lineup.Call{{take}, {take}}},
		"Add(f(1, \"),|\"), [2]int{1, 2}, ')')": {Threads: [][]lineup.Call{{{Method: "Add", Args: []string{"f(1, \"),|\")", "[2]int{1, 2}", "')'"}}}}},
		"Größe(`\\`)":                           {Threads: [][]lineup.Call{{{Method: "Größe", Args: []string{"`\\`"}}}}},
	} {
		got, err := lineup.ParseTest(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, problem := range map[string]string{
		"":                   `test "": found no call, want one such as Add(200)`,
		"Add(200":            `test "Add(200", column 8: the text ends, want )`,
		"Add":                `test "Add", column 4: found "" after Add, want ( and its arguments`,
		"Add(1,)":            `test "Add(1,)", column 8: found no argument, want a Go expression`,
		"Add([)]":            `test "Add([)]", column 6: found ), want ]`,
		"Add(\"":             `test "Add(\"", column 6: the text ends, want "`,
		"Add(1) 7":           `test "Add(1) 7", column 8: found "7", want a call such as Add(200), | or ->`,
		"A() | B() -> C()":   `test "A() | B() -> C()", column 17: found | outside the threads, want one sequence of calls before the first -> and after the second; a test that has none before begins with ->`,
		"A()->B()->C()->D()": `test "A()->B()->C()->D()", column 19: found 3 arrows, want at most two`,
		"Add(\"\xff\")":      `test "Add(\"\xff\")", column 9: the argument "\"\xff\"" is not UTF-8`,
	} {
		_, err := lineup.ParseTest(text)
		require.EqualError(t, err, problem, text)
	}
}

// drawTest draws a test whose calls look like those of a program.
func drawTest(t *rapid.T) lineup.Test {
	call := rapid.Custom(func(t *rapid.T) lineup.Call {
		return lineup.Call{
			Method: rapid.StringMatching(`[A-Z][a-z]{0,3}`).Draw(t, "method"),
			Args:   rapid.SliceOfN(rapid.SampledFrom([]string{"1", `"a, b"`, "T{X: 1}", "f(g(2), '|')", "-> 3"}), 0, 3).Draw(t, "args"),
		}
	})
	calls := rapid.SliceOfN(call, 1, 3)
	m := lineup.Test{Threads: rapid.SliceOfN(calls, 1, 3).Draw(t, "threads")}
	if rapid.Bool().Draw(t, "has initial") {
		m.Initial = calls.Draw(t, "initial")
	}
	if rapid.Bool().Draw(t, "has final") {
		m.Final = calls.Draw(t, "final")
	}
	return m
}

func TestParseIsInverseOfString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawTest(t)
		got, err := lineup.ParseTest(m.String())
		require.NoError(t, err)
		require.Equal(t, m.String(), got.String())
		require.Equal(t, m.Calls(), got.Calls())
		require.Len(t, got.Threads, len(m.Threads))
	})
}

func FuzzParseTest(f *testing.F) {
	for _, text := range []string{"Add(200) Add(400) | Take()", "A() -> B() | C(`x`) -> D('\\'')", "X({[(", "->", "|"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := lineup.ParseTest(text)
		if err != nil {
			return
		}
		again, err := lineup.ParseTest(m.String())
		require.NoError(t, err)
		require.Equal(t, m, again)
	})
}

func TestMatrix(t *testing.T) {
	m, err := lineup.ParseTest("Add(1) -> Add(200) Add(400) | Take() -> Count()")
	require.NoError(t, err)
	require.Equal(t, `before: Add(1)
Thread A    Thread B
Add(200)    Take()
Add(400)
after: Count()
`, m.Matrix())
	threads, calls := m.Dimension()
	require.Equal(t, [2]int{2, 2}, [2]int{threads, calls})
}
