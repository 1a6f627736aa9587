package driver

import (
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/tools/go/packages"
)

// environment is what the go command says of itself.
type environment struct {
	text     string // all of it
	goroot   string // the directory of the standard library
	modcache string // the directory of modules, which are never changed
	sizes    types.Sizes
}

// asked are the variables that decide what a package is: those that say where
// the library and modules are, and those that choose between files, constants
// and experiments.
var asked = []string{
	"GOVERSION", "GOROOT", "GOMODCACHE", "GOOS", "GOARCH", "GO386", "GOAMD64", "GOARM", "GOARM64",
	"GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM", "GOEXPERIMENT", "GOFLAGS", "CGO_ENABLED",
}

func readEnvironment(ctx context.Context, dir string) (*environment, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"env", "-json"}, asked...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("go env: %w", err)
	}
	vars := map[string]string{}
	if err := json.Unmarshal(out, &vars); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	e := &environment{text: string(out)}
	if root := vars["GOROOT"]; root != "" {
		e.goroot = filepath.Join(root, "src") + string(filepath.Separator)
	}
	if cache := vars["GOMODCACHE"]; cache != "" {
		e.modcache = cache + string(filepath.Separator)
	}
	if e.sizes = types.SizesFor("gc", vars["GOARCH"]); e.sizes == nil {
		e.sizes = types.SizesFor("gc", runtime.GOARCH)
	}
	return e, nil
}

// isStandard reports whether a package is of the standard library. It is in no
// module there.
func (e *environment) isStandard(p *packages.Package) bool {
	if p.PkgPath == "unsafe" || p.PkgPath == "C" {
		return true
	}
	return p.Module == nil && e.goroot != "" && len(p.GoFiles) > 0 && strings.HasPrefix(p.GoFiles[0], e.goroot)
}

// isFixed reports whether a file is one that never changes.
func (e *environment) isFixed(file string) bool {
	return e.modcache != "" && strings.HasPrefix(file, e.modcache)
}
