package pages

import "strings"

// identifiers has each category's identifier, which is never given to another one and
// stays when a category gets a better name. Those below MA2000 are about what goroutines
// can do to each other, the others about what a comment says of the code.
var identifiers = []struct{ id, category string }{
	{"MA1001", "lost-update"},
	{"MA1002", "stale-delete"},
	{"MA1003", "inconsistent-read"},
	{"MA1004", "crash"},
	{"MA1005", "non-atomic"},
	{"MA1006", "duplicate-instance"},
	{"MA1007", "duplicate-work"},
	{"MA2001", "directive"},
	{"MA2002", "not-verified"},
}

// ID is the identifier of a category: MA1001 of lost-update. It is empty if there is no
// such category.
func ID(category string) string {
	for _, c := range identifiers {
		if c.category == category {
			return c.id
		}
	}
	return ""
}

// Named is the category that a word stands for, an identifier or a name, in letters of
// either case; ok is false if there is none.
func Named(word string) (category string, ok bool) {
	word = strings.TrimSpace(word)
	for _, c := range identifiers {
		if strings.EqualFold(word, c.id) || strings.EqualFold(word, c.category) {
			return c.category, true
		}
	}
	return "", false
}

// Label is how a message names a category: "MA1001 lost-update".
func Label(category string) string { return strings.TrimSpace(ID(category) + " " + category) }

// Identifiers are those of all categories, in order.
func Identifiers() []string {
	var out []string
	for _, c := range identifiers {
		out = append(out, c.id)
	}
	return out
}
