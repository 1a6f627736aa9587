package changed

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// repository is a repository with one commit.
type repository struct {
	*testing.T
	dir string
}

func newRepository(t *testing.T) *repository {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	r := &repository{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	// What people configure is not to matter.
	r.git("config", "diff.noprefix", "true")
	r.git("config", "color.diff", "always")
	r.git("config", "diff.mnemonicPrefix", "true")
	r.write("a.go", "1\n2\n3\n4\n5\n")
	r.write("sub dir/ü.go", "1\n2\n")
	r.write("gone.go", "1\n")
	r.write(".gitignore", "ignored.go\n")
	r.commit()
	return r
}

func (r *repository) git(args ...string) string {
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	require.NoError(r, err, string(out))
	return strings.TrimSpace(string(out))
}

func (r *repository) write(name, text string) {
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	require.NoError(r, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(r, os.WriteFile(path, []byte(text), 0o644))
}

func (r *repository) commit() {
	r.git("add", ".")
	r.git("commit", "-q", "-m", "m")
}

// changed are the lines from 1 to 9 of a file that have changed.
func (r *repository) changed(revision, name string) []int {
	l, err := Since(r.Context(), filepath.Join(r.dir, "sub dir"), revision)
	require.NoError(r, err)
	var out []int
	for n := 1; n < 10; n++ {
		if l.Has(filepath.Join(r.dir, filepath.FromSlash(name)), n, n) {
			out = append(out, n)
		}
	}
	return out
}

func TestSince(t *testing.T) {
	r := newRepository(t)
	assert.Empty(t, r.changed("HEAD", "a.go"))
	r.write("a.go", "1\n++ x\n3\nnew\n--- y\n4\n5")
	r.write("sub dir/ü.go", "0\n1\n2\n")
	r.write("sub dir/quo\"te.go", "1\n")
	r.write("ignored.go", "1\n")
	require.NoError(t, os.Remove(filepath.Join(r.dir, "gone.go")))
	assert.Equal(t, []int{2, 4, 5, 7}, r.changed("HEAD", "a.go"))
	assert.Equal(t, []int{1}, r.changed("HEAD", "sub dir/ü.go"))
	assert.Len(t, r.changed("HEAD", "sub dir/quo\"te.go"), 9, "git does not know it")
	assert.Empty(t, r.changed("HEAD", "ignored.go"))
	assert.Empty(t, r.changed("HEAD", "gone.go"))
	r.commit()
	assert.Empty(t, r.changed("HEAD", "a.go"))
	assert.Equal(t, []int{2, 4, 5, 7}, r.changed("HEAD~1", "a.go"), "what is committed is new as well")
	assert.Equal(t, []int{1}, r.changed("HEAD~1", "sub dir/quo\"te.go"))
}

// TestFork: with three dots, what others did to the branch meanwhile is not counted.
func TestFork(t *testing.T) {
	r := newRepository(t)
	r.git("checkout", "-q", "-b", "topic")
	r.write("a.go", "1\n2\n3\n4\ntopic\n")
	r.commit()
	r.git("checkout", "-q", "main")
	r.write("a.go", "main\n2\n3\n4\n5\n")
	r.commit()
	r.git("checkout", "-q", "topic")
	assert.Equal(t, []int{1, 5}, r.changed("main", "a.go"))
	assert.Equal(t, []int{5}, r.changed("main...", "a.go"))
}

func TestWrong(t *testing.T) {
	r := newRepository(t)
	for _, revision := range []string{"", "missing", "--output=x", "HEAD^9", "..."} {
		_, err := Since(t.Context(), r.dir, revision)
		assert.ErrorContains(t, err, "there is no revision", revision)
	}
	assert.NoFileExists(t, filepath.Join(r.dir, "x"))
	_, err := Since(t.Context(), t.TempDir(), "HEAD")
	assert.ErrorContains(t, err, "not a git repository")
}

// FuzzParse: a diff is read, or it is an error.
func FuzzParse(f *testing.F) {
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@ func\n-a\n-b\n+c\n\\ No newline at end of file\n")
	f.Add("+++ \"b/\\303\\274\"\n@@ -0,0 +1,3 @@\n")
	f.Add("@@ -1 +9223372036854775807,2 @@\n")
	f.Fuzz(func(t *testing.T, diff string) {
		l, err := parse("/top", []byte(diff))
		if (l == nil) == (err == nil) {
			t.Errorf("%q: %v, %v", diff, l, err)
		}
	})
}
