package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Rules are numbers of rules that are switched off: those that keep violations from
// being reported. The zero Rules switch off none. It implements flag.Value and
// pflag.Value.
type Rules struct{ off []string }

var ruleOff = regexp.MustCompile(`^-E[1-9][0-9]*$`)

// Set adds rules, written with a minus and separated by commas: -E6,-E8.
func (r *Rules) Set(s string) error {
	for word := range strings.SplitSeq(s, ",") {
		word = strings.TrimSpace(word)
		if !ruleOff.MatchString(word) {
			return fmt.Errorf("%q is not a rule that is switched off, such as -E6", word)
		}
		if id := word[1:]; !slices.Contains(r.off, id) {
			r.off = append(slices.Clip(r.off), id)
		}
	}
	return nil
}

// String is what Set reads.
func (r *Rules) String() string {
	if len(r.off) == 0 {
		return ""
	}
	return "-" + strings.Join(r.off, ",-")
}

// Type names the flag's type in help texts.
func (r *Rules) Type() string { return "-RULE,..." }

// Off reports whether a rule is switched off.
func (r Rules) Off(id string) bool { return slices.Contains(r.off, id) }

// And are the rules that one or the other has switched off.
func (r Rules) And(o Rules) Rules {
	out := Rules{slices.Clone(r.off)}
	for _, id := range o.off {
		if !out.Off(id) {
			out.off = append(out.off, id)
		}
	}
	return out
}

// All are the rules that are switched off.
func (r Rules) All() []string { return slices.Clone(r.off) }
