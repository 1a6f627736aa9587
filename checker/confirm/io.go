package confirm

import (
	"go/ast"
	"go/types"
	"strings"
)

// outside are packages of the standard library that reach files, the network
// or other processes.
var outside = []string{
	"os", "os/exec", "os/signal", "os/user", "net", "net/http", "net/rpc", "net/smtp", "syscall", "io/ioutil",
	"database/sql", "plugin", "log/syslog", "crypto/tls",
}

// harmless are what these packages have that reaches nothing.
var harmless = map[string]bool{
	"os.Getenv": true, "os.LookupEnv": true, "os.Environ": true, "os.Getpid": true, "os.IsNotExist": true, "os.IsExist": true,
	"net.ParseIP": true, "net.ParseCIDR": true, "net.JoinHostPort": true, "net.SplitHostPort": true,
}

// reachesIO names the first function outside that is reached from a function:
// by itself or by others of its package that it names. Of other packages only
// their imports are looked at.
func (l *loaded) reachesIO(fn *types.Func) string {
	seen := map[*types.Func]bool{}
	var visit func(*types.Func) string
	visit = func(fn *types.Func) string {
		fn = fn.Origin()
		if seen[fn] {
			return ""
		}
		seen[fn] = true
		decl := l.bodies[fn]
		if decl == nil || decl.Body == nil {
			return ""
		}
		found := ""
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || found != "" {
				return found == ""
			}
			callee, ok := l.TypesInfo.Uses[id].(*types.Func)
			if !ok || callee.Pkg() == nil {
				return true
			}
			if callee.Pkg() == l.Types {
				found = visit(callee)
			} else {
				found = foreign(callee)
			}
			return found == ""
		})
		return found
	}
	return visit(fn)
}

// foreign says what a function of another package reaches.
func foreign(fn *types.Func) string {
	path := fn.Pkg().Path()
	name := path + "." + fn.Name()
	if outsidePackage(path) {
		if fn.Signature().Recv() == nil && harmless[name] {
			return ""
		}
		return name
	}
	if !strings.Contains(strings.SplitN(path, "/", 2)[0], ".") {
		return "" // the rest of the standard library
	}
	for _, p := range fn.Pkg().Imports() {
		if outsidePackage(p.Path()) {
			return name + ", whose package imports " + p.Path()
		}
	}
	return ""
}

func outsidePackage(path string) bool {
	for _, p := range outside {
		if p == path {
			return true
		}
	}
	return false
}
