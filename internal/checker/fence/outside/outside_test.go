package outside_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/mapatom/mapatom/internal/checker/fence/outside"
)

// module writes the files of a module and loads it.
func module(t *testing.T, name string) *outside.Program {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	dir := t.TempDir()
	for _, f := range archive.Files {
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, f.Data, 0o666))
	}
	p, err := outside.Load(t.Context(), dir, false, "./...")
	require.NoError(t, err)
	return p
}

// TestWays: each way to get outside is found, and what looks like one and is
// none is not.
func TestWays(t *testing.T) {
	p := module(t, "ways.txtar")
	for _, c := range []struct{ function, reaches string }{
		{"Direct", "os.WriteFile"},
		{"Helper", "os.Remove (by remove)"},
		{"Method", "os.Remove (by Cleaner.Clean)"},
		{"Interface", "os.Remove (by Cleaner.Clean)"},
		{"Renamed", "os.Remove (by Cleaner.Wipe)"},
		{"Embedded", "os.Remove (by Cleaner.Clean)"},
		{"FunctionVariable", "os.Remove (by remove)"},
		{"Field", "os.Remove"},
		{"Goroutine", "os.Remove (by remove)"},
		{"Deferred", "os.Remove (by remove)"},
		{"MethodValue", "os.Remove (by Cleaner.Clean)"},
		{"Closure", "os/exec.Command"},
		{"Generic", "os.Remove (by Cleaner.Clean)"},
		{"Constrained", "os.Remove (by Cleaner.Clean)"},
		{"Callback", "os.Remove (by Loud.String)"},
		{"Sorted", "os.Remove (by remove)"},
		{"Dial", "net.Dial"},
		{"Syscall", "syscall.Kill"},
		{"Reflection", "reflection, reflect.Value.Call"},
		{"ByName", "reflection, reflect.Value.MethodByName"},
		{"Assembly", "code that is not Go: it has no body (by assembly)"},
		{"Other", "os.Remove (by Far)"},

		{"Harmless", ""},
		{"OtherInterface", ""},
		{"Exits", ""},
		{"Recursive", ""},
		{"Prints", ""},
	} {
		assert.Equal(t, c.reaches, p.Of("example.com/ways", c.function), c.function)
	}
	assert.Empty(t, p.Start("example.com/ways"))
	assert.Contains(t, p.Of("example.com/ways", "Missing"), "there is no source of Missing")
}

// TestStart: what runs before any function is called is found.
func TestStart(t *testing.T) {
	p := module(t, "start.txtar")
	for pkg, reaches := range map[string]string{
		"initfunc": "os.Remove, when example.com/start/initfunc is initialized",
		"variable": "os.Getwd, when example.com/start/variable is initialized",
		"helper":   "os.Remove (by remove), when example.com/start/helper is initialized",
		"imports":  "os.Remove, when example.com/start/initfunc is initialized",
		"clean":    "",
	} {
		assert.Equal(t, reaches, p.Start("example.com/start/"+pkg), pkg)
	}
}
