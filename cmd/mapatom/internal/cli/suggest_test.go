package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDidYouMean(t *testing.T) {
	known := []string{"-env", "-report", "-format", "-baseline", "-write-baseline", "-json"}
	for word, want := range map[string]string{
		"-evn": "; did you mean -env?", "-formt": "; did you mean -format?", "-JSON": "; did you mean -json?",
		"-base": "; did you mean -baseline?", "-nope": "", "-x": "", "": "", "-writebaseline": "; did you mean -write-baseline?",
	} {
		assert.Equal(t, want, DidYouMean(word, known), word)
	}
}

func TestDistance(t *testing.T) {
	for pair, want := range map[[2]string]int{
		{"", ""}: 0, {"a", ""}: 1, {"ab", "ba"}: 1, {"kitten", "sitting"}: 3, {"für", "fur"}: 1,
	} {
		assert.Equal(t, want, distance(pair[0], pair[1]), pair)
		assert.Equal(t, want, distance(pair[1], pair[0]), pair)
	}
}
