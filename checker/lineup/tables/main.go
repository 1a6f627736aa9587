// Command tables prints the tables of docs/line-up.md: the classes of
// testdata/lineup checked as the classes of Table 2 of the Line-Up paper were,
// beside the figures that the paper has for them.
//
//	go run ./checker/lineup/tables [-n TESTS] [-executions N]
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/mapatom/mapatom/checker/lineup"
)

func main() {
	samples := flag.Int("n", lineup.DefaultSamples, "how many random tests of each class")
	executions := flag.Int("executions", 5000, "bound on the concurrent executions of a random test")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	if err := tables(ctx, *samples, *executions); err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

func tables(ctx context.Context, samples, executions int) error {
	c, err := build(ctx, ".", false, names()...)
	if err != nil {
		return err
	}
	defer c.session.Close()
	fmt.Println("| | class | paper | here | smallest failing test | executions | in the corrected class |\n|---|---|---|---|---|---:|---|")
	for _, cl := range classes {
		for _, cause := range cl.causes {
			f, err := c.find(ctx, cl.name, cause)
			if err != nil {
				return err
			}
			row, err := f.row(cl, cause)
			if err != nil {
				return err
			}
			fmt.Println(row)
		}
	}
	fmt.Println()
	fmt.Println("| class | failing tests | serial histories (most) | phase 1 (longest) | a test that passes | that fails | preemptions |\n|---|---:|---:|---:|---:|---:|---:|")
	for _, cl := range classes {
		row, err := c.class(ctx, cl, samples, executions)
		if err != nil {
			return err
		}
		fmt.Println(row)
	}
	return nil
}

// row is the row of a root cause: the test that shows it, as small as it can
// be, and how many executions it takes; and how many there are of the same
// test in the class that has it corrected, all of which are as they should be.
func (f *finding) row(cl class, ca cause) (string, error) {
	if f.failed.Verdict != lineup.Failed {
		return "", fmt.Errorf("%s of %s: %s", ca.letter, cl.name, f.failed)
	}
	corrected := "it is intended"
	if f.corrected != nil {
		if f.corrected.Verdict != lineup.Passed {
			return "", fmt.Errorf("%s of %s: corrected in %s: %s", ca.letter, cl.name, ca.corrected, f.corrected)
		}
		corrected = fmt.Sprintf("%s: %d, none fails", ca.corrected, f.corrected.Concurrent.Executions)
	}
	test := strings.ReplaceAll(f.minimal.Test.String(), "|", `\|`)
	return fmt.Sprintf("| %s | %s | %s | %s | `%s` | %d | %s |", ca.letter, cl.name, cmp.Or(ca.paper, none), dimension(f.minimal.Test), test, f.failed.Concurrent.Executions, corrected), nil
}

// dimension is the size of a test as the paper gives it: threads, then calls.
func dimension(m lineup.Test) string {
	threads, calls := m.Dimension()
	return fmt.Sprintf("%dx%d", threads, calls)
}

// class is the row of a class under random tests. Each entry is the paper's
// figure and ours.
func (c *corpus) class(ctx context.Context, cl class, samples, executions int) (string, error) {
	all, err := c.check(ctx, cl.name, lineup.Request{
		Samples: samples, Seed: 1, All: true,
		Options: lineup.Options{MaxExecutions: executions}, TestTimeout: time.Minute,
	})
	if err != nil {
		return "", err
	}
	var s lineup.Sums
	for _, r := range all {
		s.Add(r)
	}
	if s.Unknown > 0 {
		return "", fmt.Errorf("%s: %d tests came to no end", cl.name, s.Unknown)
	}
	p := cl.paper
	if p == nil {
		p = &figures{}
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s |", cl.name,
		beside(p.failing(), fmt.Sprintf("%d of %d", s.Failed, len(all))),
		beside(p.histories(), fmt.Sprintf("%d (%d)", s.Histories/len(all), s.MostHistories)),
		beside(p.phase1(), fmt.Sprintf("%s (%s)", milliseconds(s.Serial/time.Duration(len(all))), milliseconds(s.LongestSerial))),
		beside(minutes(p.pass), average(s.PassTime, s.Passed)),
		beside(minutes(p.fail), average(s.FailTime, s.Failed)),
		beside(p.bound(), fmt.Sprint(lineup.DefaultPreemptions))), nil
}

// beside is the paper's figure and ours.
func beside(paper, ours string) string {
	return cmp.Or(paper, none) + " / " + cmp.Or(ours, none)
}

// none stands for a figure that there is not.
const none = "–"

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.0f ms", float64(d.Microseconds())/1000)
}

func average(total time.Duration, n int) string {
	if n == 0 {
		return ""
	}
	return milliseconds(total / time.Duration(n))
}
