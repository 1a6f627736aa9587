// Package workplace gives tests a folder to run code in that has the same name each time.
// The go command compiles anew what stands in another folder, and where code is run under
// control of the scheduler that is all of the scheduler, a part of the user's module.
package workplace

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"
	"github.com/rogpeppe/go-internal/robustio"
)

// New makes an empty folder for the tests of the package in the working directory, and
// removes it at the end. Where another run of them has it, New waits.
func New(t testing.TB, name string) string {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("mapatom-test-%s-%.4x", name, sha256.Sum256([]byte(root))))
	unlock, err := lockedfile.MutexAt(dir + ".lock").Lock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(unlock)
	remove := func() {
		if err := robustio.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	}
	remove() // what a run left that was killed
	t.Cleanup(remove)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}
