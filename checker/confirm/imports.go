package confirm

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/checker"
)

// imports are those of a generated file: each under a name that no package
// declares.
type imports struct {
	within string
	names  map[string]string // by path
}

func newImports(within string) *imports { return &imports{within, map[string]string{}} }

func (im *imports) name(path string) string {
	if im.names[path] == "" {
		im.names[path] = fmt.Sprintf("mapatom%d", len(im.names)+1)
	}
	return im.names[path]
}

func (im *imports) qualify(p *types.Package) string {
	if p.Path() == im.within {
		return ""
	}
	return im.name(p.Path())
}

// declaration is the import declaration for code: names of code that was given
// up are left out. In a package that is instrumented the types of sync are
// those of the drop-ins.
func (im *imports) declaration(code string, instrumented bool) string {
	var out strings.Builder
	out.WriteString("import (\n")
	for _, path := range slices.Sorted(maps.Keys(im.names)) {
		if !strings.Contains(code, im.names[path]+".") {
			continue
		}
		to := path
		switch {
		case instrumented && path == "sync":
			to = checker.Path + "/sched/sync"
		case instrumented && path == "sync/atomic":
			to = checker.Path + "/sched/atomic"
		}
		fmt.Fprintf(&out, "\t%s %q\n", im.names[path], to)
	}
	out.WriteString(")\n")
	return out.String()
}
