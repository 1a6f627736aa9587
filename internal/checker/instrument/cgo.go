package instrument

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/internal/load"
)

// The files of a package that use cgo are not the ones that are compiled: those
// are generated, and have other positions. In what the user wrote only the
// imports are rewritten, which needs no types: locks and atomics are under
// control there, goroutines and channels are not, and neither is what C does.

// instrumentC rewrites the imports of the files of a package that use cgo.
func (s *Session) instrumentC(pkg *Package, p *packages.Package) error {
	for _, name := range p.GoFiles {
		if slices.Contains(p.CompiledGoFiles, name) {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, source, parser.ImportsOnly|parser.ParseComments)
		if err != nil || !load.UsesC(f) {
			continue // the go command says what is wrong
		}
		w := &rewriter{edits: edits{file: fset.File(f.FileStart)}, syntax: f, root: s.root}
		w.imports()
		pkg.Left = append(pkg.Left, fmt.Sprintf("%s: it uses cgo, so that only its locks and atomics are under control", filepath.Base(name)))
		if len(w.list) == 0 {
			continue
		}
		if err := s.place(p, name, "", w.apply(source)); err != nil {
			return err
		}
	}
	return nil
}
