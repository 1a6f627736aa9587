package search

import (
	"testing"

	"github.com/mapatom/mapatom/internal/pace"
)

func TestMain(m *testing.M) { pace.Tests(m).Run() }
