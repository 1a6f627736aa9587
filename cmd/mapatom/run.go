package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/analyzer/config"
)

// The exit statuses.
const (
	exitClean       = 0
	exitFailed      = 1 // something could not be analysed
	exitUsage       = 2
	exitFindings    = 3
	exitInterrupted = 130 // as shells have it for Ctrl-C
)

// app is one run of the program.
type app struct {
	ctx            context.Context
	stdout, stderr io.Writer
	dir            string // the working directory; paths are printed relative to it
	// status is what a command that succeeded exits with.
	status int
}

// options are the flags that several commands have.
type options struct {
	analyzer.Options
	json bool
	// configFile is read instead of the file that is found; it can be
	// config.None.
	configFile string
	// tags are build tags, as the go command has them.
	tags string
}

// configure reads the configuration, if that has not been done.
func (a *app) configure(o *options) error {
	if o.Config != nil {
		return nil
	}
	var err error
	switch o.configFile {
	case config.None:
		o.Config = &config.Config{}
	case "":
		o.Config, err = config.Find(a.dir)
	default:
		o.Config, err = config.Load(o.configFile)
	}
	if err != nil {
		return cannot("See 'mapatom help configuration'; -config=none does without.", "%s", a.relativeLines(err.Error()))
	}
	return nil
}

// relativeLines shortens the paths at which lines begin.
func (a *app) relativeLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = a.relative(line)
	}
	return strings.Join(lines, "\n")
}

// failure is an error with what to do about it, in a sentence.
type failure struct {
	status  int
	problem string
	advice  string
}

func (f *failure) Error() string { return f.problem }

// misuse is a mistake in the arguments.
func misuse(format string, args ...any) error {
	return &failure{exitUsage, fmt.Sprintf(format, args...), "Run 'mapatom help' for the commands and flags."}
}

// cannot is something that keeps mapatom from analysing.
func cannot(advice, format string, args ...any) error {
	return &failure{exitFailed, fmt.Sprintf(format, args...), advice}
}

// run is the program without its globals. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "mapatom: internal error: %v\n"+
				"Please report it with the package that you ran it on: https://github.com/mapatom/mapatom/issues\n", p)
			status = exitFailed
		}
	}()
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(stderr, "mapatom: %v\nChange to a directory that exists.\n", err)
		return exitFailed
	}
	a := &app{ctx: ctx, stdout: stdout, stderr: stderr, dir: dir}
	root := a.command()
	root.SetArgs(doubleDashes(args))
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		return a.fail(err)
	}
	return a.status
}

// fail prints an error and says which status it means.
func (a *app) fail(err error) int {
	if a.ctx.Err() != nil {
		fmt.Fprintln(a.stderr, "mapatom: interrupted")
		return exitInterrupted
	}
	fmt.Fprintf(a.stderr, "mapatom: %v\n", err)
	var f *failure
	if !errors.As(err, &f) {
		return exitFailed
	}
	fmt.Fprintln(a.stderr, f.advice)
	return f.status
}

// doubleDashes lets flags be written as go vet's are: -json for --json.
func doubleDashes(args []string) []string {
	out := make([]string, len(args))
	copy(out, args)
	for i, arg := range out {
		if arg == "--" {
			break
		}
		if len(arg) > 2 && arg[0] == '-' && arg[1] != '-' {
			out[i] = "-" + arg
		}
	}
	return out
}

// command is the tree of commands.
func (a *app) command() *cobra.Command {
	root := a.findingsCommand()
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return misuse("%s", strings.ReplaceAll(err.Error(), "--", "-"))
	})
	addGroup(root, "Read code:", a.explainCommand(), a.extensionsCommand(), a.reduceCommand())
	addGroup(root, "Run code:", a.confirmCommand(), a.lineupCommand(), a.testCommand())
	addGroup(root, "Check what was recorded or modelled:", a.monitorCommand(), a.snapshotCommand(), a.exploreCommand())
	root.AddCommand(topic("configuration", "What .mapatom.yml can say"), topic("directives", "What comments in the code can say"))
	root.AddCommand(a.versionCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		checkArguments(c)
	}
	return root
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
			if f := (*failure)(nil); err == nil || errors.As(err, &f) {
				return err
			}
			return misuse("%v", err)
		}
	}
	for _, sub := range c.Commands() {
		checkArguments(sub)
	}
}

// analyzerFlags adds the flags that say what is analysed and how.
func analyzerFlags(cmd *cobra.Command, o *options) {
	cmd.Flags().Var(&o.Env, "env", "what other goroutines may do with a map (default auto)")
	complete(cmd, "env", "auto", "open", "package")
	cmd.Flags().StringVar(&o.configFile, "config", "", "read the configuration from this `file`, or none (default "+config.FileName+"\nhere or in a directory above)")
	cmd.Flags().BoolVar(&o.Tests, "tests", false, "analyse test files and test functions as well")
}

// complete has shells complete the values of a flag.
func complete(cmd *cobra.Command, flag string, values ...string) {
	// The only error is a flag that is not there.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// packageArguments has shells complete directories, which patterns begin with.
func packageArguments(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// tagsFlag adds the flag for build tags, to commands that only read the code:
// what runs it takes them from GOFLAGS, as it takes all other flags of the build.
func tagsFlag(cmd *cobra.Command, o *options) {
	cmd.Flags().StringVar(&o.tags, "tags", "", "build tags, separated by commas; as GOFLAGS=-tags=`tags` does")
}
