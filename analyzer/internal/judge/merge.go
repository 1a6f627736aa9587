package judge

import (
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// listed joins what is said of each cell.
func listed(parts []string) string { return strings.Join(slices.Compact(parts), ", ") }

// moves reports whether which cell one of a region is depends on what its operations find:
// a field of the entry, or what is under the name that was found. Where others put another
// entry there, it is another cell, of which the region has only the one.
func moves(region *register.Program) bool {
	found := register.FoundIn(region)
	return slices.ContainsFunc(region.Cells, func(c register.Cell) bool {
		return slices.ContainsFunc([]register.Operand{c.Map, c.Key}, func(o register.Operand) bool {
			return o.Local != register.None && found.Has(o.Local)
		})
	})
}
