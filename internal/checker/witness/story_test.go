package witness

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// session has what stories of real code have: lines, two steps of the other
// goroutine, effects, a panic, names in scripts that take two columns a letter.
func session() *absint.Story {
	return &absint.Story{
		Start: "At first max is 3, r.open holds 2, r.值段表[id] is absent.",
		Moves: []absint.Move{
			{Pos: register.Pos{Line: 7}, Op: "r.open: Add", Note: "finds 2, leaves 3"},
			{Other: true, Op: "r.OpenSessionForClient(id, client)", Note: "finds 値段#1"},
			{Pos: register.Pos{Line: 112}, Op: "r.値段表[id]: LoadOrStore(値段#2)", Note: "finds 値段#1"},
			{Other: true, Op: "r.Reset()"},
			{Pos: register.Pos{Line: 9}, Op: "r.値段表[id]: CompareAndDelete(値段#1)", Note: "fails", Breaking: true},
			{Op: "calls (*値段).Close(値段#1)"},
			{Op: "panics: nil dereference"},
		},
		Orders: []absint.Telling{
			{Place: "before 1", Why: "it would return (値段#3, New1), not panic"},
			{Place: "between 1 and 2", Why: "it would never end", After: 1},
			{Place: "after 2", Why: "r.値段表[id] would be 値段#3 in the end, not absent", After: 2},
		},
		Made: []string{"値段#2"},
	}
}

func TestStoryText(t *testing.T) {
	golden(t, "story.txt", StoryText(session(), TextOptions{})+"\n"+StoryText(session(), TextOptions{Width: 60}))
}

// TestStoryColumns: whatever the story has, no line is wider than the terminal, and
// colour changes nothing but escapes.
func TestStoryColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab (),é値段👩‍🚀é̈ ")), 0, 40, -1)
		s := &absint.Story{Start: "At first", Orders: []absint.Telling{{Place: "first", Why: text.Draw(t, "why")}}}
		for range rapid.IntRange(1, 6).Draw(t, "moves") {
			s.Moves = append(s.Moves, absint.Move{
				Other: rapid.Bool().Draw(t, "other"), Breaking: rapid.Bool().Draw(t, "breaking"), Pos: register.Pos{Line: rapid.IntRange(0, 2000).Draw(t, "line")},
				Op: "x" + text.Draw(t, "op"), Note: text.Draw(t, "note"),
			})
		}
		columns := rapid.IntRange(50, 120).Draw(t, "width")
		plain := StoryText(s, TextOptions{Width: columns})
		for line := range strings.Lines(plain) {
			assert.LessOrEqual(t, width(strings.TrimSuffix(line, "\n")), columns, line)
		}
		colored := StoryText(s, TextOptions{Width: columns, Color: true})
		assert.NotEqual(t, plain, colored)
		assert.Equal(t, plain, strings.NewReplacer(ansiBold, "", ansiRed, "", ansiReset, "").Replace(colored))
	})
}
