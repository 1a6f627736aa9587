package instrument

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/tools/go/packages"
)

// The go command lays no file over one in its module cache. A module there whose
// packages are rewritten therefore seems to be in a directory of ours, where
// all of its files are laid: those of the cache, and in the place of some those
// that were rewritten. The directory is always the same for a version of a
// module, since what the go command has compiled is kept under its name: with
// one of each session's own, everything that imports the module would be
// compiled anew each time.

// placeMoved lays a rewritten file of a module in the module cache where the
// module seems to be.
func (s *Session) placeMoved(m *packages.Module, name, constraint string, source []byte) error {
	if m.Replace != nil {
		m = m.Replace
	}
	home, err := s.move(m)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(m.Dir, name)
	if err != nil {
		return err
	}
	return s.layAt(filepath.Join(home, rel), name, constraint, source)
}

// move has a module seem to be in a directory of ours, once.
func (s *Session) move(m *packages.Module) (string, error) {
	if home, ok := s.moved[m.Dir]; ok {
		return home, nil
	}
	home, err := s.homeOf(m)
	if err != nil {
		return "", err
	}
	s.moved[m.Dir] = home
	return home, filepath.WalkDir(m.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(m.Dir, path)
		if err != nil {
			return err
		}
		to := filepath.Join(home, rel)
		s.replace[to] = path
		if !slices.Contains(others, filepath.Ext(path)) {
			return nil
		}
		// The go command runs other compilers in the directory of the package,
		// which must be there and may be empty.
		return os.MkdirAll(filepath.Dir(to), 0o777)
	})
}

// others are how the files end that other compilers than Go's read.
var others = []string{".s", ".S", ".c", ".cc", ".cpp", ".cxx", ".m", ".f", ".F", ".for", ".f90", ".h", ".hh", ".hpp", ".hxx", ".swig", ".swigcxx"}

// homeOf is the directory that a module seems to be in.
func (s *Session) homeOf(m *packages.Module) (string, error) {
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return "", err
	}
	version, err := module.EscapeVersion(m.Version)
	if err != nil {
		return "", err
	}
	cache, err := cacheDir()
	if err != nil {
		cache = s.temp
	}
	return filepath.Join(cache, "modules", filepath.FromSlash(path)+"@"+version), nil
}

// cacheDir is where this program keeps things for its next runs.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "mapatom"), err
}

// restoreMoved lays the files of a package in a module that was moved as they were.
func (s *Session) restoreMoved(from, to string) {
	files, _ := filepath.Glob(filepath.Join(from, "*.go"))
	for _, file := range files {
		s.replace[filepath.Join(to, filepath.Base(file))] = file
	}
}

// writeModfile writes the go.mod, or go.work, that has the modules that were moved
// where they seem to be.
func (s *Session) writeModfile(ctx context.Context) error {
	if len(s.moved) == 0 {
		return nil
	}
	work, err := s.command(ctx, "go", "env", "GOWORK").Output()
	if err != nil {
		return fmt.Errorf("go env GOWORK: %w", err)
	}
	if from := strings.TrimSpace(string(work)); from != "" && from != "off" {
		return s.writeWork(from)
	}
	from := s.loaded.module.GoMod
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := modfile.Parse(from, data, nil)
	if err != nil {
		return err
	}
	absolute(f.Replace, filepath.Dir(from), f.AddReplace)
	if err := s.replaceMoved(f.Replace, f.DropReplace, f.AddReplace); err != nil {
		return err
	}
	f.Cleanup()
	out, err := f.Format()
	if err != nil {
		return err
	}
	s.modfile = filepath.Join(s.temp, "go.mod")
	if err := copySum(strings.TrimSuffix(from, ".mod")+".sum", filepath.Join(s.temp, "go.sum")); err != nil {
		return err
	}
	return write(s.modfile, out)
}

// writeWork writes a go.work, which is named by the environment.
func (s *Session) writeWork(from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := modfile.ParseWork(from, data, nil)
	if err != nil {
		return err
	}
	dir := filepath.Dir(from)
	var relative []string
	for _, u := range f.Use {
		if !filepath.IsAbs(u.Path) {
			relative = append(relative, u.Path)
		}
	}
	for _, path := range relative {
		if err := f.DropUse(path); err != nil {
			return err
		}
		if err := f.AddUse(filepath.Join(dir, path), ""); err != nil {
			return err
		}
	}
	absolute(f.Replace, dir, f.AddReplace)
	if err := s.replaceMoved(f.Replace, f.DropReplace, f.AddReplace); err != nil {
		return err
	}
	f.Cleanup()
	to := filepath.Join(s.temp, "go.work")
	if err := copySum(from+".sum", to+".sum"); err != nil {
		return err
	}
	s.config.Env = append(slices.Clone(s.config.Env), "GOWORK="+to)
	return write(to, modfile.Format(f.Syntax))
}

// copySum copies a file of check sums, if there is one.
func copySum(from, to string) error {
	sum, err := os.ReadFile(from)
	if err != nil {
		return nil // without one the go command says what it misses
	}
	return write(to, sum)
}

// replaceMoved has the modules that were moved replaced by their directories.
func (s *Session) replaceMoved(old []*modfile.Replace, drop func(path, version string) error, add func(path, version, to, toVersion string) error) error {
	for _, path := range s.loaded.order {
		m := s.loaded.syntax[path].Module
		if m.Main {
			continue
		}
		dir := m.Dir
		if m.Replace != nil {
			dir = m.Replace.Dir
		}
		to, ok := s.moved[dir]
		if !ok {
			continue
		}
		if err := s.ensureGoMod(to, m.Path); err != nil {
			return err
		}
		for _, r := range old {
			if r.Old.Path != m.Path {
				continue
			}
			if err := drop(m.Path, r.Old.Version); err != nil {
				return err
			}
		}
		if err := add(m.Path, "", to, ""); err != nil {
			return err
		}
	}
	return nil
}

// absolute makes the directories that replacements name absolute: the file is
// moved.
func absolute(all []*modfile.Replace, dir string, add func(path, version, to, toVersion string) error) {
	for _, r := range slices.Clone(all) {
		if r.New.Version == "" && !filepath.IsAbs(r.New.Path) {
			add(r.Old.Path, r.Old.Version, filepath.Join(dir, r.New.Path), "")
		}
	}
}

// ensureGoMod lays a go.mod for a module that was made before there were
// any.
func (s *Session) ensureGoMod(home, path string) error {
	file := filepath.Join(home, "go.mod")
	if s.replace[file] != "" {
		return nil
	}
	s.written++
	to := filepath.Join(s.temp, "overlay", fmt.Sprintf("%d_go.mod", s.written))
	s.replace[file] = to
	return write(to, []byte("module "+path+"\n"))
}
