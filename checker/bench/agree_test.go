package main

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

var (
	agreeHistories = flag.Int("agree.histories", 2000, "histories of each shape on which the answers are compared")
	agreeSeed      = flag.Uint64("agree.seed", 1, "seed of the histories")
)

// TestAgreesWithPorcupine compares the answers of the two general searches,
// and of the model that is built in, on histories that Porcupine accepts.
func TestAgreesWithPorcupine(t *testing.T) {
	for _, c := range []benchCase{
		{name: "register", shape: workload.Clients{Number: 5, Operations: 30, Values: 5, Swaps: true, Latency: 20, Gap: 10, Stale: 0.2, Timeouts: 0.02}},
		{name: "wide", shape: workload.Clients{Number: 8, Operations: 24, Values: 5, Swaps: true, Latency: 40, Gap: 10, Stale: 0.8, Timeouts: 0.03}},
		{name: "keys", shape: workload.Clients{Number: 5, Operations: 60, Keys: 4, Values: 4, Latency: 30, Gap: 10, Stale: 0.08, Timeouts: 0.02}},
		{name: "text", shape: workload.Clients{Number: 5, Operations: 30, Keys: 2, Texts: true, Latency: 40, Gap: 10, Stale: 0.1}},
		{name: "text, losses", shape: workload.Clients{Number: 4, Operations: 16, Keys: 1, Texts: true, Latency: 30, Gap: 10, Stale: 0.1, Timeouts: 0.06}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, answers := c.shape, map[search.HistoryVerdict]int{}
			for n := range *agreeHistories {
				s.Seed = *agreeSeed<<32 + uint64(n)
				answers[compare(t, s.Calls(), s.Texts, fmt.Sprintf("%+v", s))]++
			}
			t.Logf("seed %d: %d linearizable, %d not, %d undecided by Porcupine",
				*agreeSeed, answers[search.Linearizable], answers[search.Violation], answers[search.Unknown])
			require.Greater(t, 5*min(answers[search.Linearizable], answers[search.Violation]), *agreeHistories)
		})
	}
}

// compare requires one answer from all checkers, where Porcupine gives one.
func compare(t *testing.T, calls []workload.Call, texts bool, where string) search.HistoryVerdict {
	ctx := context.Background()
	if texts {
		want := fromPorcupine(theirText, theirs(calls))
		if want == search.Unknown {
			return want
		}
		for _, m := range []search.Model[string, input, output]{ourText, hinted(ourText)} {
			got, err := m.Check(ctx, ours(calls), search.Options{})
			require.NoError(t, err)
			require.Equal(t, want, got.Verdict, where)
		}
		return want
	}
	want := fromPorcupine(theirRegister, theirs(calls))
	for _, m := range []search.Model[int, input, output]{ourRegister, hinted(ourRegister)} {
		got, err := m.Check(ctx, ours(calls), search.Options{})
		require.NoError(t, err)
		require.Equal(t, want, got.Verdict, where)
	}
	got, err := search.Log(ctx, asLog(calls, history.Map), search.Options{})
	require.NoError(t, err)
	require.Equal(t, want, got.Verdict, where)
	return want
}

func fromPorcupine(m porcupine.Model, ops []porcupine.Operation) search.HistoryVerdict {
	return map[porcupine.CheckResult]search.HistoryVerdict{
		porcupine.Ok: search.Linearizable, porcupine.Illegal: search.Violation,
	}[porcupine.CheckOperationsTimeout(m, ops, 5*time.Second)]
}

// TestPorcupinesOwnLogs compares the answers on the logs that Porcupine's
// tests use. Those of the key-value store are named after theirs, which
// Porcupine takes long to find.
func TestPorcupinesOwnLogs(t *testing.T) {
	logs, err := etcdLogs()
	require.NoError(t, err)
	require.Len(t, logs, 103)
	for n, calls := range logs {
		compare(t, calls, false, fmt.Sprintf("log %d", n))
	}
	logs, err = textLogs()
	require.NoError(t, err)
	require.Len(t, logs, 6)
	for n, calls := range logs {
		// In order of their names: c01-bad, c01-ok, c10-bad and so on.
		want := []search.HistoryVerdict{search.Violation, search.Linearizable}[n%2]
		got, err := hinted(ourText).Check(context.Background(), ours(calls), search.Options{})
		require.NoError(t, err)
		require.Equal(t, want, got.Verdict, "log %d", n)
	}
}

// TestShapes says what the shapes are like.
func TestShapes(t *testing.T) {
	for _, c := range cases {
		if c.own != nil || c.shape.Operations > 10_000 {
			continue
		}
		calls, pending := c.shape.Calls(), 0
		for i := range calls {
			if calls[i].End == workload.Never {
				pending++
			}
		}
		require.Len(t, calls, c.shape.Operations)
		t.Log(c.name, fmt.Sprintf("%d calls, %d of them time out", len(calls), pending))
	}
}
