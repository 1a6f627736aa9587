package pages

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIdentifiers: every page has one identifier, every identifier one page.
func TestIdentifiers(t *testing.T) {
	files, err := os.ReadDir("../../docs/categories")
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".md"))
	}
	assert.ElementsMatch(t, names, Categories())
	assert.IsIncreasing(t, Identifiers())
	for i, id := range Identifiers() {
		assert.Regexp(t, `^MA[0-9]{4}$`, id)
		name := Categories()[i]
		for _, word := range []string{id, name, strings.ToLower(id), " " + id} {
			p, ok := Category(word)
			assert.True(t, ok, word)
			assert.Equal(t, name, p.Name)
			assert.Equal(t, id, p.ID)
			assert.True(t, strings.HasPrefix(p.Text, "# "+Label(name)+"\n"), name)
		}
	}
	for _, none := range []string{"", "MA", "MA1000", "lost", "MA1001 lost-update"} {
		_, ok := Category(none)
		assert.False(t, ok, none)
	}
	assert.Equal(t, "unheard-of", Label("unheard-of"))
}

// TestStable: what an identifier was once given to, it names for ever. A change here breaks
// baselines, comments and alerts of users.
func TestStable(t *testing.T) {
	assert.Equal(t, []string{"MA1001", "MA1002", "MA1003", "MA1004", "MA1005", "MA1006", "MA1007", "MA2001", "MA2002"}, Identifiers())
	assert.Equal(t, "MA1001 lost-update", Label("lost-update"))
	assert.Equal(t, "MA2002 not-verified", Label("not-verified"))
}

// TestRules: the rules are those of the page, with what stands in their row and above
// their table.
func TestRules(t *testing.T) {
	rows := regexp.MustCompile(`(?m)^\| ([A-Z][0-9]+) `).FindAllStringSubmatch(Topic("rules"), -1)
	require.Len(t, Rules(), len(rows))
	for i, r := range Rules() {
		assert.Equal(t, rows[i][1], r.ID)
		assert.NotEmpty(t, r.Section, r.ID)
		require.NotEmpty(t, r.Cells, r.ID)
		for _, c := range r.Cells {
			assert.NotEmpty(t, c.Heading, r.ID)
			assert.NotEmpty(t, c.Text, r.ID)
		}
	}
	r, ok := RuleNamed("x5")
	require.True(t, ok)
	assert.Equal(t, "What belongs together", r.Section)
	assert.Equal(t, URL+"rules.md#what-belongs-together", r.URL)
	assert.Contains(t, r.About, "the first rule that applies")
	_, ok = RuleNamed("E0")
	assert.False(t, ok)
}

// TestAssumptions: each of the five has its row of docs/verdicts.md, and the rules that
// speak against it; each rule against one names one of them. No rule speaks against a
// reason for unknown, which has a row there, too.
func TestAssumptions(t *testing.T) {
	var ids []string
	speak := 0
	for _, w := range Assumptions() {
		if strings.HasPrefix(w.ID, "U") {
			require.Len(t, w.Cells, 2, w.ID)
			continue
		}
		ids = append(ids, w.ID)
		require.Len(t, w.Cells, 3, w.ID)
		for _, c := range w.Cells {
			assert.NotEmpty(t, c.Heading, w.ID)
			assert.NotEmpty(t, c.Text, w.ID)
		}
		assert.Equal(t, URL+"verdicts.md#why-something-is-reported", w.URL)
		speak += len(strings.Split(w.Cells[2].Text, ", "))
	}
	assert.Equal(t, []string{"W1", "W2", "W3", "W4", "W5"}, ids)
	assert.Equal(t, strings.Count(Topic("rules"), " | W"), speak)
	w, ok := RuleNamed("w3")
	require.True(t, ok)
	assert.Equal(t, Cell{"rules that speak against it", "E9, E23, E31, E64, E52, E55, E61"}, w.Cells[2])
	assert.Contains(t, w.About, "`shown`, with the place that says it")
	assert.Equal(t, "Not shown where who removes an entry has claimed it by a compare-and-swap.", w.Details)
	u, ok := RuleNamed("u1")
	require.True(t, ok)
	assert.Empty(t, u.Details)
}
