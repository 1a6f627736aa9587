// Package pages finds its way in the pages of package docs: which page is a
// category's, what it is in a sentence, and what the rows of its tables say.
package pages

import (
	"fmt"
	"strings"

	"github.com/mapatom/mapatom/docs"
)

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
	text, err := docs.Pages.ReadFile(name + ".md")
	if err != nil {
		panic(fmt.Sprintf("pages: embedded: %v", err))
	}
	return string(text)
}
