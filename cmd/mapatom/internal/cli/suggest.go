package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// maxMistakes is how many letters a word may differ by from what was meant.
const maxMistakes = 2

// DidYouMean is a question about the word that is most like one that is not there, as the
// end of a sentence; empty if none is.
func DidYouMean(word string, known []string) string {
	best, least := "", maxMistakes+1
	for _, k := range known {
		n := distance(strings.ToLower(word), strings.ToLower(k))
		if len(word) > maxMistakes && strings.HasPrefix(k, word) {
			n = 1
		}
		if n < least && n < len(word) {
			best, least = k, n
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance is how many letters have to be changed, added, left out or put in the place of
// their neighbours to make one word of the other.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range y {
		rows[0][j+1] = j + 1
	}
	for i := range x {
		for j := range y {
			change := 1
			if x[i] == y[j] {
				change = 0
			}
			n := min(rows[i][j+1]+1, rows[i+1][j]+1, rows[i][j]+change)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				n = min(n, rows[i-1][j-1]+1)
			}
			rows[i+1][j+1] = n
		}
	}
	return rows[len(x)][len(y)]
}

// FlagNames are the flags that a command takes, as they are written.
func FlagNames(cmd *cobra.Command) []string {
	var out []string
	add := func(f *pflag.Flag) {
		if !f.Hidden {
			out = append(out, "-"+f.Name)
		}
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return out
}
