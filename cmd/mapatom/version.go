package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.stdout, version())
			return err
		},
	}
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misuse("%s takes no arguments; there is %q", cmd.Name(), args[0])
	}
	return nil
}

// version is the module's version, or the commit of a build in a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "mapatom (version unknown)"
	}
	v := info.Main.Version
	if v == "" || v == "(devel)" {
		v = "devel"
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				v += " " + s.Value
			}
		}
	}
	return fmt.Sprintf("mapatom %s %s", v, info.GoVersion)
}
