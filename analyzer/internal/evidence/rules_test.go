package evidence

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

// gone are the numbers of rules that are no more: what E20 was about is no violation now, and for
// E46 one report alone spoke.
var gone = []string{"E20", "E46"}

// TestRulesAreDocumented compares the table with that of docs/rules.md, both ways.
func TestRulesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/rules.md")
	require.NoError(t, err)
	var want []string
	numbers := map[string]bool{}
	for i := range len(rules) + len(gone) {
		numbers["E"+strconv.Itoa(i+1)] = true
	}
	for _, id := range gone {
		delete(numbers, id)
	}
	for _, r := range rules {
		assert.True(t, numbers[r.ID], "%s is there twice, or is none that there is", r.ID)
		delete(numbers, r.ID)
		all := "shown"
		switch {
		case r.Always:
			all = "hidden"
		case r.Doubts:
			all = "medium"
		}
		want = append(want, fmt.Sprintf("| %s | %s | %s | %s |", r.ID, r.Says, all, r.Against))
	}
	assert.True(t, rules[len(rules)-1].words, "what is only said in words is asked last")
	assert.Equal(t, strings.Join(want, "\n"), strings.Join(regexp.MustCompile(`(?m)^\| E\d+ .*\|$`).FindAllString(string(page), -1), "\n"),
		"the table of docs/rules.md has what the table of rules.go says, in the same order")
}

// TestForTests: which parts of a path say that a package is for tests (E68).
func TestForTests(t *testing.T) {
	for _, part := range []string{"test", "mocks", "testutil", "testmock", "testserver", "integration-tests", "fake_server", "testing"} {
		assert.True(t, isForTests(part), part)
	}
	for _, part := range []string{"contest", "latest", "testimony", "mockingbird", "attest-client", "speedtest", "fakeroot", "testnet", "load-testing", "ping.test", "testdata"} {
		assert.False(t, isForTests(part), part)
	}
}
