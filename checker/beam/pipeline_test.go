package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/monitor"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

// TestPipeline has a folder decided by Beam's local runner and by one process,
// which have to agree.
func TestPipeline(t *testing.T) {
	beam.Init()
	dir := t.TempDir()
	var want []string
	for kind := history.Stack; kind <= history.Map; kind++ {
		for _, broken := range []bool{false, true} {
			l := workload.Threads{Kind: kind, Operations: 4000, Number: 3, Keys: 4, Seed: uint64(kind), Broken: broken}.Log()
			file := filepath.Join(dir, fmt.Sprintf("%s-%t.log", kind, broken))
			f, err := os.Create(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := history.WriteIntervals(f, l); err != nil {
				t.Fatal(err)
			}
			f.Close()
			r, err := monitor.Check(t.Context(), l, monitor.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if broken != (r.Verdict == search.Violation) {
				t.Fatalf("%s: %s", file, r.Verdict)
			}
			want = append(want, file+": "+r.Verdict.String())
		}
	}
	bad := filepath.Join(dir, "zz.log")
	if err := os.WriteFile(bad, []byte("# queue\nenq 1 5 4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	want = append(want, bad+":2: end 4 before start 5")
	slices.Sort(want)

	report := filepath.Join(t.TempDir(), "report.txt")
	p, s := beam.NewPipelineWithRoot()
	pipeline(s, filepath.Join(dir, "*.log"), report, 100)
	if _, err := beam.Run(context.Background(), "prism", p); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(got), len(want), data)
	}
	for i, line := range got {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("found %q, want %q", line, want[i])
		}
	}
}
