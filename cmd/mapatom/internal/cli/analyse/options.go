package analyse

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/analyzer/config"
)

// Options are the flags of the commands that analyse packages.
type Options struct {
	analyzer.Options
	// configFile is read instead of the file that is found; it can be
	// config.None.
	configFile string
	// tags are build tags, as the go command has them.
	tags string
	// Programs has the result contain the programs of whole functions.
	Programs bool
}

func (o *Options) buildFlags() []string {
	if o.tags == "" {
		return nil
	}
	return []string{"-tags=" + o.tags}
}

// configure reads the configuration, if that has not been done.
func (o *Options) configure(a *cli.App) error {
	if o.Config != nil {
		return nil
	}
	var err error
	switch o.configFile {
	case config.None:
		o.Config = &config.Config{}
	case "":
		o.Config, err = config.Find(a.Dir)
	default:
		o.Config, err = config.Load(o.configFile)
	}
	if err != nil {
		return cli.Cannot("See 'mapatom help configuration'; -config=none does without.", "%s", a.RelativeLines(err.Error()))
	}
	for _, line := range o.Config.Stale() {
		fmt.Fprintf(a.Stderr, "mapatom: %s\n", cli.Visible(a.Relative(line)))
	}
	return nil
}

// AddFlags adds the flags that say what is analysed and how.
func (o *Options) AddFlags(cmd *cobra.Command) {
	cmd.Flags().Var(&o.Env, "env", "what other goroutines may do with a map (default auto)")
	cli.Complete(cmd, "env", "auto", "open", "package")
	cmd.Flags().Var(&o.Confidence, "confidence", "how sure a report is at least (default high)")
	cli.Complete(cmd, "confidence", "high", "medium", "low")
	cmd.Flags().Var(&o.Budget, "budget", "decide no more of a package after so many steps of work\n(default 20000000)")
	cmd.Flags().Var(&o.Rules, "rules", "rules that do not hide anything, such as -E6,-E8: see docs/rules.md")
	cmd.Flags().StringVar(&o.configFile, "config", "", "read the configuration from this `file`, or none (default "+config.FileName+"\nhere or in a directory above)")
	cmd.Flags().BoolVar(&o.Tests, "tests", false, "analyse test files and test functions as well")
}

// AddTags adds the flag for build tags, to commands that only read the code:
// what runs it takes them from GOFLAGS, as it takes all other flags of the build.
func (o *Options) AddTags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.tags, "tags", "", "build tags, separated by commas; as GOFLAGS=-tags=`tags` does")
}

// PackageArguments has shells complete directories, which patterns begin with.
func PackageArguments(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}
