// Command tables prints the tables of docs/snapshot.md: algorithms with a bug,
// algorithms verified, and histories tested, beside the figures of the paper of
// package snapshot.
//
//	go run ./internal/checker/snapshot/tables [bugs|verified|histories|length]...
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"time"

	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/snapshot"
	"github.com/mapatom/mapatom/internal/checker/snapshot/algorithm"
	"github.com/mapatom/mapatom/internal/checker/snapshot/verify"
)

// A printer prints tables, and stops when the context is done.
type printer struct {
	ctx context.Context
	out io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := (&printer{ctx, os.Stdout}).tables(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

// tables prints those that are named, or all.
func (p *printer) tables(names []string) error {
	printers := map[string]func() error{"bugs": p.bugs, "verified": p.verified, "histories": p.histories, "length": p.length}
	if len(names) == 0 {
		names = []string{"bugs", "verified", "histories", "length"}
	}
	for _, name := range names {
		if printers[name] == nil {
			return fmt.Errorf("unknown table %q: want bugs, verified, histories or length", name)
		}
		if err := printers[name](); err != nil {
			return err
		}
	}
	return nil
}

// buggy are the numbers of processes of the paper's table 1.
var buggy = []int{3, 4, 5, 6, 8, 10}

// What a mode may take: a minute to find a bug, and an hour to verify an
// algorithm. In the paper it was ten minutes, and an hour.
const (
	toFind   = time.Minute
	toVerify = time.Hour
)

// bugs looks for the bug of every algorithm, in every mode.
func (p *printer) bugs() error {
	fmt.Fprint(p.out, "| algorithm, processes | paper: normal, simple, polynomial | normal | simple | polynomial | stored | MiB | operations |\n",
		"|---|---|---:|---:|---:|---:|---:|---:|\n")
	found := 0
	for _, info := range algorithm.All() {
		for i, n := range buggy {
			row := fmt.Sprintf("| %s, %d | %s |", info.Name, n, paperBugs[info.Name][i])
			for _, mode := range []verify.Mode{verify.Normal, verify.Simple, verify.Polynomial} {
				r, err := p.run(verify.Options{Algorithm: info.Name, Processes: n, Buggy: true, Mode: mode}, toFind)
				if err != nil {
					return err
				}
				row += " " + seconds(&r) + " |"
				if mode == verify.Polynomial {
					row += fmt.Sprintf(" %d | %s | %d |", r.Stored, mebibytes(r.Bytes), r.Begun)
					if r.Verdict == reach.Violation {
						found++
					}
				}
			}
			fmt.Fprintln(p.out, row)
		}
	}
	_, err := fmt.Fprintf(p.out, "\nFound in polynomial mode: %d of %d.\n\n", found, len(algorithm.All())*len(buggy))
	return err
}

// A bound says how far an algorithm is verified: 0 operations are any number.
type bound struct {
	algorithm             string
	processes, operations int
	paper                 string
}

// verified verifies algorithms at bounds of the paper, and at larger ones.
func (p *printer) verified() error {
	fmt.Fprint(p.out, "| algorithm | processes | operations of each | paper: operations, simple, polynomial | here | pairs | stored | matched | MiB | seconds |\n",
		"|---|---:|---:|---|---|---:|---:|---:|---:|---:|\n")
	for _, b := range bounds {
		r, err := p.run(verify.Options{Algorithm: b.algorithm, Processes: b.processes, Operations: b.operations}, toVerify)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.out, "| %s | %d | %s | %s | %s | %d | %d | %d | %s | %s |\n", b.algorithm, b.processes, operations(b.operations), b.paper,
			r.Verdict, r.Pairs, r.Stored, r.Matched, mebibytes(r.Bytes), seconds(&r))
	}
	_, err := fmt.Fprintln(p.out)
	return err
}

// operations is a bound in words.
func operations(bound int) string {
	if bound == 0 {
		return "any number"
	}
	return strconv.Itoa(bound)
}

// run verifies within a time. That the command is interrupted is an error.
func (p *printer) run(o verify.Options, patience time.Duration) (verify.Result, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	r, err := verify.Run(ctx, o)
	if err == nil {
		err = p.ctx.Err()
	}
	return r, err
}

// seconds is how long it took, or that it came to no end.
func seconds(r *verify.Result) string {
	if r.Verdict == reach.Unknown {
		return "–"
	}
	return fmt.Sprintf("%.2f", r.Elapsed.Seconds())
}

func mebibytes(n int64) string { return fmt.Sprintf("%.1f", float64(n)/(1<<20)) }

// histories tests the 900 histories.
func (p *printer) histories() error {
	fmt.Fprint(p.out, "| histories | length | processes | right | paper, median | Lowe's tool, decided | here, median |\n|---|---:|---|---:|---:|---:|---:|\n")
	var total time.Duration
	right := 0
	for _, row := range paperHistories {
		var times []time.Duration
		rightHere := 0
		snapshot.Corpus(func(g snapshot.Generator, h *snapshot.Simple) {
			if g.Broken != row.broken || g.Length != row.length {
				return
			}
			begin := time.Now()
			v := h.Test()
			times = append(times, time.Since(begin))
			if (v != nil) == g.Broken {
				rightHere++
			}
		})
		for _, d := range times {
			total += d
		}
		right += rightHere
		slices.Sort(times)
		kind := "linearizable"
		if row.broken {
			kind = "not linearizable"
		}
		fmt.Fprintf(p.out, "| %s | %d | %s | %d of %d | %s | %s | %.1f µs |\n", kind, row.length, row.processes, rightHere, len(times),
			row.median, row.lowe, float64(times[len(times)/2].Nanoseconds())/1000)
	}
	_, err := fmt.Fprintf(p.out, "\nRight: %d of %d, in %.4f s.\n\n", right, snapshot.CorpusSize, total.Seconds())
	return err
}

// length tests histories of up to ten million actions.
func (p *printer) length() error {
	fmt.Fprint(p.out, "| actions | 3 processes | 20 processes |\n|---:|---:|---:|\n")
	for length := 1_000; length <= 10_000_000; length *= 10 {
		fmt.Fprintf(p.out, "| %d |", length)
		for _, processes := range []int{3, 20} {
			h := snapshot.Generator{Processes: processes, Length: length, Seed: 1}.Simple()
			best := time.Hour
			for range 20 {
				begin := time.Now()
				if h.Test() != nil {
					return fmt.Errorf("a history of %d actions is not linearizable, want one that is", length)
				}
				best = min(best, time.Since(begin))
			}
			fmt.Fprintf(p.out, " %.3f ms, %.1f ns an action |", float64(best.Microseconds())/1000, float64(best.Nanoseconds())/float64(length))
		}
		fmt.Fprintln(p.out)
		if err := p.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
