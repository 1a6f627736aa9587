// Package docs embeds those pages of the documentation that the program shows as
// well: what `mapatom explain` prints, what a SARIF viewer shows for a rule, and
// what stands in docs/ is one text.
package docs

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed categories/*.md configuration.md directives.md rules.md verdicts.md
var pages embed.FS

// URL is where the pages are on the web.
const URL = "https://github.com/mapatom/mapatom/blob/main/docs/"

// SchemaURL is where the schemas are for programs.
const SchemaURL = "https://raw.githubusercontent.com/mapatom/mapatom/main/docs/schema/"

// A Page explains one category of findings.
type Page struct {
	// ID is its identifier: "MA1001".
	ID string
	// Name is the category: "lost-update".
	Name string
	// Summary says in a sentence what is wrong.
	Summary string
	// Text is the page as it stands in its file, in Markdown: the mistake, an
	// example with its message, the fixed form, and when it is fine.
	Text string
	// URL is the page on the web.
	URL string
}

// Categories are the names of all categories, in the order of their identifiers.
func Categories() []string {
	var names []string
	for _, c := range identifiers {
		names = append(names, c.category)
	}
	return names
}

// Category is the page of a category, by its name or its identifier; ok is false if there
// is none.
func Category(name string) (p Page, ok bool) {
	if name, ok = Named(name); !ok {
		return Page{}, false
	}
	p = Page{ID: ID(name), Name: name, Text: Topic("categories/" + name), URL: URL + "categories/" + name + ".md"}
	_, rest, _ := strings.Cut(p.Text, "\n\n")
	p.Summary, _, _ = strings.Cut(rest, "\n")
	return p, true
}

// Topic is a page about something else: "configuration", "directives". It panics
// if there is none.
func Topic(name string) string {
	text, err := pages.ReadFile(name + ".md")
	if err != nil {
		panic(fmt.Sprintf("docs: embedded pages: %v", err))
	}
	return string(text)
}
