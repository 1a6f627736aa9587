// Package gotest is the command that runs go test with the packages instrumented.
package gotest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/analyse"
	"github.com/mapatom/mapatom/internal/checker/fence"
	"github.com/mapatom/mapatom/internal/checker/fence/outside"
	"github.com/mapatom/mapatom/internal/checker/instrument"
)

// instrumentFlags are the flags of the commands that run the user's code.
type instrumentFlags struct {
	dependencies []string
	granularity  string
	allowIO      bool
	memory       int64 // in megabytes
}

func (f *instrumentFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.dependencies, "deps", nil, "instrument these dependencies too (`paths` of packages or modules)")
	cmd.Flags().BoolVar(&f.allowIO, "allow-io", false, "run tests that reach files, the network or other processes,\nwithout a fence around them")
	cmd.Flags().Int64Var(&f.memory, "memory", 4096, "end a test process that needs more `megabytes` (behind the fence)")
	cmd.Flags().StringVar(&f.granularity, "granularity", "sync", "what threads are interrupted at: sync (locks, atomics,\nchannels) or memory (plain reads and writes as well)")
}

// config is what the flags say.
func (f *instrumentFlags) config(a *cli.App, patterns []string) (instrument.Config, error) {
	if f.memory <= 0 {
		return instrument.Config{}, cli.Misuse("-memory wants more than nothing")
	}
	if f.granularity != "sync" && f.granularity != "memory" {
		return instrument.Config{}, cli.Misuse("-granularity: found %q, want sync or memory", f.granularity)
	}
	return instrument.Config{Dir: a.Dir, Patterns: patterns, Dependencies: f.dependencies, Memory: f.granularity == "memory"}, nil
}

// start instruments the packages, and says what was not.
func (f *instrumentFlags) start(a *cli.App, c instrument.Config) (*instrument.Session, error) {
	s, err := instrument.Start(a.Ctx, c)
	if err != nil && !analyse.InModule(a.Dir) {
		return nil, analyse.NoPackages(a.Dir, c.Patterns...)
	}
	if err != nil {
		return nil, cli.Cannot("Check that 'go vet' accepts the packages.", "%v", err)
	}
	for _, p := range s.Packages {
		if !p.Instrumented {
			fmt.Fprintf(a.Stderr, "mapatom: %s runs as it is: %s\n", p.Path, a.Relative(p.Reason))
		}
		for _, left := range p.Left {
			fmt.Fprintf(a.Stderr, "mapatom: %s: %s: it is left as it is\n", p.Path, left)
		}
	}
	return s, nil
}

// Command makes mapatom test.
func Command(a *cli.App) *cobra.Command {
	f := &instrumentFlags{}
	cmd := &cobra.Command{
		Use:   "test [packages] [-- flags of go test]",
		Short: "Run go test with the packages instrumented",
		Long: `Test runs the tests of the packages as go test does, with the packages and those
of the module that they import instrumented: a test that calls lineup.Check
has the code under test run under the controlled scheduler. All other tests run
as ever. No file of the module is changed. ` + cli.FenceHelp + `

Exit status: 0 the tests pass, 1 they do not or could not be built, 2 the
arguments are wrong.`,
		Example: `  mapatom test ./...
  mapatom test ./store -- -run TestLineUp -v
  mapatom test -granularity=memory -deps=github.com/hashicorp/golang-lru/v2 .`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			patterns, rest := args, []string(nil)
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				patterns, rest = args[:n], args[n:]
			}
			return run(a, f, patterns, rest)
		},
	}
	f.add(cmd)
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		said := c.Root().FlagErrorFunc()(c, err)
		if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
			return cli.Misuse("%v; flags of go test stand behind --", said)
		}
		return said
	})
	return cmd
}

// run runs go test on the instrumented packages.
func run(a *cli.App, f *instrumentFlags, patterns, flags []string) error {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	for _, p := range patterns {
		if strings.HasPrefix(p, "-") {
			return cli.Misuse("found %s among the packages; flags of go test come after --", p)
		}
	}
	c, err := f.config(a, patterns)
	if err != nil {
		return err
	}
	c.Tests = true
	s, err := f.start(a, c)
	if err != nil {
		return err
	}
	defer s.Close()
	dir, err := os.MkdirTemp("", "mapatom-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	env, fenced, err := f.fence(a, s, dir)
	if err != nil {
		return err
	}
	err = s.Test(a.Ctx, a.Stdout, a.Stderr, env, append(fenced, flags...)...)
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && a.Ctx.Err() == nil {
		a.Status = cli.Failed
		return nil
	}
	return err
}

// fence is the environment and the flags of go test that have the tests run
// behind a fence, with a folder to write to. Where there is none, tests that
// could do harm are refused.
func (f *instrumentFlags) fence(a *cli.App, s *instrument.Session, dir string) (env, flags []string, err error) {
	if f.allowIO {
		return nil, nil, nil
	}
	if missing := fence.Missing(); missing != nil {
		p, err := outside.Load(a.Ctx, a.Dir, true, s.Targets()...)
		if err != nil {
			return nil, nil, err
		}
		if err := p.CheckTests(s.Targets()); err != nil {
			return nil, nil, cli.Cannot("There is no fence around the tests here: "+missing.Error()+".", "%v", err)
		}
		return nil, nil, nil
	}
	policy := fence.Policy{Write: []string{dir}, Read: s.Sources(a.Ctx), Memory: f.memory << 20}
	word, env, err := policy.Exec()
	return env, []string{"-exec=" + word}, err
}
