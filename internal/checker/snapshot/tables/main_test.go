package main

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/snapshot/verify"
)

// small is how many states are explored again to see whether the documentation
// is right; with SNAPSHOT_LONG it is more.
func small() int {
	if os.Getenv("SNAPSHOT_LONG") != "" {
		return 250_000
	}
	return 50_000
}

// rows are the cells of the rows of docs/snapshot.md that have so many.
func rows(t *testing.T, cells int) [][]string {
	text, err := os.ReadFile("../../../../docs/snapshot.md")
	require.NoError(t, err)
	var all [][]string
	for line := range strings.Lines(string(text)) {
		row := strings.Split(strings.Trim(line, "|\n"), "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		if len(row) == cells {
			all = append(all, row)
		}
	}
	return all
}

func number(t *testing.T, text string) int {
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// The bugs of the documentation are there, and found as it says.
func TestDocumentedBugs(t *testing.T) {
	seen := 0
	for _, row := range rows(t, 8)[2:] {
		name, n, _ := strings.Cut(row[0], ", ")
		seen++
		assert.Equal(t, paperBugs[name][map[string]int{"3": 0, "4": 1, "5": 2, "6": 3, "8": 4, "10": 5}[n]], row[1])
		if number(t, row[5]) > small() {
			continue
		}
		r, err := verify.Run(t.Context(), verify.Options{Algorithm: name, Processes: number(t, n), Buggy: true})
		require.NoError(t, err)
		assert.Equal(t, reach.Violation, r.Verdict, row)
		assert.Equal(t, []string{row[5], row[7]}, []string{strconv.FormatInt(r.Stored, 10), strconv.Itoa(r.Begun)}, row)
	}
	assert.Equal(t, 30, seen)
}

// What the documentation says to be verified is, as far as it takes no time.
func TestDocumentedBounds(t *testing.T) {
	documented := rows(t, 10)[2:]
	require.Len(t, documented, len(bounds))
	for i, row := range documented {
		b := bounds[i]
		assert.Equal(t, []string{b.algorithm, strconv.Itoa(b.processes), operations(b.operations), b.paper, "ok"}, row[:5])
		if number(t, row[6]) > small() {
			continue
		}
		r, err := verify.Run(t.Context(), verify.Options{Algorithm: b.algorithm, Processes: b.processes, Operations: b.operations})
		require.NoError(t, err)
		assert.Equal(t, row[4:8], []string{
			r.Verdict.String(), strconv.Itoa(r.Pairs), strconv.FormatInt(r.Stored, 10), strconv.FormatInt(r.Matched, 10),
		}, row)
	}
}

// The tables of histories are printed, and all histories are right.
func TestHistories(t *testing.T) {
	var out bytes.Buffer
	p := &printer{t.Context(), &out}
	require.NoError(t, p.tables([]string{"histories"}))
	assert.Contains(t, out.String(), "Right: 900 of 900, ")
	assert.Equal(t, 6, strings.Count(out.String(), "| 150 of 150 |"))
	require.EqualError(t, p.tables([]string{"bug"}), `unknown table "bug": want bugs, verified, histories or length`)
}
