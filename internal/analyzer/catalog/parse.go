package catalog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Parse reads a table. The name is used in errors, which have the form
// "name:line: what is wrong"; all errors of a table are reported at once.
//
// A table is a sequence of lines. "#" begins a comment; indentation does not
// count. A line is one of
//
//	package PATH
//	    begins a section. PATH is an import path; for rules it may also be
//	    path/... (with every package below), .../name (every package of
//	    that name, as a guess), or ... (every package, as a guess).
//	type NAME map|atomic|latch|item [evicts] [as NAME]
//	    begins a type of the package; its operations follow.
//	functions atomic
//	    begins the functions that take the address of an atomic cell.
//	NAME(PARAM, ...) (RESULT, ...) = KIND [WORD...]
//	    is an operation, see Kind and Role; (...) stands for parameters or
//	    results of which nothing is said.
//	CLASS NAME...
//	    is a rule, see Class. A NAME is a function or TYPE.METHOD, where *
//	    stands for any part of either.
func Parse(name string, r io.Reader) (*Catalog, error) {
	var lines []Line
	text := bufio.NewScanner(r)
	for text.Scan() {
		lines = append(lines, Line{len(lines) + 1, text.Text()})
	}
	c, err := ParseLines(name, lines)
	if tooLong := text.Err(); tooLong != nil {
		return nil, errors.Join(err, fmt.Errorf("%s:%d: %w", name, len(lines)+1, tooLong))
	}
	return c, err
}

// A Line is a line of a table, with its number in the file that it is in.
type Line struct {
	Number int
	Text   string
}

// ParseLines is Parse for a table whose lines are a part of something else: of
// a configuration, or of the comments of a package.
func ParseLines(name string, lines []Line) (*Catalog, error) {
	p := &tableParser{out: &Catalog{ops: map[funcKey]*Op{}, types: map[typeKey]*Type{}}}
	for _, l := range lines {
		p.line = l.Number
		text, _, _ := strings.Cut(l.Text, "#")
		if err := p.parseLine(strings.TrimSpace(text)); err != nil {
			p.errs = append(p.errs, fmt.Errorf("%s:%d: %w", name, p.line, err))
		}
	}
	if err := errors.Join(p.errs...); err != nil {
		return nil, err
	}
	p.out.indexRules()
	return p.out, nil
}

// tableParser holds what the lines so far have opened.
type tableParser struct {
	line int
	errs []error
	out  *Catalog

	pkg string // of the section
	typ *Type  // of the operations that follow, or nil
	set *ruleSet
	// seen has the line on which a rule's name was first given a class.
	seen map[string]int
}

func (p *tableParser) parseLine(text string) error {
	words := strings.Fields(text)
	switch {
	case len(words) == 0:
		return nil
	case strings.Contains(text, "="):
		return p.parseOp(text)
	case words[0] == "package":
		return p.parsePackage(words[1:])
	case p.pkg == "":
		return errors.New("expected a package line first")
	case words[0] == "type":
		return p.parseType(words[1:])
	case words[0] == "functions":
		return p.parseFunctions(words[1:])
	default:
		return p.parseRule(words[0], words[1:])
	}
}

func (p *tableParser) parsePackage(words []string) error {
	p.typ, p.set, p.seen = nil, nil, map[string]int{}
	if len(words) != 1 {
		p.pkg = ""
		return errors.New("expected one import path after package")
	}
	p.pkg = words[0]
	inner := strings.TrimSuffix(strings.TrimPrefix(p.pkg, "..."), "/...")
	if strings.Contains(inner, "...") || strings.Contains(inner, "*") {
		return fmt.Errorf("package %s: ... may only stand for the whole path, its beginning or its end", p.pkg)
	}
	return nil
}

var cellKinds = map[string]CellKind{
	"map": MapCell, "atomic": AtomicCell, "latch": LatchCell, "item": MapCell,
}

func (p *tableParser) parseType(words []string) error {
	p.typ = nil
	if len(words) < 2 {
		return errors.New("expected type NAME map|atomic|latch|item")
	}
	cell, ok := cellKinds[words[1]]
	if !ok {
		return fmt.Errorf("type %s: %q is not one of map, atomic, latch, item", words[0], words[1])
	}
	t := &Type{Pkg: p.pkg, Name: words[0], Cell: cell, Item: words[1] == "item"}
	display := words[0]
	for i := 2; i < len(words); i++ {
		switch {
		case words[i] == "evicts":
			t.Evicts = true
		case words[i] == "as" && i+1 < len(words):
			i++
			display = words[i]
		default:
			return fmt.Errorf("type %s: unexpected %q", words[0], words[i])
		}
	}
	t.Display = packageName(p.pkg) + "." + display
	return p.addType(t)
}

func (p *tableParser) parseFunctions(words []string) error {
	p.typ = nil
	if len(words) != 1 || words[0] != "atomic" {
		return errors.New("expected functions atomic")
	}
	return p.addType(&Type{Pkg: p.pkg, Display: packageName(p.pkg), Cell: AtomicCell})
}

func (p *tableParser) addType(t *Type) error {
	if strings.Contains(t.Pkg, "...") {
		return fmt.Errorf("package %s: operations need an exact import path", t.Pkg)
	}
	p.typ = t
	key := typeKey{t.Pkg, t.Name}
	if _, dup := p.out.types[key]; dup {
		return fmt.Errorf("%s is listed twice", t.Display)
	}
	p.out.types[key] = t
	return nil
}

func (p *tableParser) parseOp(text string) error {
	if p.typ == nil {
		return errors.New("expected a type or functions line before an operation")
	}
	op, err := parseOp(text)
	if err != nil {
		return err
	}
	op.Type = p.typ
	if err := checkOp(op); err != nil {
		return fmt.Errorf("%s: %w", op.Name, err)
	}
	key := funcKey{p.typ.Pkg, p.typ.Name, op.Name}
	if _, dup := p.out.ops[key]; dup {
		return fmt.Errorf("%s is listed twice", op)
	}
	p.out.ops[key] = op
	return nil
}

func (p *tableParser) parseRule(class string, names []string) error {
	c, ok := parseClass(class)
	if !ok {
		return fmt.Errorf("%q is neither a class nor package, type or functions", class)
	}
	if len(names) == 0 {
		return fmt.Errorf("expected names after %s", class)
	}
	if p.set == nil {
		p.set = &ruleSet{pkg: p.pkg}
		p.out.rules = append(p.out.rules, p.set)
	}
	for _, n := range names {
		if first, dup := p.seen[n]; dup {
			return fmt.Errorf("%s already has a class, on line %d", n, first)
		}
		p.seen[n] = p.line
		typ, name, method := strings.Cut(n, ".")
		if !method {
			typ, name = "", n
		}
		if !isPattern(name) || method && !isPattern(typ) {
			return fmt.Errorf("%q is not a name or TYPE.METHOD", n)
		}
		p.set.rules = append(p.set.rules, rule{typ: typ, name: name, class: c})
	}
	return nil
}

// isPattern reports whether s is an identifier in which * may stand for any
// part. Other glob characters are refused, so that glob cannot fail.
func isPattern(s string) bool {
	if s == "" {
		return false
	}
	for _, r := range s {
		if r != '*' && !isIdentRune(r) {
			return false
		}
	}
	return true
}

// packageName guesses the name by which a package is used in source: the
// last element that is not a major version.
func packageName(pkg string) string {
	base := path.Base(pkg)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(pkg))
	}
	return strings.TrimPrefix(base, "go-")
}
