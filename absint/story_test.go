package absint

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/reduce"
)

// TestStory: a story has the words of the picture, whatever their layout.
func TestStory(t *testing.T) {
	told := 0
	for _, p := range shapes(t, "open.reg") {
		res, err := Check(context.Background(), Problem{Region: p})
		require.NoError(t, err)
		if res.Witness != nil {
			sameWords(t, res.Witness)
			told++
		}
	}
	assert.Greater(t, told, 5)
	sameWords(t, namedWitness())
}

func sameWords(t *testing.T, w *Witness) {
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	picture := words(w.Text(TextOptions{Width: unlimited}))
	s := w.Story(TextOptions{Width: 20, Color: true})
	assert.Contains(t, picture, words(s.Start))
	assert.Contains(t, picture, words(s.Legend))
	for _, move := range s.Moves {
		assert.Contains(t, picture, words(move.Op+" "+move.Note))
	}
	assert.Len(t, s.Orders, len(w.Atomic))
	for _, o := range s.Orders {
		_, then, _ := strings.Cut(o, ": ")
		assert.Contains(t, picture, words(then))
	}
	assert.Greater(t, len(s.Moves), 1)
}

// TestNamesOfVariables: what a variable of a package holds is told by its name.
func TestNamesOfVariables(t *testing.T) {
	progs, err := reduce.Parse("register.reg", []byte(`
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
	assert.Contains(t, res.Witness.Text(TextOptions{}), "it would return errMarked, not nil")
}
