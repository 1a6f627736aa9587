// Package directive reads the comments by which code speaks to mapatom:
//
//	//mapatom:ignore CATEGORY reason
//	//mapatom:atomic [ASSUMPTION]
//	//mapatom:pure
//	//mapatom:base OP
//	//mapatom:harness
//
// and golangci-lint's //nolint:mapatom, so that all drivers leave out the same
// findings. What is misspelt, misplaced or of no use is a Problem; see
// docs/directives.md for what each directive means.
package directive

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/pages"
)

// Kind is what a directive asks for.
type Kind int

const (
	// Ignore leaves out findings of some categories.
	Ignore Kind = iota
	// Atomic asks for the function to be verified as one step.
	Atomic
	// Pure promises that the function is.
	Pure
	// Base says that the method is an operation on a map.
	Base
	// Harness marks a function that mapatom confirm calls.
	Harness
	// NoLint is golangci-lint's directive, which ignores all categories. That
	// it is of use is not checked here: golangci-lint does.
	NoLint
)

var words = [...]string{"ignore", "atomic", "pure", "base", "harness", "nolint"}

// String is the word after the colon.
func (k Kind) String() string { return words[k] }

// prefix begins the comments that are meant.
const prefix = "//mapatom:"

// A Directive is one comment.
type Directive struct {
	Kind     Kind
	Pos, End token.Pos
	// Categories are the names of those of Ignore, which may be written as identifiers,
	// and Reason is its reason.
	Categories []string
	Reason     string
	// Assumption is that of Atomic.
	Assumption absint.Assumption
	// Operation is that of Base.
	Operation string
	// Func is the function in whose comment it stands, for those that are
	// about one.
	Func *ast.FuncDecl

	scope scope
	used  bool
}

// A Problem is a comment that does not do what its author thinks.
type Problem struct {
	Pos, End token.Pos
	Message  string
}

// parseComment reads one comment. It returns nil for those that are not meant
// for mapatom, and an error for those that are and make no sense.
func parseComment(text string) (*Directive, error) {
	if d := parseNoLint(text); d != nil {
		return d, nil
	}
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return nil, spaced(text)
	}
	rest, _, _ = strings.Cut(rest, " //") // a comment on the comment
	word, args, _ := strings.Cut(rest, " ")
	word, args = strings.TrimSpace(word), strings.TrimSpace(args)
	k := slices.Index(words[:NoLint], word)
	if k < 0 {
		return nil, fmt.Errorf("there is no directive %s%s; there are %s", prefix, word, strings.Join(words[:NoLint], ", "))
	}
	d := &Directive{Kind: Kind(k)}
	switch d.Kind {
	case Ignore:
		return d, d.parseIgnore(args)
	case Atomic:
		d.Assumption = absint.Assumption(args)
		if args != "" && !slices.Contains(absint.Assumptions(), d.Assumption) {
			return nil, fmt.Errorf("expected %satomic, or an assumption after it; %q is none, there are %s",
				prefix, args, listed(absint.Assumptions()))
		}
	case Base:
		d.Operation = args
		if args == "" {
			return nil, fmt.Errorf("expected %sbase OP, such as %[1]sbase Load", prefix)
		}
	}
	return d, nil
}

func listed(all []absint.Assumption) string {
	var out []string
	for _, a := range all {
		out = append(out, string(a))
	}
	return strings.Join(out, ", ")
}

// parseIgnore reads what follows the word.
func (d *Directive) parseIgnore(args string) error {
	list, reason, _ := strings.Cut(args, " ")
	d.Categories, d.Reason = strings.Split(list, ","), strings.TrimSpace(reason)
	for i, c := range d.Categories {
		name, ok := pages.Named(c)
		if !ok {
			return fmt.Errorf("expected %signore CATEGORY reason; %q is no category, there are %s",
				prefix, c, strings.Join(pages.Categories(), ", "))
		}
		d.Categories[i] = name
	}
	if d.Reason == "" {
		return fmt.Errorf("expected a reason after %signore %s", prefix, list)
	}
	return nil
}

// spaced is an error for a directive with a space in front, which Go does not
// take for one. In prose the words can begin a line; a directive's name cannot.
func spaced(text string) error {
	rest, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(text, "//"), " \t"), "mapatom:")
	word, _, _ := strings.Cut(rest, " ")
	if ok && slices.Contains(words[:NoLint], word) {
		return fmt.Errorf("a directive has no space before mapatom: write %s%s", prefix, word)
	}
	return nil
}

// parseNoLint reads golangci-lint's directive as golangci-lint does.
func parseNoLint(text string) *Directive {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, "/ "), "nolint")
	if !ok || !strings.HasPrefix(text, "//") {
		return nil
	}
	d := &Directive{Kind: NoLint}
	list, reason, _ := strings.Cut(rest, "//")
	d.Reason = strings.TrimSpace(reason)
	if list == "" || list[0] == ' ' {
		return d
	}
	names, ok := strings.CutPrefix(list, ":")
	if !ok {
		return nil
	}
	for name := range strings.SplitSeq(names, ",") {
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "mapatom", "all":
			return d
		}
	}
	return nil
}
