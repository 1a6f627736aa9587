package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/monitor"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

// patience is how long a checker may take for one history.
const patience = 20 * time.Second

func main() {
	fmt.Printf("%s, %s/%s, GOMAXPROCS %d; processor time for all histories of a line\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0))
	fmt.Println("| histories | Porcupine | user's model | with hints | built-in model | monitor |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, c := range cases {
		if err := report(c); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// report writes the line of one case: how long each checker takes for all of
// its histories, and how many times as fast as Porcupine that is.
func report(c benchCase) error {
	histories, err := c.histories()
	if err != nil {
		return err
	}
	base := measure{answer: "-"}
	if !c.hopeless {
		base = least(func() string { return checkTheirs(c, histories) })
	}
	fmt.Printf("| %s | %s", c.name, base)
	for _, check := range []func() string{
		func() string { return checkModel(c, histories, false) },
		func() string { return checkModel(c, histories, true) },
		func() string { return checkLogs(c, histories) },
		func() string { return checkMonitor(c, histories) },
	} {
		m := least(check)
		fmt.Printf(" | %s", m.against(base))
	}
	fmt.Println(" |")
	return nil
}

// A measure is the time that a checker needs, and its answers.
type measure struct {
	time   time.Duration
	answer string
}

func (m measure) gaveUp() bool { return strings.Contains(m.answer, "unknown") }

func (m measure) String() string {
	if m.answer == "-" {
		return "-"
	}
	return fmt.Sprintf("%s: %s", m.answer, round(m.time))
}

func round(d time.Duration) time.Duration {
	if d > 100*time.Millisecond {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Microsecond)
}

// against compares a measure with Porcupine's.
func (m measure) against(base measure) string {
	switch {
	case m.answer == "-":
		return "-"
	case m.gaveUp():
		return m.String()
	case base.answer == "-":
		return m.String()
	case base.gaveUp():
		return fmt.Sprintf("%s (> %.0fx)", m, float64(base.time)/float64(m.time))
	case m.answer != base.answer:
		return "DIFFERS: " + m.String()
	}
	return fmt.Sprintf("%s (%.1fx)", round(m.time), float64(base.time)/float64(m.time))
}

// least is the least time of several runs, until a second has passed.
func least(check func() string) measure {
	best := measure{time: time.Hour}
	for began := time.Now(); time.Since(began) < time.Second; {
		runtime.GC()
		start := clock()
		answer := check()
		best = measure{min(best.time, clock()-start), answer}
	}
	return best
}

// histories reads or generates the histories of a case.
func (c benchCase) histories() ([][]workload.Call, error) {
	if c.own != nil {
		return c.own()
	}
	histories := make([][]workload.Call, c.count)
	for i := range histories {
		s := c.shape
		s.Seed = uint64(i + 1)
		histories[i] = s.Calls()
	}
	return histories, nil
}

// tally counts answers.
type tally map[search.HistoryVerdict]int

func (t tally) String() string {
	text := fmt.Sprintf("%d yes, %d no", t[search.Linearizable], t[search.Violation])
	if t[search.Unknown] > 0 {
		text += fmt.Sprintf(", %d unknown", t[search.Unknown])
	}
	return text
}

func checkTheirs(c benchCase, histories [][]workload.Call) string {
	m, t := theirRegister, tally{}
	if c.shape.Texts {
		m = theirText
	}
	for _, calls := range histories {
		t[verdictOf(porcupine.CheckOperationsTimeout(m, theirs(calls), patience))]++
	}
	return t.String()
}

func verdictOf(r porcupine.CheckResult) search.HistoryVerdict {
	switch r {
	case porcupine.Ok:
		return search.Linearizable
	case porcupine.Illegal:
		return search.Violation
	}
	return search.Unknown
}

func checkModel(c benchCase, histories [][]workload.Call, hints bool) string {
	t := tally{}
	for _, calls := range histories {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		var r search.Result
		var err error
		switch {
		case c.shape.Texts && hints:
			r, err = hinted(ourText).Check(ctx, ours(calls), search.Options{})
		case c.shape.Texts:
			r, err = ourText.Check(ctx, ours(calls), search.Options{})
		case hints:
			r, err = hinted(ourRegister).Check(ctx, ours(calls), search.Options{})
		default:
			r, err = ourRegister.Check(ctx, ours(calls), search.Options{})
		}
		cancel()
		if err != nil {
			return err.Error()
		}
		t[r.Verdict]++
	}
	return t.String()
}

func checkLogs(c benchCase, histories [][]workload.Call) string {
	if c.shape.Texts {
		return "-"
	}
	t := tally{}
	for _, calls := range histories {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		r, err := search.Log(ctx, asLog(calls, history.Map), search.Options{})
		cancel()
		if err != nil {
			return err.Error()
		}
		t[r.Verdict]++
	}
	return t.String()
}

func checkMonitor(c benchCase, histories [][]workload.Call) string {
	if c.shape.Texts || c.shape.Values > 0 || c.own != nil {
		return "-"
	}
	t := tally{}
	for _, calls := range histories {
		r, err := monitor.Check(context.Background(), asLog(calls, history.Map), monitor.Options{})
		if err != nil {
			return err.Error()
		}
		t[r.Verdict]++
	}
	return t.String()
}
