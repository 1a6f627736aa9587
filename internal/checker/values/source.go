package values

import "embed"

// Source is the package, for who lays it over the user's module; without this file.
//
//go:embed values.go
var Source embed.FS
