// Package checker holds the source of those of its packages that run inside
// the module of the user whose code is checked. They import nothing but the
// standard library and one another.
package checker

import "embed"

// Source is the packages' source, tests included, at their paths below this
// directory.
//
//go:embed history/*.go internal/recording/*.go lineup/*.go sched/*.go sched/sync/*.go sched/atomic/*.go
var Source embed.FS

// Path is the import path below which the packages are found.
const Path = "github.com/mapatom/mapatom/checker"
