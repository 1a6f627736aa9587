package findings

import (
	"go/token"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/changed"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
)

// changedLines are the lines that findings are wanted of, nil if that is all.
func (a *reporting) changedLines() (*changed.Lines, error) {
	if a.newFrom == "" {
		return nil, nil
	}
	lines, err := changed.Since(a.Ctx, a.Dir, a.newFrom)
	if err != nil {
		return nil, cli.Cannot("-new-from wants a revision of git; a checkout that lacks history has few (in CI, fetch-depth: 0).", "%v", err)
	}
	return lines, nil
}

// isIn reports whether a line of the finding has changed: one of any of its operations,
// since a new half makes the old one wrong as well.
func (f *finding) isIn(lines *changed.Lines) bool {
	fset := f.act.Package.Fset
	has := func(pos, end token.Pos) bool {
		from := fset.Position(pos)
		last := from.Line
		if to := fset.Position(end); end.IsValid() && to.Filename == from.Filename {
			last = max(last, to.Line)
		}
		return lines.Has(from.Filename, from.Line, last)
	}
	if has(f.diag.Pos, f.diag.End) {
		return true
	}
	for _, rel := range f.diag.Related {
		if has(rel.Pos, rel.End) {
			return true
		}
	}
	return false
}
