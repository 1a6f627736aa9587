package snapshot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/checker/history"
)

// An Alias says what a method of the user's is, in the words of Convert: a
// function that loads the keys open and closed is scan(open, closed), one that
// stores a value under one key is update(open).
type Alias struct {
	Method string
	// Args stand before those of the call.
	Args []history.Value
}

// Aliases are those of a history, by the name of the method. A method with a
// qualified name, (*Board).Both, is found by what stands behind its last dot as
// well.
type Aliases map[string]Alias

// Add adds one that is written as NAME=METHOD or NAME=METHOD(ARGUMENT, ...). An
// argument is JSON, or a word that stands for the string.
func (a Aliases) Add(text string) error {
	name, what, ok := strings.Cut(text, "=")
	method, rest, has := strings.Cut(strings.TrimSpace(what), "(")
	name, method = strings.TrimSpace(name), strings.TrimSpace(method)
	if !ok || name == "" || method == "" || has && !strings.HasSuffix(rest, ")") {
		return fmt.Errorf("found %q, want a name and what it is, such as Both=scan(open, closed)", text)
	}
	if _, ok := shapes[canonical(method)]; !ok {
		return fmt.Errorf("%s is to be %q, want %s", name, method, methods)
	}
	alias := Alias{Method: method}
	if has {
		var err error
		if alias.Args, err = parseArguments(strings.TrimSuffix(rest, ")")); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	a[name] = alias
	return nil
}

// parseArguments reads values that are separated by commas.
func parseArguments(text string) ([]history.Value, error) {
	var args []history.Value
	for text = strings.TrimSpace(text); text != ""; {
		var raw json.RawMessage
		dec := json.NewDecoder(strings.NewReader(text))
		if dec.Decode(&raw) == nil && ends(text[dec.InputOffset():]) {
			args, text = append(args, history.Value(raw)), text[dec.InputOffset():]
		} else {
			word := text[:strings.IndexByte(text+",", ',')]
			args, text = append(args, history.Value(strconv.Quote(strings.TrimSpace(word)))), text[len(word):]
		}
		if args[len(args)-1] == `""` {
			return nil, fmt.Errorf("an argument is missing")
		}
		var more bool
		if text, more = strings.CutPrefix(strings.TrimSpace(text), ","); more && strings.TrimSpace(text) == "" {
			return nil, fmt.Errorf("an argument is missing")
		}
		text = strings.TrimSpace(text)
	}
	return args, nil
}

// ends reports whether an argument can end before a text.
func ends(text string) bool {
	text = strings.TrimSpace(text)
	return text == "" || text[0] == ','
}

// Apply gives the history with the methods that it has an alias for replaced.
func (a Aliases) Apply(in *history.History) *history.History {
	out := *in
	out.Operations = slices.Clone(in.Operations)
	for i := range out.Operations {
		op := &out.Operations[i]
		alias, ok := a[op.Method]
		if !ok {
			alias, ok = a[op.Method[strings.LastIndexByte(op.Method, '.')+1:]]
		}
		if ok {
			op.Method, op.Args = alias.Method, append(slices.Clone(alias.Args), op.Args...)
		}
	}
	return &out
}
