// Package version says which build of mapatom this is.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
)

// Command makes mapatom version.
func Command(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and how it was built",
		Args:  cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(a.Stdout, Text())
			return err
		},
	}
}

// Text is what -version prints as well.
func Text() string {
	info, _ := debug.ReadBuildInfo()
	return versionText(info)
}

// versionText is the version in one line, and below it how the program was
// built, as far as that is known.
func versionText(info *debug.BuildInfo) string {
	var out strings.Builder
	fmt.Fprintf(&out, "mapatom %s %s %s/%s\n", versionOf(info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info == nil {
		return out.String()
	}
	if info.Main.Sum != "" {
		fmt.Fprintf(&out, "\tmodule %s %s\n", info.Main.Path, info.Main.Sum)
	}
	for _, s := range info.Settings {
		// GOARCH and GOOS are in the first line.
		if s.Value != "" && s.Key != "GOARCH" && s.Key != "GOOS" {
			fmt.Fprintf(&out, "\t%s=%s\n", s.Key, s.Value)
		}
	}
	return out.String()
}

// versionOf is the module's version; of a build in a checkout it is devel.
func versionOf(info *debug.BuildInfo) string {
	if info == nil {
		return "(version unknown)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	return "devel"
}

// Module is the version of this build.
func Module() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}
