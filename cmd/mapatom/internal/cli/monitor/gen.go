package monitor

import (
	"bufio"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

// generate writes a history to the standard output.
func (m *monitoring) generate(w *monitorWords) error {
	kind, err := history.ParseKind(w.gen)
	if err != nil {
		return cli.Misuse("-gen: %v", err)
	}
	if w.n < 1 || w.threads < 1 {
		return cli.Misuse("-n and -threads must be at least 1")
	}
	g := workload.Threads{Kind: kind, Operations: w.n, Number: w.threads, Seed: w.seed, Broken: w.broken}
	log := g.Log()
	// Without the threads the lines have the form that other tools read too.
	log.Thread, log.Threads = nil, nil
	out := bufio.NewWriterSize(m.Stdout, 1<<16)
	if err := history.WriteIntervals(out, log); err != nil {
		return err
	}
	return out.Flush()
}
