package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/confirm"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/explain"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/explore"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/extensions"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/findings"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/gotest"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/lineup"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/man"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/monitor"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/reduce"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/snapshot"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/version"
)

// run is the program without its globals. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return cli.Run(ctx, commands, args, stdout, stderr)
}

// commands is the tree of commands.
func commands(a *cli.App) *cobra.Command {
	root := findings.Command(a)
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(flagError)
	root.Version = version.Text()
	root.SetVersionTemplate("{{.Version}}")
	addGroup(root, "Read code:", explain.Command(a), extensions.Command(a), reduce.Command(a))
	addGroup(root, "Run code:", confirm.Command(a), lineup.Command(a), gotest.Command(a))
	addGroup(root, "Check what was recorded or modelled:", monitor.Command(a), snapshot.Command(a), explore.Command(a))
	root.AddCommand(explain.Topic("configuration", "What .mapatom.yml can say"), explain.Topic("directives", "What comments in the code can say"))
	root.AddCommand(version.Command(a), man.Command(a))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		checkArguments(c)
	}
	return root
}

// flagError says what is wrong with a flag, and of one that is not there which one may
// be meant.
func flagError(cmd *cobra.Command, err error) error {
	text := strings.ReplaceAll(err.Error(), "--", "-")
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		if letter := unknown.GetSpecifiedShortnames(); letter != "" {
			text = "unknown flag: -" + letter
		}
		text += cli.DidYouMean("-"+unknown.GetSpecifiedName(), cli.FlagNames(cmd))
	}
	return cli.Misuse("%s", text)
}

// addGroup adds commands that help lists below a title.
func addGroup(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, c := range commands {
		c.GroupID = title
	}
	root.AddCommand(commands...)
}

// checkArguments has wrong arguments of the commands that cobra adds treated
// like those of the others.
func checkArguments(c *cobra.Command) {
	check := c.Args
	if c.Name() == "help" {
		check = func(_ *cobra.Command, args []string) error {
			if found, rest, err := c.Root().Find(args); err != nil || found == c.Root() && len(rest) > 0 {
				return fmt.Errorf("there is no command %q", strings.Join(args, " "))
			}
			return nil
		}
	}
	if check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			if f := (*cli.Failure)(nil); err == nil || errors.As(err, &f) {
				return err
			}
			return cli.Misuse("%v", err)
		}
	}
	for _, sub := range c.Commands() {
		checkArguments(sub)
	}
}
