package ssaprog

import (
	"flag"
	"go/types"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write standard.txt anew")

// TestStandardIsComplete compares the list with the library of the Go that runs the
// test. Packages of other versions may be in it.
func TestStandardIsComplete(t *testing.T) {
	out, err := exec.Command("go", "list", "std").Output()
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile("standard.txt", out, 0o644))
	}
	for path := range strings.FieldsSeq(string(out)) {
		assert.True(t, *update || standard()[path], path)
	}
}

func TestIsStandard(t *testing.T) {
	for path, want := range map[string]bool{
		"sync": true, "text/template": true, "internal/abi": true, "vendor/golang.org/x/net/dns/dnsmessage": true,
		"text/store": false, "text": false, "synchronizer": false, "example.com/sync": false, "log/pipe": false,
	} {
		assert.Equal(t, want, IsStandard(types.NewPackage(path, "p")), path)
	}
}
