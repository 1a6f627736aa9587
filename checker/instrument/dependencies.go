package instrument

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

// writeModfile writes the go.mod that has the copies in the place of the
// modules they were made of.
func (s *Session) writeModfile() error {
	if len(s.copies) == 0 {
		return nil
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
	absolute(f, filepath.Dir(from))
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
		if err := replaceModule(f, m.Path, to); err != nil {
			return err
		}
	}
	f.Cleanup()
	out, err := f.Format()
	if err != nil {
		return err
	}
	s.modfile = filepath.Join(s.temp, "go.mod")
	if sum, err := os.ReadFile(strings.TrimSuffix(from, ".mod") + ".sum"); err == nil {
		if err := write(filepath.Join(s.temp, "go.sum"), sum); err != nil {
			return err
		}
	}
	return write(s.modfile, out)
}

// absolute makes the directories that the file names absolute: it is moved.
func absolute(f *modfile.File, dir string) {
	for _, r := range f.Replace {
		if r.New.Version == "" && !filepath.IsAbs(r.New.Path) {
			f.AddReplace(r.Old.Path, r.Old.Version, filepath.Join(dir, r.New.Path), "")
		}
	}
}

// replaceModule has the directory stand for every version of the module.
func replaceModule(f *modfile.File, path, dir string) error {
	for _, r := range f.Replace {
		if r.Old.Path == path {
			if err := f.DropReplace(path, r.Old.Version); err != nil {
				return err
			}
		}
	}
	return f.AddReplace(path, "", dir, "")
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
