package config

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/pages"
)

// Parse reads the text of a file. The path is used in errors, which have the form
// "path:line: what is wrong", and for what paths in the file are relative to.
func Parse(path string, text []byte) (*Config, error) {
	p := &parser{name: path, dir: filepath.Dir(path), out: &Config{Path: path}}
	return p.parse(text)
}

// FromSettings reads what a driver has in a configuration of its own, under the
// same keys. Paths are relative to dir. Errors begin with the name, and have no
// line.
func FromSettings(name, dir string, settings any) (*Config, error) {
	if settings == nil {
		return &Config{}, nil
	}
	text, err := yaml.Marshal(settings)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := &parser{name: name, dir: dir, out: &Config{}, noLines: true}
	return p.parse(text)
}

// parser reads one text. Errors are collected: who corrects a file wants all of
// them.
type parser struct {
	name    string
	dir     string
	noLines bool
	out     *Config
	errs    []error
	// table are the lines of the map types and the rules.
	table []catalog.Line
	// ruled has, for each package with rules, their lines: the table wants
	// them together.
	ruled map[string][]catalog.Line
}

func (p *parser) parse(text []byte) (*Config, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, p.syntax(err, text)
	}
	p.ruled = map[string][]catalog.Line{}
	if len(doc.Content) > 0 && doc.Content[0].Tag != "!!null" {
		p.fields(doc.Content[0], p.keys())
	}
	p.makeTable()
	if err := errors.Join(p.errs...); err != nil {
		return nil, err
	}
	return p.out, nil
}

// keys are those of the file, with what reads their values.
func (p *parser) keys() map[string]func(*yaml.Node) {
	return map[string]func(*yaml.Node){
		"environment": p.word(&p.out.Environment, "auto", "open", "package"),
		"report":      p.word(&p.out.Report, "default", "all"),
		"confidence":  p.word(&p.out.Confidence, "high", "medium", "low"),
		"budget":      p.budget,
		"rules":       p.rulesOff,
		"maps":        p.each(p.mapType),
		"quiet":       p.each(func(n *yaml.Node) { p.rule("quiet", n) }),
		"pure":        p.each(func(n *yaml.Node) { p.rule("pure", n) }),
		"exclude":     p.each(p.exclusion),
	}
}

// Keys are the keys that a file can have, in alphabetical order.
func Keys() []string { return sortedKeys((&parser{out: &Config{}}).keys()) }

// syntax makes an error of the YAML library one of ours: it begins "yaml: line 3:", but
// not if it is the first line. Of a tab it says that no token begins so, or the line
// before.
func (p *parser) syntax(err error, text []byte) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if number, rest, ok := strings.Cut(strings.TrimPrefix(msg, "line "), ": "); ok && strings.HasPrefix(msg, "line ") {
		if n, err := strconv.Atoi(number); err == nil {
			line, msg = n, rest
		}
	}
	lines := strings.Split(string(text), "\n")
	for n := line; n <= min(line+1, len(lines)); n++ {
		if tabIndent.MatchString(lines[n-1]) {
			line, msg = n, "a tab; YAML is indented with spaces"
			break
		}
	}
	return fmt.Errorf("%s: %s", p.at(line), msg)
}

var tabIndent = regexp.MustCompile(`^ *\t`)

func (p *parser) fail(n *yaml.Node, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s: %s", p.at(n.Line), fmt.Sprintf(format, args...)))
}

// at is how an error begins.
func (p *parser) at(line int) string {
	if p.noLines {
		return p.name
	}
	return fmt.Sprintf("%s:%d", p.name, line)
}

// fields reads a mapping, and hands each value to the function for its key.
func (p *parser) fields(n *yaml.Node, known map[string]func(*yaml.Node)) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode {
		p.fail(n, "expected keys and values (%s)", strings.Join(sortedKeys(known), ", "))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		read, ok := known[key.Value]
		switch {
		case !ok:
			p.fail(key, "unknown key %q; the keys are %s", key.Value, strings.Join(sortedKeys(known), ", "))
		case seen[key.Value] > 0:
			p.fail(key, "%s is already on line %d", key.Value, seen[key.Value])
		default:
			seen[key.Value] = key.Line
			read(value)
		}
	}
}

func sortedKeys(known map[string]func(*yaml.Node)) []string {
	var keys []string
	for k := range known {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// each reads a list.
func (p *parser) each(item func(*yaml.Node)) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.SequenceNode {
			p.fail(n, "expected a list, each entry on a line that begins with a dash")
			return
		}
		for _, entry := range n.Content {
			item(entry)
		}
	}
}

// text reads a string.
func (p *parser) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Value == "" || n.Tag == "!!null" {
		p.fail(n, "expected a text")
		return ""
	}
	return n.Value
}

// texts reads a list of strings; one string alone is a list as well.
func (p *parser) texts(to *[]string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			*to = append(*to, p.text(n))
			return
		}
		p.each(func(entry *yaml.Node) { *to = append(*to, p.text(entry)) })(n)
	}
}

// word reads one of some words.
func (p *parser) word(to *string, words ...string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if !slices.Contains(words, n.Value) {
			p.fail(n, "%q is not one of %s", n.Value, strings.Join(words, ", "))
			return
		}
		*to = n.Value
	}
}

// budget reads a number of steps.
func (p *parser) budget(n *yaml.Node) {
	if err := p.out.Budget.Set(n.Value); err != nil {
		p.fail(n, "%v", err)
	}
}

// rulesOff reads the rules that are switched off: -E6, or a list of such.
func (p *parser) rulesOff(n *yaml.Node) {
	one := func(n *yaml.Node) {
		if err := p.out.Rules.Set(n.Value); err != nil {
			p.fail(n, "%v", err)
		}
	}
	if n.Kind == yaml.ScalarNode {
		one(n)
		return
	}
	p.each(one)(n)
}

// mapType reads an entry of maps.
func (p *parser) mapType(n *yaml.Node) {
	var name, kind, evicts string
	var ops []catalog.Line
	p.fields(n, map[string]func(*yaml.Node){
		"type":   func(n *yaml.Node) { name = p.text(n) },
		"kind":   p.word(&kind, "map", "atomic", "latch"),
		"evicts": p.word(&evicts, "true", "false"),
		"operations": p.each(func(n *yaml.Node) {
			if op := p.text(n); op != "" {
				ops = append(ops, catalog.Line{Number: n.Line, Text: operation(op)})
			}
		}),
	})
	dot := strings.LastIndexByte(name, '.')
	switch {
	case dot <= strings.LastIndexByte(name, '/') || dot == len(name)-1:
		p.fail(n, "expected type: IMPORT/PATH.Name, found %q", name)
	case len(ops) == 0:
		p.fail(n, "%s has no operations", name)
	default:
		head := "type " + name[dot+1:] + " " + cmp.Or(kind, "map")
		if evicts == "true" {
			head += " evicts"
		}
		p.table = append(p.table, catalog.Line{Number: n.Line, Text: "package " + name[:dot]}, catalog.Line{Number: n.Line, Text: head})
		p.table = append(p.table, ops...)
	}
}

// operation is a line of a table for an operation. One that is nothing but the
// name of a method of sync.Map does what that does.
func operation(text string) string {
	if line, ok := catalog.ShapeOperation(text); ok {
		return text + line
	}
	if !strings.Contains(text, "=") { // which is how a table tells operations
		return text + " ="
	}
	return text
}

// rule reads an entry of quiet or pure: an import path, with /... for all below
// it, or a path with names of functions.
func (p *parser) rule(class string, n *yaml.Node) {
	var pkg string
	names := []string{}
	if n.Kind == yaml.ScalarNode {
		pkg = p.text(n)
	} else {
		p.fields(n, map[string]func(*yaml.Node){
			"package":   func(n *yaml.Node) { pkg = p.text(n) },
			"functions": p.texts(&names),
		})
		if len(names) == 0 {
			p.fail(n, "expected package: and functions:")
		}
	}
	if strings.HasPrefix(pkg, "...") || strings.ContainsAny(pkg, " =") || pkg == "" {
		p.fail(n, "expected an import path, found %q", pkg)
		return
	}
	if len(names) == 0 {
		names = []string{"*", "*.*"}
	}
	p.ruled[pkg] = append(p.ruled[pkg], catalog.Line{Number: n.Line, Text: class + " " + strings.Join(names, " ")})
}

// exclusion reads an entry of exclude.
func (p *parser) exclusion(n *yaml.Node) {
	e := Exclusion{Dir: p.dir}
	if !p.noLines {
		e.Line = n.Line
	}
	p.fields(n, map[string]func(*yaml.Node){
		"files":      p.texts(&e.Files),
		"functions":  p.texts(&e.Functions),
		"categories": p.texts(&e.Categories),
	})
	for _, pattern := range e.Files {
		if _, err := path.Match(pattern, ""); err != nil || filepath.IsAbs(pattern) {
			p.fail(n, "%q is not a pattern of paths relative to %s", pattern, FileName)
		}
	}
	for i, c := range e.Categories {
		name, ok := pages.Named(c)
		if !ok {
			p.fail(n, "there is no category %q; there are %s", c, strings.Join(pages.Categories(), ", "))
		}
		e.Categories[i] = name
	}
	if len(e.Files)+len(e.Functions)+len(e.Categories) == 0 {
		p.fail(n, "expected files, functions or categories")
	}
	p.out.Exclude = append(p.out.Exclude, e)
}

// makeTable parses the lines that were gathered.
func (p *parser) makeTable() {
	for _, pkg := range sortedPackages(p.ruled) {
		lines := p.ruled[pkg]
		p.table = append(p.table, catalog.Line{Number: lines[0].Number, Text: "package " + pkg})
		p.table = append(p.table, lines...)
	}
	if len(p.table) == 0 {
		return
	}
	table, err := catalog.ParseLines(p.name, p.table)
	switch {
	case err != nil && p.noLines:
		line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(p.name) + `:\d+:`)
		p.errs = append(p.errs, errors.New(line.ReplaceAllLiteralString(err.Error(), p.name+":")))
	case err != nil:
		p.errs = append(p.errs, err)
	}
	p.out.Table = table
}

func sortedPackages(ruled map[string][]catalog.Line) []string {
	var pkgs []string
	for pkg := range ruled {
		pkgs = append(pkgs, pkg)
	}
	slices.Sort(pkgs)
	return pkgs
}
