package catalog

import (
	"fmt"
	"iter"
	"maps"
	"strings"
	"sync"
)

// The tables are part of the program, and go vet runs the program once for
// every package of a build. Few packages name a type of the tables, so that at
// first only the lines that open a type are looked at.

// Default is the catalog that the program ships with.
func Default() *Catalog { return defaultCatalog() }

var defaultCatalog = sync.OnceValue(func() *Catalog {
	s := &shipped{names: map[typeKey]bool{}}
	for _, name := range tableNames {
		s.skim(table(name))
	}
	return &Catalog{shipped: s}
})

var tableNames = []string{"maps.txt", "pure.txt", "quiet.txt", "sync.txt", "names.txt"}

// table is the text of a table, which is always there: it is embedded.
func table(name string) string {
	text, err := tables.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("catalog: embedded table: %v", err))
	}
	return string(text)
}

// shipped is what is known of the tables before they are read.
type shipped struct {
	once  sync.Once
	names map[typeKey]bool // types and functions that have operations
}

// skim notes the types of a table.
func (s *shipped) skim(text string) {
	pkg := ""
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "package "):
			pkg = strings.Fields(line)[1]
		case strings.HasPrefix(line, "type "):
			s.names[typeKey{pkg, strings.Fields(line)[1]}] = true
		case strings.HasPrefix(line, "functions "):
			s.names[typeKey{pkg, ""}] = true
		}
	}
}

// read reads the tables if this is the catalog of them and was not read yet.
func (c *Catalog) read() {
	if c.shipped == nil {
		return
	}
	c.shipped.once.Do(func() {
		all := &Catalog{}
		for _, name := range tableNames {
			part, err := Parse(name, strings.NewReader(table(name)))
			if err != nil {
				panic(fmt.Sprintf("catalog: embedded table: %v", err))
			}
			all = all.Merge(part)
		}
		c.ops, c.types, c.rules = all.ops, all.types, all.rules
		c.indexRules()
	})
}

// mentions reports whether there are operations of the type.
func (c *Catalog) mentions(t typeKey) bool {
	if c.shipped != nil {
		return c.shipped.names[t]
	}
	_, ok := c.types[t]
	return ok
}

// typeKeys are the types that have operations.
func (c *Catalog) typeKeys() iter.Seq[typeKey] {
	if c.shipped != nil {
		return maps.Keys(c.shipped.names)
	}
	return maps.Keys(c.types)
}
