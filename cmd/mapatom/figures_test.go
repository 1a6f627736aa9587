package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFigures: the last row of the table of modules is the sum of the others, and what
// pages say in words is what it says.
func TestFigures(t *testing.T) {
	t.Chdir("../..")
	page := readPage(t, "docs/field/well-known.md")
	_, table, ok := strings.Cut(page, "| module | version |")
	require.True(t, ok)
	var sums []int
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) < 10 || strings.Contains(line, "---") || strings.Contains(line, "extensions") {
			if rows > 0 {
				break
			}
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] == "together" {
			for i, sum := range sums {
				assert.Equal(t, strconv.Itoa(sum), cells[i+2], "column %d", i+2)
			}
			break
		}
		rows++
		if sums == nil {
			sums = make([]int, len(cells)-2)
		}
		for i, c := range cells[2:] {
			n, err := strconv.Atoi(c)
			require.NoError(t, err, line)
			sums[i] += n
		}
	}
	require.Len(t, sums, 9)
	assert.Contains(t, page, "on "+strconv.Itoa(rows)+" modules")
	assert.Contains(t, unwrapped(page),
		fmt.Sprintf("Of %d reports, %d are true, %d harmless, %d false and %d undecided", sums[4], sums[5], sums[6], sums[7], sums[8]))
	assert.Contains(t, unwrapped(readPage(t, "docs/golangci-builtin.md")),
		fmt.Sprintf("of %d reports in %d well-known modules %d were true, %d harmless, %d false and %d undecided",
			sums[4], rows, sums[5], sums[6], sums[7], sums[8]))
}

func readPage(t *testing.T, name string) string {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

// unwrapped is a text with its lines joined.
func unwrapped(text string) string { return regexp.MustCompile(`\s+`).ReplaceAllString(text, " ") }
