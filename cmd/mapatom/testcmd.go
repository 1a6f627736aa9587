package main

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/checker/instrument"
)

// instrumentFlags are the flags of the commands that run the user's code.
type instrumentFlags struct {
	dependencies []string
	granularity  string
}

func (f *instrumentFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.dependencies, "deps", nil, "instrument these dependencies too (`paths` of packages or modules)")
	cmd.Flags().StringVar(&f.granularity, "granularity", "sync", "what threads are interrupted at: sync (locks, atomics,\nchannels) or memory (plain reads and writes as well)")
}

// config is what the flags say.
func (f *instrumentFlags) config(a *app, patterns []string) (instrument.Config, error) {
	if f.granularity != "sync" && f.granularity != "memory" {
		return instrument.Config{}, misuse("-granularity: found %q, want sync or memory", f.granularity)
	}
	return instrument.Config{Dir: a.dir, Patterns: patterns, Dependencies: f.dependencies, Memory: f.granularity == "memory"}, nil
}

// start instruments the packages, and says what was not.
func (f *instrumentFlags) start(a *app, c instrument.Config) (*instrument.Session, error) {
	s, err := instrument.Start(a.ctx, c)
	if err != nil {
		return nil, cannot("Check that 'go vet' accepts the packages.", "%v", err)
	}
	for _, p := range s.Packages {
		if !p.Instrumented {
			fmt.Fprintf(a.stderr, "mapatom: %s runs as it is: %s\n", p.Path, a.relative(p.Reason))
		}
		for _, left := range p.Left {
			fmt.Fprintf(a.stderr, "mapatom: %s: %s: it is left as it is\n", p.Path, left)
		}
	}
	return s, nil
}

func (a *app) testCommand() *cobra.Command {
	f := &instrumentFlags{}
	cmd := &cobra.Command{
		Use:   "test [packages] [-- flags of go test]",
		Short: "Run go test with the packages instrumented",
		Long: `Test runs the tests of the packages as go test does, with the packages and those
of the module that they import instrumented: a test that calls lineup.Check
has the code under test run under the controlled scheduler. All other tests run
as ever. No file of the module is changed.

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
			return a.test(f, patterns, rest)
		},
	}
	f.add(cmd)
	return cmd
}

// test runs go test on the instrumented packages.
func (a *app) test(f *instrumentFlags, patterns, flags []string) error {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	for _, p := range patterns {
		if strings.HasPrefix(p, "-") {
			return misuse("found %s among the packages; flags of go test come after --", p)
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
	err = s.Test(a.ctx, a.stdout, a.stderr, flags...)
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && a.ctx.Err() == nil {
		a.status = exitFailed
		return nil
	}
	return err
}
