package evidence

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRulesAreDocumented compares the table with that of docs/rules.md, both ways.
func TestRulesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/rules.md")
	require.NoError(t, err)
	var want []string
	for i, r := range rules {
		assert.Equal(t, "E"+strconv.Itoa(i+1), r.ID)
		all := "shown"
		if r.Always {
			all = "hidden"
		}
		want = append(want, fmt.Sprintf("| %s | %s | %s | %s |", r.ID, r.Says, all, r.Against))
	}
	assert.Equal(t, want, regexp.MustCompile(`(?m)^\| E\d+ .*\|$`).FindAllString(string(page), -1))
}
