package analyzer

import (
	"regexp"
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
)

// Several variables of one name, of a function and of those that are inlined in it, have numbers in its program: key, key_2. The source
// knows no such number, and a reader needs none where there is only one of them in what he reads.

// numbered is a name with such numbers.
var numbered = regexp.MustCompile(`\b([\pL][\pL\d_]*?)(?:_\d+)+\b`)

// plainly says how a finding writes its cells in the source's names: the texts of several cells stay different ones.
func plainly(x *evidence.Weighed) func(string) string {
	plain := func(text string) string {
		return numbered.ReplaceAllStringFunc(text, func(name string) string {
			base := numbered.FindStringSubmatch(name)[1]
			if slices.Contains(x.In.Prog.Names, base) {
				return base
			}
			return name
		})
	}
	if x.Region == nil {
		return plain
	}
	of := map[string]string{}
	for _, c := range x.Region.Cells {
		if other, is := of[plain(c.Label)]; is && other != c.Label {
			return func(text string) string { return text }
		}
		of[plain(c.Label)] = c.Label
	}
	return plain
}

// renamed is a witness with other names for the cells.
func renamed(w *absint.Witness, name func(string) string) *absint.Witness {
	if w == nil {
		return nil
	}
	all := func(bs []absint.Binding) []absint.Binding {
		bs = slices.Clone(bs)
		for i := range bs {
			bs[i].Name = name(bs[i].Name)
		}
		return bs
	}
	r := *w
	r.Initial, r.Final, r.Atomic = all(w.Initial), all(w.Final), slices.Clone(w.Atomic)
	for i := range r.Atomic {
		r.Atomic[i].Final = all(r.Atomic[i].Final)
	}
	return &r
}
