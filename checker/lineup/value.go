package lineup

import (
	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/internal/checker/values"
)

// Unordered marks results whose order does not matter, as what a Range over a
// map visits: they are compared as a bag.
type Unordered = values.Unordered

// Bag gives the elements of a list as Unordered.
func Bag[T any](list []T) Unordered {
	bag := make(Unordered, len(list))
	for i, x := range list {
		bag[i] = x
	}
	return bag
}

// newPrinter has results written as histories have them.
func newPrinter(numbers values.Numbers) *values.Printer {
	return &values.Printer{Numbers: numbers, Quote: func(s string) string { return string(history.String(s)) }}
}
