package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestLineHashes has what GitHub's own action gives for these texts.
func TestLineHashes(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "c129715d7a2bc9a3:1",
		" a\nb\n  \t\tc\n d": "271789c17abda88f:1 54703d4cd895b18:1 180aee12dab6264:1 a23a3dc5e078b07b:1",
		" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End": "8b7cf3e952e7aeb2:1 b1ae1287ec4718d9:1 bff680108adb0fcc:1 c6805c5e1288b612:1 b86d3392aea1be30:1 e6ceba753e1a442:1",
	} {
		assert.Equal(t, want, strings.Join(lineHashes(text), " "), "%q", text)
	}
}

// TestLineHashesStay: they do not depend on how lines end or are indented, or on what is
// above, but tell equal lines apart.
func TestLineHashesStay(t *testing.T) {
	const text = "a\n\tb c\nd\n"
	want := lineHashes(text)
	assert.Equal(t, want, lineHashes(strings.ReplaceAll(text, "\n", "\r\n")))
	assert.Equal(t, want, lineHashes(strings.ReplaceAll(text, "\n", "\r")))
	assert.Equal(t, want, lineHashes("a\nbc\n  d\n"))
	assert.Equal(t, want, lineHashes("x\n" + text)[1:])
	equal := lineHashes(strings.Repeat(strings.Repeat("x", 200)+"\n", 3))
	first, _, _ := strings.Cut(equal[0], ":")
	assert.Equal(t, []string{first + ":1", first + ":2", first + ":3"}, equal[:3])
}
