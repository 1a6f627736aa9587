package catalog

import (
	"fmt"
	"go/types"
	"path"
	"slices"
	"sort"
	"strings"
)

// Class says what a call of a function means to the code around it.
type Class int

const (
	// Unknown: nothing is known. Its result cannot be predicted.
	Unknown Class = iota
	// Pure: no effect, and equal arguments give equal results. Where an
	// argument is a pointer, slice, map or interface, "equal" includes the
	// memory behind it. Functions that take a function are never Pure.
	Pure
	// IsZero: Pure, and true if the argument is the zero value of its type. What it says of others is not known.
	IsZero
	// ReadOnly: no effect, but two calls may differ (files, environment).
	ReadOnly
	// Clock: ReadOnly, and what it gives goes by the time.
	Clock
	// Drawn: no effect, and each call gives something else, by lot (random
	// numbers, identifiers).
	Drawn
	// Quiet: logging and the like. What it does is not observed, and what
	// it returns is used for nothing else.
	Quiet
	// Fresh: makes a new object; the first result is an identity unlike any
	// other. What it does outside the program (a file, a connection) is not
	// observed.
	Fresh
	// Blocking: waits for other goroutines, and does nothing else.
	Blocking
	// NoReturn: ends the program or the goroutine. Panics: panics.
	NoReturn
	Panics
	// The lock classes act on the receiver. The Try forms return whether
	// they succeeded.
	Lock
	Unlock
	RLock
	RUnlock
	TryLock
	TryRLock
)

// classNames are the words of the tables, in the order of the constants.
var classNames = [...]string{
	"unknown", "pure", "iszero", "readonly", "clock", "drawn", "quiet", "fresh", "blocking", "noreturn",
	"panics", "lock", "unlock", "rlock", "runlock", "trylock", "tryrlock",
}

// String is the class's name in the tables.
func (c Class) String() string {
	if c < 0 || int(c) >= len(classNames) {
		return fmt.Sprintf("class(%d)", int(c))
	}
	return classNames[c]
}

func parseClass(word string) (Class, bool) {
	for i, name := range classNames {
		if name == word {
			return Class(i), true
		}
	}
	return Unknown, false
}

// Classify says what is known of fn from its name and package. Methods of
// interfaces are classified as well (context.Context.Err).
func (c *Catalog) Classify(fn *types.Func) Class {
	c.read()
	key, ok := keyOf(fn)
	if !ok {
		return Unknown
	}
	if class, ok := bestRule(c.exact[key.pkg], key); ok {
		return restrict(class, fn)
	}
	// wild is ordered: the first package pattern that decides wins.
	for _, rs := range c.wild {
		if rs.matches(key.pkg) {
			if class, ok := bestRule([]*ruleSet{rs}, key); ok {
				return restrict(class, fn)
			}
		}
	}
	return Unknown
}

// Guess is for a function whose body is not at hand and that Classify does
// not know: it goes by common names (names.txt) and the signature. A name
// may lie, so a guess must not be used where the body can be read.
func (c *Catalog) Guess(fn *types.Func) Class {
	c.read()
	key, ok := keyOf(fn)
	if !ok {
		return Unknown
	}
	for _, rs := range c.guess {
		if !rs.matches(key.pkg) {
			continue
		}
		if class, ok := bestRule([]*ruleSet{rs}, key); ok && plausible(class, fn.Signature()) {
			return restrict(class, fn)
		}
	}
	return Unknown
}

// DrawsLots reports whether a package is there to draw lots: what its functions fill
// is drawn as well.
func (c *Catalog) DrawsLots(pkg string) bool {
	c.read()
	return slices.ContainsFunc(c.exact[pkg], func(rs *ruleSet) bool {
		return slices.ContainsFunc(rs.rules, func(r rule) bool { return r.class == Drawn })
	})
}

// restrict weakens Pure, ReadOnly and Drawn for functions that take a function:
// what that one does is not known here.
func restrict(class Class, fn *types.Func) Class {
	if class != Pure && class != IsZero && class != ReadOnly && class != Clock && class != Drawn {
		return class
	}
	params := fn.Signature().Params()
	for i := range params.Len() {
		if _, ok := params.At(i).Type().Underlying().(*types.Signature); ok {
			return Unknown
		}
	}
	return class
}

// plausible checks a guess against the signature: a constructor returns
// something that has an identity, a getter returns something.
func plausible(class Class, sig *types.Signature) bool {
	res := sig.Results()
	switch class {
	case Fresh:
		return res.Len() > 0 && hasIdentity(res.At(0).Type())
	case Pure, ReadOnly, Drawn:
		return res.Len() > 0
	case Quiet:
		// A logger may return another logger, but a counter that returns
		// its count is used for the count.
		if res.Len() == 0 {
			return true
		}
		_, basic := res.At(0).Type().Underlying().(*types.Basic)
		return !basic
	default:
		return true
	}
}

// hasIdentity reports whether two values of type t, made alike, can still be
// told apart or be mutated separately.
func hasIdentity(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature, *types.Interface:
		return !types.Identical(t, types.Universe.Lookup("error").Type())
	}
	return false
}

// ruleSet is the rules of one package pattern in one table.
type ruleSet struct {
	pkg   string // an import path, "path/...", ".../name" or "..."
	rules []rule
}

// rule gives a class to the functions whose name matches.
type rule struct {
	typ, name string // globs; typ is empty for functions
	class     Class
}

// isGuess reports whether the pattern says something about packages that the
// table's author never saw.
func (rs *ruleSet) isGuess() bool { return strings.HasPrefix(rs.pkg, "...") }

// matches reports whether the pattern covers the import path.
func (rs *ruleSet) matches(pkg string) bool {
	switch {
	case rs.pkg == "...":
		return true
	case rs.isGuess():
		return strings.HasSuffix("/"+pkg, rs.pkg[len("..."):])
	case strings.HasSuffix(rs.pkg, "/..."):
		base := strings.TrimSuffix(rs.pkg, "/...")
		return pkg == base || strings.HasPrefix(pkg, base+"/")
	}
	return pkg == rs.pkg
}

// matches reports whether the rule covers the function.
func (r rule) matches(key funcKey) bool {
	return (r.typ == "") == (key.typ == "") && glob(r.typ, key.typ) && glob(r.name, key.name)
}

// weight orders rules that match one function: an exact name beats a
// pattern, a longer pattern beats a shorter one.
func (r rule) weight() int {
	return weightOf(r.typ) + weightOf(r.name)
}

func weightOf(pattern string) int {
	if !strings.Contains(pattern, "*") {
		return 1000
	}
	return len(strings.ReplaceAll(pattern, "*", ""))
}

// glob matches a pattern that the parser has checked.
func glob(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// bestRule finds the heaviest rule for key; among equals, the first.
func bestRule(sets []*ruleSet, key funcKey) (Class, bool) {
	best, class := -1, Unknown
	for _, rs := range sets {
		for _, r := range rs.rules {
			if r.weight() > best && r.matches(key) {
				best, class = r.weight(), r.class
			}
		}
	}
	return class, best >= 0
}

// indexRules fills the lookup fields from rules.
func (c *Catalog) indexRules() {
	c.exact, c.wild, c.guess = map[string][]*ruleSet{}, nil, nil
	for _, rs := range c.rules {
		switch {
		case rs.isGuess():
			c.guess = append(c.guess, rs)
		case strings.HasSuffix(rs.pkg, "/..."):
			c.wild = append(c.wild, rs)
		default:
			c.exact[rs.pkg] = append(c.exact[rs.pkg], rs)
		}
	}
	longestFirst(c.wild)
	longestFirst(c.guess)
}

// longestFirst keeps the order among patterns of one length.
func longestFirst(sets []*ruleSet) {
	sort.SliceStable(sets, func(i, j int) bool { return len(sets[i].pkg) > len(sets[j].pkg) })
}
