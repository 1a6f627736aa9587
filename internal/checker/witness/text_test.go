package witness

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestText draws every picture, in 80 columns and in fewer.
func TestText(t *testing.T) {
	for name, p := range drawn() {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, p.Validate())
			text := p.Text(TextOptions{})
			golden(t, name+".txt", text)
			for _, columns := range []int{40, 60, 80, 200} {
				for line := range strings.Lines(p.Text(TextOptions{Width: columns})) {
					assert.LessOrEqual(t, width(strings.TrimSuffix(line, "\n")), columns, line)
				}
			}
			colored := p.Text(TextOptions{Color: true})
			for _, escape := range []string{ansiBold, ansiRed, ansiReset} {
				colored = strings.ReplaceAll(colored, escape, "")
			}
			assert.Equal(t, text, colored, "colour changes nothing else")
			assert.NotContains(t, colored, "\x1b")
		})
	}
}
