package confirm

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// outside are packages of the standard library that reach files, the network
// or other processes.
var outside = []string{
	"os", "os/exec", "os/signal", "os/user", "net", "net/http", "net/rpc", "net/smtp", "syscall", "io/ioutil",
	"database/sql", "plugin", "log/syslog", "crypto/tls",
}

// harmless are the functions and types of these packages that reach nothing.
var harmless = map[string]bool{
	"os.Getenv": true, "os.LookupEnv": true, "os.Environ": true, "os.Getpid": true, "os.IsNotExist": true, "os.IsExist": true,
	"os.FileMode": true, "os.PathError": true, "os.SyscallError": true,
	"net.ParseIP": true, "net.ParseCIDR": true, "net.JoinHostPort": true, "net.SplitHostPort": true,
	"net.IP": true, "net.IPNet": true, "net.IPMask": true, "net.OpError": true, "net.Error": true,
	"net/http.StatusText": true, "net/http.Header": true, "net/http.CanonicalHeaderKey": true,
	"syscall.Errno": true,
}

// maxForeign bounds the packages of other modules that are read to see what
// they reach.
const maxForeign = 40

// reach looks for what a function reaches: by itself, or through functions
// that it names.
type reach struct {
	ctx   context.Context
	world *world
	seen  map[string]bool // functions
}

// reachesIO names the first function outside that is reached from a function,
// with the one of the package through which it is; "" if there is none. What
// an interface or a variable holds is not followed.
func (w *world) reachesIO(l *loaded, fn *types.Func) string {
	r := &reach{ctx: w.ctx, world: w, seen: map[string]bool{}}
	return r.from(l, fn.Origin())
}

func (r *reach) from(l *loaded, fn *types.Func) string {
	key := l.PkgPath + " " + docName(fn)
	decl := l.bodies[fn]
	if r.seen[key] || decl == nil || decl.Body == nil {
		return ""
	}
	r.seen[key] = true
	found := ""
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || found != "" {
			return found == ""
		}
		if callee, ok := l.TypesInfo.Uses[id].(*types.Func); ok && callee.Pkg() != nil {
			found = r.callee(l, callee.Origin())
		}
		return found == ""
	})
	return found
}

// callee is what a function that is named by one of a package reaches.
func (r *reach) callee(l *loaded, fn *types.Func) string {
	path := fn.Pkg().Path()
	switch {
	case fn.Pkg() == l.Types:
		return r.from(l, fn)
	case slices.Contains(outside, path):
		return reached(fn)
	case r.world.standard(path), !r.world.importsOutside(path):
		return ""
	}
	other := r.world.foreign(path)
	if other == nil {
		return path + "." + fn.Name() + ", whose source cannot be read and whose package could reach it"
	}
	if same, err := other.function(docName(fn)); err == nil {
		return r.from(other, same)
	}
	return "" // a method of an interface
}

// reached is the name of a function outside, "" if it is harmless.
func reached(fn *types.Func) string {
	name := fn.Name()
	if recv := receiver(fn); recv != nil {
		name = recv.Obj().Name()
	}
	if path := fn.Pkg().Path(); !harmless[path+"."+name] {
		return path + "." + fn.Name()
	}
	return ""
}

// importsOutside reports whether a package outside is among the imports of a
// package, at any distance through packages that are not of the standard
// library. The compiler's export data do not tell: they have what types need.
func (w *world) importsOutside(path string) bool {
	if w.risky == nil {
		w.risky = map[string]bool{}
		pkgs, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps, Context: w.ctx, Dir: w.dir,
		}, slices.Sorted(maps.Keys(w.packages))...)
		if err != nil {
			return true
		}
		packages.Visit(pkgs, nil, func(p *packages.Package) {
			w.risky[p.PkgPath] = slices.ContainsFunc(slices.Collect(maps.Keys(p.Imports)), func(q string) bool {
				return slices.Contains(outside, q) || !w.standard(q) && w.risky[q]
			})
		})
	}
	risky, known := w.risky[path]
	return risky || !known
}

// standard reports whether a package is of the standard library: its path
// begins like no host, and not like that of the user's module.
func (w *world) standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && !within(path, w.module)
}

// foreign is a package outside those with the findings, with its syntax; nil
// if it does not load, or too many were.
func (w *world) foreign(path string) *loaded {
	if l, known := w.others[path]; known {
		return l
	}
	w.others[path] = nil
	if len(w.others) > maxForeign {
		return nil
	}
	pkgs, err := packages.Load(&packages.Config{Mode: loadMode, Context: w.ctx, Dir: w.dir}, path)
	if err == nil && len(pkgs) == 1 && len(pkgs[0].Errors) == 0 {
		w.others[path] = index(pkgs[0])
	}
	return w.others[path]
}

// refusal is the error for a function that reaches what is outside.
func refusal(name, why string) error {
	return fmt.Errorf("%s reaches %s: -allow-io runs it all the same", name, why)
}
