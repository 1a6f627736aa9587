package catalog

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Role names, by where they may stand. The same word can mean the same role
// in several places, never two roles in one place.
var (
	paramRoles = map[string]Role{
		"_": Ignored, "cell": CellAddr, "key": Key, "keys": Keys, "value": Value,
		"old": Old, "new": New, "delta": Delta,
	}
	resultRoles = map[string]Role{
		"_": Ignored, "old": Old, "new": New, "actual": Actual, "last": Last,
		"had": Had, "!had": NotHad, "present": Present, "ok": OK, "!ok": NotOK,
		"err": Err, "zero": Zero, "key": Key, "delete": DeleteFlag,
		"item:old": ItemOld, "item:new": ItemNew, "item:actual": ItemActual,
	}
	callbackParamRoles = map[string]Role{
		"_": Ignored, "key": Key, "old": Old, "had": Had, "value": Value, "item:old": ItemOld,
	}
	callbackResultRoles = map[string]Role{
		"_": Ignored, "new": New, "delete": DeleteFlag, "cancel": CancelFlag,
		"op": Opcode, "err": Err, "more": More, "stop": Stop,
	}
)

var kinds = map[string]Kind{
	"load": Load, "store": Store, "delete": Delete, "insert": Insert, "replace": Replace,
	"cas": CAS, "cad": CAD, "update": Update, "compute": Compute,
	"unwrap": Unwrap, "plain": Plain,
}

var wholeKinds = map[string]WholeKind{
	"range": Range, "iter": Iter, "read": Read, "clear": Clear, "sweep": Sweep, "fill": Fill,
}

// updateFuncs has the arity of the functions that Update may apply.
var updateFuncs = map[string]int{"add": 2, "sub": 2, "and": 2, "or": 2, "xor": 2, "not": 1}

// opParser reads one operation line, left to right.
type opParser struct {
	toks []string
	op   *Op
}

// parseOp reads "Name(params) (results) = kind words".
func parseOp(text string) (*Op, error) {
	toks, err := tokenize(text)
	if err != nil {
		return nil, err
	}
	p := &opParser{toks: toks, op: &Op{Name: ""}}
	p.op.Name = p.next()
	if !isIdent(p.op.Name) {
		return nil, fmt.Errorf("expected a method name, found %q", p.op.Name)
	}
	if p.op.Params, err = p.roles(paramRoles, "parameter"); err != nil {
		return nil, fmt.Errorf("%s: %w", p.op.Name, err)
	}
	if p.peek() == "(" {
		if p.op.Results, err = p.roles(resultRoles, "result"); err != nil {
			return nil, fmt.Errorf("%s: %w", p.op.Name, err)
		}
	} else {
		p.op.Results = []Role{}
	}
	if err := p.expect("="); err != nil {
		return nil, fmt.Errorf("%s: %w", p.op.Name, err)
	}
	if err := p.kind(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.op.Name, err)
	}
	return p.op, nil
}

func (p *opParser) peek() string {
	if len(p.toks) == 0 {
		return ""
	}
	return p.toks[0]
}

func (p *opParser) next() string {
	t := p.peek()
	if len(p.toks) > 0 {
		p.toks = p.toks[1:]
	}
	return t
}

func (p *opParser) expect(tok string) error {
	if got := p.next(); got != tok {
		return fmt.Errorf("expected %q, found %q", tok, got)
	}
	return nil
}

// roles reads "(role, ...)". It returns nil for "(...)" and a non-nil empty
// list for "()": nothing is said, against there is nothing.
func (p *opParser) roles(allowed map[string]Role, what string) ([]Role, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	roles := []Role{}
	switch p.peek() {
	case ")":
		p.next()
		return roles, nil
	case "...":
		p.next()
		return nil, p.expect(")")
	}
	for {
		r, err := p.role(allowed, what)
		if err != nil {
			return nil, err
		}
		roles = append(roles, r)
		switch tok := p.next(); tok {
		case ")":
			return roles, nil
		case ",":
		default:
			return nil, fmt.Errorf("expected , or ) after a %s, found %q", what, tok)
		}
	}
}

// role reads one role, or as a parameter also "func(roles) (roles)".
func (p *opParser) role(allowed map[string]Role, what string) (Role, error) {
	tok := p.next()
	if r, ok := allowed[tok]; ok {
		return r, nil
	}
	if tok != "func" || what != "parameter" {
		return Ignored, fmt.Errorf("%q is not a %s role; the roles are %s", tok, what, words(allowed))
	}
	if p.op.Callback != nil {
		return Ignored, errors.New("only one func parameter is understood")
	}
	sig := &Signature{Results: []Role{}}
	p.op.Callback = sig
	var err error
	if sig.Params, err = p.roles(callbackParamRoles, "callback parameter"); err != nil {
		return Ignored, err
	}
	if p.peek() == "(" {
		sig.Results, err = p.roles(callbackResultRoles, "callback result")
	}
	return Callback, err
}

// words are those that stand in a table, for who has written another one.
func words[T any](table map[string]T) string {
	return strings.Join(slices.Sorted(maps.Keys(table)), ", ")
}

// kind reads what follows the equals sign.
func (p *opParser) kind() error {
	word := p.next()
	if w, ok := wholeKinds[word]; ok {
		p.op.Kind, p.op.Whole = Whole, w
		return p.end()
	}
	k, ok := kinds[word]
	if !ok {
		return fmt.Errorf("%q is not a kind of operation; the kinds are %s, %s", word, words(kinds), words(wholeKinds))
	}
	p.op.Kind = k
	switch k {
	case Store:
		p.op.Const = p.next()
	case Update:
		p.op.FN = p.next()
		if p.peek() != "" && !strings.HasPrefix(p.peek(), "if-") {
			p.op.Const = p.next()
		}
		p.when()
	case Compute:
		p.when()
	}
	if p.peek() == "split" {
		p.next()
		p.op.Split = kinds[p.next()]
		if p.op.Split != Insert && p.op.Split != Store {
			return errors.New("expected split insert or split store")
		}
	}
	return p.end()
}

func (p *opParser) when() {
	switch p.peek() {
	case "if-present":
		p.op.When = IfPresent
		p.next()
	case "if-absent":
		p.op.When = IfAbsent
		p.next()
	}
}

func (p *opParser) end() error {
	if len(p.toks) > 0 {
		return fmt.Errorf("unexpected %q at the end", strings.Join(p.toks, " "))
	}
	return nil
}

// tokenize splits an operation line into names, "...", punctuation and the
// constants that a store may have.
func tokenize(text string) ([]string, error) {
	var toks []string
	for text != "" {
		r := rune(text[0])
		switch {
		case r == ' ' || r == '\t':
			text = text[1:]
			continue
		case strings.ContainsRune("(),=", r):
			toks, text = append(toks, text[:1]), text[1:]
			continue
		}
		end := strings.IndexAny(text, " \t(),=")
		if end < 0 {
			end = len(text)
		}
		word := text[:end]
		if strings.IndexFunc(word, isBadRune) >= 0 {
			return nil, fmt.Errorf("unexpected character in %q", word)
		}
		toks, text = append(toks, word), text[end:]
	}
	return toks, nil
}

func isBadRune(r rune) bool { return !isIdentRune(r) && !strings.ContainsRune(".:!-", r) }

func isIdentRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func isIdent(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !isIdentRune(r) }) < 0 && !unicode.IsDigit(rune(s[0]))
}
