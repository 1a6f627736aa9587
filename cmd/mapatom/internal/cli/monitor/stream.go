package monitor

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/monitor"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/result"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// streamMemory is what the collector of garbage keeps to while it can: a stream
// runs beside the program that it watches.
const streamMemory = 24 << 20

// stream decides one recording while it is written, and prints what is wrong as
// soon as it is known.
func (m *monitoring) stream(name string) error {
	debug.SetGCPercent(50)
	debug.SetMemoryLimit(streamMemory)
	m.printer.Progress = m.NewProgress(cli.Counting("reading", "deciding", "object"))
	defer m.printer.Progress.Stop()
	var in io.Reader = m.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return m.printer.Malformed(cli.About(name, err))
		}
		defer f.Close()
		in = f
	}
	out, err := m.open([]string{name})
	if err != nil {
		return err
	}
	defer out.discard()
	began := time.Now()
	rd, err := history.NewRecording(name, in, history.Options{Kind: m.kind, Format: m.format})
	if err != nil {
		return m.printer.Malformed(cli.About(name, err))
	}
	stop := m.unblock(in)
	defer stop()
	p, err := monitor.Watch(m.Ctx, rd, monitor.StreamOptions{Search: search.Options{Nodes: m.budget.Count}}, func(object string, f monitor.Finding) error {
		return m.print(m.finding(name, object, rd, &f, time.Since(began)), out)
	})
	switch {
	case m.Ctx.Err() != nil:
	case err != nil:
		return m.printer.Malformed(cli.About(name, err))
	}
	end := checked{file: name, kind: rd.Kind(), operations: int(p.Operations), method: monitor.ByMonitor, elapsed: time.Since(began)}
	switch {
	case m.Ctx.Err() != nil:
		end.reason = fmt.Sprintf("interrupted; up to %s nothing else is wrong", time.Duration(p.Until))
	case m.Status != cli.Clean:
		return nil
	default:
		end.verdict = search.Linearizable
		if rd.Truncated {
			end.reason = "the recording is cut off: what was recorded last is missing"
		}
	}
	return m.print(&end, out)
}

// unblock has reading a pipe end when the program is interrupted.
func (m *monitoring) unblock(in io.Reader) (stop func()) {
	done := make(chan struct{})
	go func() {
		select {
		case <-m.Ctx.Done():
			if c, ok := in.(io.Closer); ok {
				c.Close()
			}
		case <-done:
		}
	}()
	return func() { close(done) }
}

// noOrder is the reason of a violation, with why that is if there is a sentence.
func noOrder(operations int, why string) string {
	text := result.Unexplained(operations)
	if why != "" {
		text += ": " + why
	}
	return text
}

// finding is what a stream has found, as the verdict on an object.
func (m *monitoring) finding(name, object string, rd *history.Recording, f *monitor.Finding, elapsed time.Duration) *checked {
	c := &checked{
		file: name, object: object, kind: rd.Kind(), operations: int(rd.Operations()), verdict: f.Verdict,
		reason: f.Reason, method: monitor.ByMonitor, confirmed: f.Confirmed, elapsed: elapsed,
	}
	if f.Verdict == search.Unknown && f.Key != "" {
		c.reason = fmt.Sprintf("of %s, %s", f.Key, f.Reason)
	}
	if f.Verdict == search.Violation {
		c.reason = noOrder(f.Core.Len(), f.Reason)
		all := make([]int32, f.Core.Len())
		for i := range all {
			all[i] = int32(i)
		}
		c.core = witness.FromLog(f.Core, witness.Selection{Core: all, Limit: min(len(all), witness.DefaultHTMLLimit)})
	} else if f.Core != nil && f.Core.Len() == 2 {
		c.method = monitor.BySearch
		c.ambiguous = &result.Ambiguity{Lines: [2]int{f.Core.LineOf(0), f.Core.LineOf(1)}, Why: f.Reason}
	}
	return c
}
