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
	"golang.org/x/tools/go/packages"
)

// placeInCopy writes a rewritten file of a dependency into the copy of its
// module.
func (s *Session) placeInCopy(m *packages.Module, name string, source []byte) error {
	if m.Replace != nil {
		m = m.Replace
	}
	to, err := s.copyModule(m.Dir)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(m.Dir, name)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, rel), source, 0o666)
}

// copyModule copies the directory of a module, once.
func (s *Session) copyModule(dir string) (string, error) {
	if to, ok := s.copies[dir]; ok {
		return to, nil
	}
	to := filepath.Join(s.temp, "module", fmt.Sprint(len(s.copies)+1))
	s.copies[dir] = to
	return to, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o666)
	})
}

// restoreCopy puts the files of a package in a copy back to what they were.
func (s *Session) restoreCopy(from, to string) {
	files, _ := filepath.Glob(filepath.Join(from, "*.go"))
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil {
			os.WriteFile(filepath.Join(to, filepath.Base(file)), data, 0o666)
		}
	}
}

// writeModfile writes the go.mod, or go.work, that has the copies in the place of
// the modules they were made of.
func (s *Session) writeModfile(ctx context.Context) error {
	if len(s.copies) == 0 {
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
	if err := s.replaceCopies(f.Replace, f.DropReplace, f.AddReplace); err != nil {
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
	if err := s.replaceCopies(f.Replace, f.DropReplace, f.AddReplace); err != nil {
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

// replaceCopies has the copies replace their modules.
func (s *Session) replaceCopies(old []*modfile.Replace, drop func(path, version string) error, add func(path, version, to, toVersion string) error) error {
	for _, path := range s.loaded.order {
		m := s.loaded.syntax[path].Module
		if m.Main {
			continue
		}
		dir := m.Dir
		if m.Replace != nil {
			dir = m.Replace.Dir
		}
		to, ok := s.copies[dir]
		if !ok {
			continue
		}
		if err := ensureGoMod(to, m.Path); err != nil {
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

// ensureGoMod writes a go.mod for a module that was made before there were
// any.
func ensureGoMod(dir, path string) error {
	file := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	return os.WriteFile(file, []byte("module "+path+"\n"), 0o666)
}
