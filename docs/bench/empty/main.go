// Empty is a vet tool whose analyzer does nothing. It declares the Facts of
// mapatom, so that the driver does the same for both, and what mapatom takes more
// is its own work. See docs/performance.md.
package main

import (
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/mapatom/mapatom/analyzer"
)

func main() {
	unitchecker.Main(&analysis.Analyzer{
		Name:       "empty",
		Doc:        "do nothing",
		FactTypes:  analyzer.Analyzer.Requires[0].FactTypes,
		ResultType: reflect.TypeFor[*struct{}](),
		Run:        func(*analysis.Pass) (any, error) { return (*struct{})(nil), nil },
	})
}
