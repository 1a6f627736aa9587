package history

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDocumented reads every example of docs/history-format.md, and looks
// there for every word that a kind understands.
func TestDocumented(t *testing.T) {
	raw, err := os.ReadFile("../../docs/history-format.md")
	require.NoError(t, err)
	formats := map[Format]int{}
	for _, block := range indented(string(raw)) {
		if strings.HasPrefix(block, "run.") {
			continue // messages
		}
		in, err := ReadInput("docs", strings.NewReader(block), Options{})
		require.NoError(t, err, block)
		formats[in.Format]++
	}
	assert.Len(t, formats, 4)
	for k := Stack; k <= Map; k++ {
		for _, s := range spellings[k] {
			assert.Contains(t, strings.ToLower(string(raw)), s.word, "%s of a %s", s.word, k)
		}
	}
}

// indented gives the blocks of a text that are indented by four spaces.
func indented(text string) []string {
	var blocks []string
	inside := false
	for line := range strings.Lines(text) {
		code, is := strings.CutPrefix(line, "    ")
		switch {
		case is && inside:
			blocks[len(blocks)-1] += code
		case is:
			blocks = append(blocks, code)
		}
		inside = is
	}
	return blocks
}
