package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/checker/explore"
	"github.com/mapatom/mapatom/internal/checker/explore/models"
)

// TestDocs explores again what docs/spin.md has and what takes no time.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/spin.md")
	require.NoError(t, err)
	rows := 0
	for line := range strings.Lines(string(text)) {
		var name, word, verdict string
		var b explore.Bounds
		var stored, matched, histories, steps int64
		n, _ := fmt.Sscanf(line, "| %s %d×%d | %s | %s | %d | %d | %d | %d |", &name, &b.Threads, &b.Operations, &word, &verdict, &stored, &matched, &histories, &steps)
		if n < 9 || stored > 20_000 {
			continue
		}
		rows++
		entry, err := models.Find(name)
		require.NoError(t, err)
		mode, err := explore.ParseMode(word)
		require.NoError(t, err)
		r, err := explore.Explore(context.Background(), entry.New(b), explore.Options{Mode: mode})
		require.NoError(t, err)
		assert.Equal(t, []any{verdict, stored, matched, histories, steps},
			[]any{r.Verdict.String(), r.Stored, r.Matched, r.Histories, int64(r.Depth)}, line)
	}
	assert.Greater(t, rows, 20)
}
