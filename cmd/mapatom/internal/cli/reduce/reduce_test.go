package reduce

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIsNamed(t *testing.T) {
	for _, as := range []string{"Get", "Registry.Get", "(*Registry).Get", "*Registry.Get"} {
		assert.True(t, isNamed("(*Registry).Get", as), as)
	}
	for _, as := range []string{"et", "Registry", "Other.Get"} {
		assert.False(t, isNamed("(*Registry).Get", as), as)
	}
}
