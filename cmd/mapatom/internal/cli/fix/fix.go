// Package fix applies suggested fixes to the files of packages.
package fix

import (
	"bytes"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
)

// Set is the fixes that are applied together. A fix is applied as a whole or not
// at all: not if it overlaps with one that was chosen before.
type Set struct{ files map[string]*fileEdits }

// fileEdits are the edits of one file that do not touch each other.
type fileEdits struct {
	path  string
	size  int // of the file when it was analysed
	edits []edit
}

// edit replaces a part of a file.
type edit struct {
	start, end int
	text       []byte
}

// Add adds a fix of a package; false if it cannot be applied.
func (s *Set) Add(pkg *packages.Package, fix *analysis.SuggestedFix) bool {
	added := map[string]*fileEdits{}
	for _, e := range fix.TextEdits {
		file := pkg.Fset.File(e.Pos)
		end := e.End
		if !end.IsValid() {
			end = e.Pos
		}
		// Code that cgo wrote is not the user's file.
		if file == nil || !slices.Contains(pkg.GoFiles, file.Name()) {
			return false
		}
		path := file.Name()
		if added[path] == nil {
			added[path] = &fileEdits{path: path, size: file.Size()}
		}
		added[path].edits = append(added[path].edits, edit{file.Offset(e.Pos), file.Offset(end), e.NewText})
	}
	for path, add := range added {
		if have := s.files[path]; have != nil && overlap(have.edits, add.edits) {
			return false
		}
	}
	if s.files == nil {
		s.files = map[string]*fileEdits{}
	}
	for path, add := range added {
		if s.files[path] == nil {
			s.files[path] = &fileEdits{path: path, size: add.size}
		}
		s.files[path].edits = append(s.files[path].edits, add.edits...)
	}
	return len(added) > 0
}

// overlap reports whether some edits touch each other: two insertions at one
// place do, since their order would matter.
func overlap(xs, ys []edit) bool {
	for _, x := range xs {
		for _, y := range ys {
			if x.start <= y.end && y.start <= x.end {
				return true
			}
		}
	}
	return false
}

// Apply applies the edits to the files. It writes nothing unless all of the new
// contents are well-formed.
func (s *Set) Apply() error {
	paths := slices.Sorted(maps.Keys(s.files))
	contents := make([][]byte, len(paths))
	for i, path := range paths {
		var err error
		if contents[i], err = s.files[path].apply(); err != nil {
			return cli.Cannot("No file was changed.", "%s was not fixed: %v", path, err)
		}
	}
	for i, path := range paths {
		if err := replaceFile(path, contents[i]); err != nil {
			return fmt.Errorf("fix %s: %w", path, err)
		}
	}
	return nil
}

// apply returns the file with its edits, formatted.
func (f *fileEdits) apply() ([]byte, error) {
	src, err := os.ReadFile(f.path)
	if err != nil {
		return nil, err
	}
	if len(src) != f.size {
		return nil, fmt.Errorf("it has changed since it was analysed; run mapatom again")
	}
	slices.SortFunc(f.edits, func(x, y edit) int { return x.start - y.start })
	var out strings.Builder
	last := 0
	for _, e := range f.edits {
		out.Write(src[last:e.start])
		out.Write(e.text)
		last = e.end
	}
	out.Write(src[last:])
	fixed, err := format.Source([]byte(out.String()))
	if err == nil && bytes.Contains(src, crlf) && bytes.Count(src, crlf) == bytes.Count(src, lf) {
		fixed = bytes.ReplaceAll(bytes.ReplaceAll(fixed, crlf, lf), lf, crlf)
	}
	return fixed, err
}

// The ends of lines. A file keeps those that all of its lines have: a fix of two lines is
// not to change them all.
var crlf, lf = []byte("\r\n"), []byte("\n")

// replaceFile replaces a file in one step, so that nobody sees half of it.
func replaceFile(path string, content []byte) (err error) {
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".mapatom-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	_, err = tmp.Write(content)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Chmod(tmp.Name(), info.Mode().Perm())
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
