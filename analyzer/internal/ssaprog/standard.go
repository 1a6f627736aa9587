package ssaprog

import (
	_ "embed"
	"go/types"
	"strings"
	"sync"
)

// standardText lists the packages of the standard library: their paths have no dot in
// them, but neither have those of many a small module, such as text/store.
//
//go:embed standard.txt
var standardText string

var standard = sync.OnceValue(func() map[string]bool {
	paths := map[string]bool{}
	for path := range strings.FieldsSeq(standardText) {
		paths[path] = true
	}
	return paths
})

// IsStandard reports whether pkg belongs to the standard library. That has no
// facts: the tables say what its functions are, and sync.Once.Do would be a
// read of an atomic otherwise.
func IsStandard(pkg *types.Package) bool { return standard()[pkg.Path()] }
