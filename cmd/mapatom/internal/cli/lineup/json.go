package lineup

import (
	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/lineup/report"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// lineupLine is a test as -json prints it. Names are only ever added.
type lineupLine struct {
	Version int    `json:"version"` // of the histories too, see internal/checker/witness
	Subject string `json:"subject"`
	Against string `json:"against,omitempty"`
	Seed    uint64 `json:"seed"`
	testJSON
	// Minimal is the smallest part of the test that fails.
	Minimal *testJSON `json:"minimal,omitempty"`
	Replay  string    `json:"replay,omitempty"`
}

// testJSON is what came of a test.
type testJSON struct {
	Test    string `json:"test"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason,omitempty"`
	// History is the one that cannot be explained, and Nearest are serial ones
	// to compare it with.
	Cause       lineup.Cause        `json:"cause,omitempty"`
	History     *witness.Document   `json:"history,omitempty"`
	Nearest     []*witness.Document `json:"nearest,omitempty"`
	Schedule    string              `json:"schedule,omitempty"`
	Preemptions int                 `json:"preemptions,omitempty"`
	Serial      lineup.Phase        `json:"serial"`
	Concurrent  lineup.Phase        `json:"concurrent"`
	Coverage    lineup.Coverage     `json:"coverage"`
	Notes       []string            `json:"notes,omitempty"`
}

func newTestJSON(r *lineup.Result) testJSON {
	t := testJSON{
		Test: r.Test.String(), Verdict: r.Verdict.String(), Reason: r.Reason,
		Serial: r.Serial, Concurrent: r.Concurrent, Coverage: r.Coverage, Notes: r.Notes,
	}
	if f := r.Failure; f != nil {
		pictures := report.Pictures(r, "")
		t.Cause, t.History = f.Cause, (*witness.Document)(pictures[0])
		for _, p := range pictures[1:] {
			t.Nearest = append(t.Nearest, (*witness.Document)(p))
		}
		t.Schedule, t.Preemptions = f.Schedule, f.Preemptions
	}
	return t
}

// printJSON prints a line for each test.
func (l *lining) printJSON(arg string, f *found, checked []*lineup.Result, failing *lineup.Result) error {
	enc := cli.Encoder(l.Stdout)
	for _, r := range checked {
		line := lineupLine{
			Version: witness.Version, Subject: f.harness.Name, Against: l.against, Seed: l.request.Seed,
			testJSON: newTestJSON(r),
		}
		if r.Verdict == lineup.Failed {
			if !l.request.All {
				least := newTestJSON(failing)
				line.Minimal, r = &least, failing
			}
			line.Replay = l.replayCommand(arg, r)
		}
		if err := enc.Encode(&line); err != nil {
			return err
		}
	}
	return nil
}
