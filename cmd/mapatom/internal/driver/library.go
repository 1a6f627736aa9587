package driver

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"slices"

	"github.com/mapatom/mapatom/internal/load"
	"golang.org/x/tools/go/gcexportdata"
)

// library has the types of the standard library, from what the compiler
// exported. The go command has that in its own cache after the first time.
// Everything is read before the first package is type-checked: to read one
// package adds to those that it mentions.
type library struct {
	fset     *token.FileSet
	files    map[string]string // of export data, by path
	packages map[string]*types.Package
	errs     map[string]error
}

// openLibrary finds the export data of the standard packages that the others
// import.
func (r *run) openLibrary(units []*unit) (*library, error) {
	l := &library{fset: r.fset, files: map[string]string{}, packages: map[string]*types.Package{}, errs: map[string]error{}}
	wanted := map[string]bool{}
	for _, u := range units {
		for _, p := range u.pkg.Imports {
			if r.units[p.ID].standard && p.PkgPath != "unsafe" && p.PkgPath != "C" {
				wanted[p.PkgPath] = true
			}
		}
	}
	if len(wanted) == 0 {
		return l, nil
	}
	var paths []string
	for path := range wanted {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	pkgs, err := load.Packages(r.ctx, load.Exports, load.Where{Dir: r.opts.Dir, Flags: r.opts.BuildFlags}, paths...)
	if err != nil {
		return nil, fmt.Errorf("find the export data of the standard library: %w", err)
	}
	for _, p := range pkgs {
		l.files[p.PkgPath] = p.ExportFile
	}
	for _, path := range paths {
		if _, err := l.read(path); err != nil {
			l.errs[path] = fmt.Errorf("read the export data of %s: %w", path, err)
		}
	}
	return l, nil
}

// Import implements types.Importer.
func (l *library) Import(path string) (*types.Package, error) {
	if err := l.errs[path]; err != nil {
		return nil, err
	}
	return l.packages[path], nil
}

// read adds a package. Those that it mentions are added without what it does not
// mention of them.
func (l *library) read(path string) (*types.Package, error) {
	if l.files[path] == "" {
		return nil, errors.New("the go command has none")
	}
	f, err := os.Open(l.files[path])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//lint:ignore SA1019 what go list -export names are archives, which Read does not take
	data, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(data, l.fset, l.packages, path)
}
