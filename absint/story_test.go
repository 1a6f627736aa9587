package absint

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
