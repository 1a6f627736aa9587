package instrument

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/checker"
	"github.com/mapatom/mapatom/internal/checker/values"
)

// checkerPath is the import path of the packages that run in the user's
// module.
const checkerPath = checker.Path

// overlaid is the directory of the user's module that those packages seem to
// be in. It is not internal: instrumented dependencies import it too.
const overlaid = "mapatomrun"

// Config says what is instrumented.
type Config struct {
	// Dir is a directory of the user's module; "" is the working directory.
	Dir string
	// Patterns are those of the go command. The packages they match are
	// instrumented, and those of the same module that they import.
	Patterns []string
	// Dependencies are import paths of packages or modules outside the user's
	// module that are to be instrumented as well.
	Dependencies []string
	// Memory has plain reads and writes of shared variables be steps.
	Memory bool
	// Tests keeps the user's test files, and instruments them. Else the
	// packages are built without them, unless one of them has a function
	// marked //mapatom:harness.
	Tests bool
	// Env is added to the environment of the go command and of what is run.
	Env []string
}

func (c *Config) env() []string { return append(os.Environ(), c.Env...) }

// Package is a package that was to be instrumented.
type Package struct {
	Path string
	Dir  string
	// Target says that a pattern matches it.
	Target bool
	// Instrumented says that the package that is run is the rewritten one;
	// Reason says why not.
	Instrumented bool
	Reason       string
	// Left lists what is left as it is in a package that is rewritten.
	Left []string
}

// Session is a set of instrumented packages on disk. Close removes it.
type Session struct {
	// Packages are in the order in which they import each other.
	Packages []*Package

	config  Config
	loaded  *loaded
	temp    string
	root    string            // the import path below which the runtime is found
	added   map[string]string // package of ours that was added -> its import path in the user's module
	replace map[string]string // overlay: file of the user's -> file of ours, or ""
	written int               // files that were written
	modfile string            // "" if no dependency in the module cache is instrumented
	moved   map[string]string // directory of a module in the module cache -> where it seems to be
}

// Start rewrites the packages and has the compiler check the result.
func Start(ctx context.Context, c Config) (*Session, error) {
	if len(c.Patterns) == 0 {
		c.Patterns = []string{"."}
	}
	l, err := find(ctx, &c)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "mapatom-")
	if err != nil {
		return nil, err
	}
	s := &Session{config: c, loaded: l, temp: temp, root: l.module.Path + "/" + overlaid, added: map[string]string{}, replace: map[string]string{}, moved: map[string]string{}}
	if err := s.prepare(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close removes what the session has written.
func (s *Session) Close() error { return os.RemoveAll(s.temp) }

// Module returns the path of the user's module.
func (s *Session) Module() string { return s.loaded.module.Path }

// Sources are the directories of all modules that the packages are made of, and
// those of the session: what a program of theirs may want to read.
func (s *Session) Sources(ctx context.Context) []string {
	all := append(slices.Clone(s.loaded.dirs), s.temp)
	if root, err := s.command(ctx, "go", "env", "GOROOT").Output(); err == nil {
		all = append(all, strings.TrimSpace(string(root)))
	}
	return all
}

// Targets are the packages that the patterns match.
func (s *Session) Targets() []string { return slices.Clone(s.loaded.targets) }

// Import returns the import path that a package of this module's checker
// directory, as "lineup" or "sched", has in the user's module.
func (s *Session) Import(name string) string { return s.root + "/" + name }

func (s *Session) prepare(ctx context.Context) error {
	if err := s.layRuntime(); err != nil {
		return err
	}
	for _, path := range s.loaded.order {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p := s.loaded.syntax[path]
		if p == nil {
			return fmt.Errorf("package %s: the go command lists it, but does not load it", path)
		}
		if err := s.instrument(p); err != nil {
			return err
		}
	}
	if err := s.writeModfile(ctx); err != nil {
		return err
	}
	return s.settle(ctx)
}

// layRuntime lays the source of the scheduler and of what stands on it over
// the user's module, unless that imports it already.
func (s *Session) layRuntime() error {
	if s.loaded.ours || s.loaded.module.Path == modulePath {
		s.root = checkerPath
		return s.AddPackage(valuesPath, values.Source)
	}
	home := filepath.Join(s.loaded.module.Dir, overlaid)
	if _, err := os.Stat(home); err == nil {
		return fmt.Errorf("directory %s: exists, want none of that name: the scheduler is laid there for the time of the run", home)
	}
	if err := s.AddPackage(valuesPath, values.Source); err != nil {
		return err
	}
	return fs.WalkDir(checker.Source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") || name == plain {
			return err
		}
		return s.layFile(checker.Source, name, home)
	})
}

// layFile lays a file of ours at its path below the directory.
func (s *Session) layFile(files fs.FS, name, dir string) error {
	source, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	return s.lay(filepath.Join(dir, filepath.FromSlash(name)), language, s.redirected(source))
}

// redirected is source of ours whose imports are those of the packages in the user's
// module.
func (s *Session) redirected(source []byte) []byte {
	text := strings.ReplaceAll(string(source), `"`+checkerPath+"/", `"`+s.root+"/")
	for from, to := range s.added {
		text = strings.ReplaceAll(text, strconv.Quote(from), strconv.Quote(to))
	}
	return []byte(text)
}

// AddPackage lays a package of this module that is internal, and that generated tests
// import, over the user's module.
func (s *Session) AddPackage(pkg string, files fs.FS) error {
	name := path.Base(pkg)
	names, err := fs.Glob(files, "*.go")
	if err != nil {
		return err
	}
	for _, file := range names {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		if err := s.layFile(files, file, filepath.Join(s.loaded.module.Dir, overlaid, name)); err != nil {
			return err
		}
	}
	s.added[pkg] = s.loaded.module.Path + "/" + overlaid + "/" + name
	return nil
}

// plain is the file that has a test run itself again. It imports this package,
// and so is not for modules that know nothing of it.
const plain = "lineup/plain.go"

// valuesPath is a package that those of the checker import.
const valuesPath = "github.com/mapatom/mapatom/internal/checker/values"

// modulePath is the path of this module.
var modulePath = path.Dir(checkerPath)

// language is the version that our own files are written in.
const language = "go1.26"

// lay puts the source in the place of a file of the user's module, which need
// not exist.
func (s *Session) lay(file, constraint string, source []byte) error {
	return s.layAt(file, file, constraint, source)
}

// layAt lays the source at one place, with the positions of another file.
func (s *Session) layAt(at, file, constraint string, source []byte) error {
	s.written++
	to := filepath.Join(s.temp, "overlay", fmt.Sprintf("%d_%s", s.written, filepath.Base(file)))
	s.replace[at] = to
	return write(to, headed(file, constraint, source))
}

// headed is the source with lines in front that have positions say another
// file, and the language be of a version other than the module's.
func headed(file, constraint string, source []byte) []byte {
	head := "//line " + file + ":1\n"
	if constraint != "" {
		head = "//go:build " + constraint + "\n\n" + head
	}
	return append([]byte(head), source...)
}

func write(file string, source []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, source, 0o666)
}

// Add adds a file to a package of the user's module: a generated test. It
// imports the packages of this module's checker directory, and those that were
// added, by their own paths; the file's are adapted.
func (s *Session) Add(pkg, name string, source []byte) error {
	p := s.Package(pkg)
	if p == nil {
		return fmt.Errorf("package %s: not among those that were instrumented", pkg)
	}
	return s.lay(filepath.Join(p.Dir, name), language, s.redirected(source))
}

// Package returns the package with the path, or nil.
func (s *Session) Package(path string) *Package {
	for _, p := range s.Packages {
		if p.Path == path {
			return p
		}
	}
	return nil
}

// flags are what the go command needs to build the session's packages.
func (s *Session) flags() ([]string, error) {
	overlay, err := json.MarshalIndent(map[string]any{"Replace": s.replace}, "", "\t")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(s.temp, "overlay.json")
	if err := write(file, overlay); err != nil {
		return nil, err
	}
	flags := []string{"-overlay=" + file}
	if s.modfile != "" {
		flags = append(flags, "-modfile="+s.modfile, "-mod=mod")
	}
	return flags, nil
}

// Replaced returns the files of the user's module that are not built as they
// are, in order.
func (s *Session) Replaced() []string { return slices.Sorted(maps.Keys(s.replace)) }
