package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// The files that the compiler is given are those of the package, unless cgo or SWIG makes
// them. To have them made the go command needs as long as for all the rest, for the standard
// library alone, and so it is asked only where somebody else has such files.

// translated reports whether the compiler may be given other files of some package than its
// own. The standard library is in no module; where nothing is in one, it is not to be told
// from the rest.
func translated(pkgs []*packages.Package) bool {
	modules, found := false, false
	packages.Visit(pkgs, func(*packages.Package) bool { return !found }, func(p *packages.Package) {
		modules = modules || p.Module != nil
		if p.Module != nil || p.PkgPath == commandLine {
			found = found || slices.ContainsFunc(p.OtherFiles, isSWIG) || slices.ContainsFunc(p.GoFiles, importsC)
		}
	})
	return found || !modules
}

// commandLine is the path of a package of which the files were named.
const commandLine = "command-line-arguments"

func isSWIG(file string) bool {
	ext := filepath.Ext(file)
	return ext == ".swig" || ext == ".swigcxx"
}

// importsC reports whether a file is one for cgo. One that cannot be read is none; who reads
// it later says why.
func importsC(file string) bool {
	text, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(text, []byte(`"C"`)) {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly|parser.SkipObjectResolution)
	if err != nil {
		return true // the go command knows better
	}
	return UsesC(f)
}

// UsesC reports whether a file imports "C".
func UsesC(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` })
}
