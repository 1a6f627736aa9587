// Package docs embeds those pages of the documentation that the program shows as
// well: what `mapatom explain` prints, what a SARIF viewer shows for a rule, and
// what stands in docs/ is one text. Package pages has them in parts.
package docs

import "embed"

// Pages are the pages, at their paths below this directory.
//
//go:embed categories/*.md configuration.md directives.md rules.md verdicts.md
var Pages embed.FS
