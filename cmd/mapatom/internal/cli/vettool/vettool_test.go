package vettool

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIsVetTool(t *testing.T) {
	for _, args := range [][]string{{"-V=full"}, {"-flags"}, {"-json", "b001/vet.cfg"}} {
		assert.True(t, Is(args), args)
	}
	for _, args := range [][]string{nil, {"./..."}, {"-json", "./..."}, {"version"}} {
		assert.False(t, Is(args), args)
	}
}
