package instrument

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// instrument rewrites one package, or says why it cannot be.
func (s *Session) instrument(p *packages.Package) error {
	pkg := &Package{Path: p.PkgPath, Dir: dirOf(p), Target: slices.Contains(s.loaded.targets, p.PkgPath)}
	s.Packages = append(s.Packages, pkg)
	if pkg.Target && !s.config.Tests {
		s.hideTests(pkg.Dir)
	}
	if pkg.Reason = unfit(p); pkg.Reason != "" {
		return nil
	}
	pkg.Instrumented = true
	if err := s.instrumentC(pkg, p); err != nil {
		return err
	}
	variants := []*packages.Package{p}
	if x := s.loaded.external[p.PkgPath]; x != nil && unfit(x) == "" {
		variants = append(variants, x)
	}
	for _, v := range variants {
		for i, f := range v.Syntax {
			if !slices.Contains(v.GoFiles, v.CompiledGoFiles[i]) {
				continue // cgo has generated it
			}
			if err := s.instrumentFile(pkg, v, f, v.CompiledGoFiles[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func dirOf(p *packages.Package) string {
	if len(p.GoFiles) == 0 {
		return p.Dir
	}
	return filepath.Dir(p.GoFiles[0])
}

// unfit says why a package cannot be rewritten, or nothing.
func unfit(p *packages.Package) string {
	if len(p.Errors) > 0 {
		return p.Errors[0].Error()
	}
	if len(p.Syntax) != len(p.CompiledGoFiles) {
		return "not all of its files are Go files that can be parsed"
	}
	return ""
}

// instrumentFile rewrites one file.
func (s *Session) instrumentFile(pkg *Package, p *packages.Package, f *ast.File, name string) error {
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	w := &rewriter{
		edits: edits{file: p.Fset.File(f.FileStart)}, syntax: f, info: p.TypesInfo,
		goMod: "go1.16", root: s.root, memory: s.config.Memory,
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		w.goMod = "go" + p.Module.GoVersion
	}
	out := w.rewrite(source)
	for _, left := range w.left {
		pkg.Left = append(pkg.Left, filepath.Base(name)+", "+left)
	}
	if bytes.Equal(out, source) {
		return nil
	}
	return s.place(p, name, w.constraint, out)
}

// place puts a rewritten file in the place of one of the user's.
func (s *Session) place(p *packages.Package, name, constraint string, source []byte) error {
	if s.vendored(name) || !cached(p.Module) {
		return s.lay(name, constraint, source)
	}
	return s.placeMoved(p.Module, name, constraint, source)
}

// cached reports whether a module is one of a version, which the go command
// has in its module cache: not the user's, nor one that a directory of theirs replaces.
func cached(m *packages.Module) bool {
	if m.Replace != nil {
		m = m.Replace
	}
	return m.Version != "" && !m.Main
}

// vendored reports whether a file is in the vendor directory of the user's
// module.
func (s *Session) vendored(name string) bool {
	rel, err := filepath.Rel(filepath.Join(s.loaded.module.Dir, "vendor"), name)
	return err == nil && filepath.IsLocal(rel)
}

// hideTests has the package built without the user's tests, which are not
// rewritten, unless they have functions that are meant for us.
func (s *Session) hideTests(dir string) {
	files := testFiles(dir)
	if slices.ContainsFunc(files, harnessed) {
		return
	}
	for _, file := range files {
		s.replace[file] = ""
	}
}

// settle compiles the rewritten packages, and puts those that fail back to
// what they were, until none does.
func (s *Session) settle(ctx context.Context) error {
	for {
		failed, err := s.compile(ctx)
		if err != nil {
			return err
		}
		again := false
		for path, why := range failed {
			if p := s.Package(path); p != nil && p.Instrumented {
				p.Instrumented, p.Reason, p.Left = false, why, nil
				s.restore(p)
				again = true
			}
		}
		if !again {
			return s.unsettled(failed)
		}
	}
}

// unsettled is the error of packages that do not compile although they are as
// the user wrote them.
func (s *Session) unsettled(failed map[string]string) error {
	for _, p := range s.Packages {
		if why, ok := failed[p.Path]; ok {
			return fmt.Errorf("package %s does not compile with the packages it imports instrumented: %s", p.Path, why)
		}
	}
	return nil
}

// restore undoes the rewriting of a package.
func (s *Session) restore(p *Package) {
	for file, to := range s.replace {
		if filepath.Dir(file) == p.Dir && to != "" {
			delete(s.replace, file)
		}
	}
	for from, to := range s.moved {
		if rel, err := filepath.Rel(from, p.Dir); err == nil && filepath.IsLocal(rel) {
			s.restoreMoved(p.Dir, filepath.Join(to, rel))
		}
	}
}

// compile builds the packages, which the targets import, and returns the first
// error of each that fails.
func (s *Session) compile(ctx context.Context) (map[string]string, error) {
	flags, err := s.flags()
	if err != nil {
		return nil, err
	}
	args := append([]string{"list", "-e", "-export", "-deps", "-json=ImportPath,ForTest,Error"}, flags...)
	if s.config.Tests {
		args = append(args, "-test")
	}
	var out, problems bytes.Buffer
	cmd := s.command(ctx, "go", append(args, s.loaded.targets...)...)
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil && out.Len() == 0 {
		return nil, fmt.Errorf("go list: %w\n%s", err, problems.String())
	}
	return failures(&out)
}

// failures reads what go list says.
func failures(r io.Reader) (map[string]string, error) {
	failed := map[string]string{}
	for dec := json.NewDecoder(r); ; {
		var p struct {
			ImportPath, ForTest string
			Error               *struct{ Err string }
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return failed, nil
		} else if err != nil {
			return nil, fmt.Errorf("output of go list: %w", err)
		}
		if p.Error == nil {
			continue
		}
		path, _, _ := strings.Cut(p.ImportPath, " ")
		if p.ForTest != "" {
			path = p.ForTest
		}
		failed[path] = firstProblem(p.Error.Err)
	}
}

// firstProblem is the first line of a compiler's output that is no heading.
func firstProblem(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return strings.TrimSpace(text)
}
