// Package docs embeds those pages of the documentation that the program shows as
// well: what `mapatom explain` prints, what a SARIF viewer shows for a rule, and
// what stands in docs/ is one text.
package docs

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed categories/*.md configuration.md directives.md
var pages embed.FS

// URL is where the pages are on the web.
const URL = "https://github.com/mapatom/mapatom/blob/main/docs/"

// A Page explains one category of findings.
type Page struct {
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

// Categories are the names of all categories, in alphabetical order.
func Categories() []string {
	files, err := pages.ReadDir("categories")
	if err != nil {
		panic(fmt.Sprintf("docs: embedded pages: %v", err))
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".md"))
	}
	return names
}

// Category is the page of a category; ok is false if there is none.
func Category(name string) (p Page, ok bool) {
	if !slices.Contains(Categories(), name) {
		return Page{}, false
	}
	p = Page{Name: name, Text: Topic("categories/" + name), URL: URL + "categories/" + name + ".md"}
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
