package version

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestVersionText: a release names its module and checksum, a build in a checkout
// the revision, and a build without information says so.
func TestVersionText(t *testing.T) {
	build := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	settings := []debug.BuildSetting{
		{Key: "-tags", Value: ""}, {Key: "GOOS", Value: runtime.GOOS},
		{Key: "vcs.revision", Value: "0123abcd"}, {Key: "vcs.modified", Value: "true"},
	}
	const vcs = "\tvcs.revision=0123abcd\n\tvcs.modified=true\n"

	release := &debug.BuildInfo{Main: debug.Module{Path: "example.com/m", Version: "v1.2.3", Sum: "h1:abc="}}
	assert.Equal(t, "mapatom v1.2.3 "+build+"\tmodule example.com/m h1:abc=\n", versionText(release))
	checkout := &debug.BuildInfo{Main: debug.Module{Path: "example.com/m", Version: "(devel)"}, Settings: settings}
	assert.Equal(t, "mapatom devel "+build+vcs, versionText(checkout))
	assert.Equal(t, "mapatom (version unknown) "+build, versionText(nil))
}
