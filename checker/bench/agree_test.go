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
)

var (
	agreeHistories = flag.Int("agree.histories", 2000, "histories of each shape on which the answers are compared")
	agreeSeed      = flag.Uint64("agree.seed", 1, "seed of the histories")
)

// TestAgreesWithPorcupine compares the answers of the two general searches,
// and of the model that is built in, on histories that Porcupine accepts.
func TestAgreesWithPorcupine(t *testing.T) {
	for _, c := range []benchCase{
		{name: "register", shape: shape{clients: 5, operations: 30, values: 5, swaps: true, latency: 20, gap: 10, stale: 0.2, timeouts: 0.02}},
		{name: "wide", shape: shape{clients: 8, operations: 24, values: 5, swaps: true, latency: 40, gap: 10, stale: 0.8, timeouts: 0.03}},
		{name: "keys", shape: shape{clients: 5, operations: 60, keys: 4, values: 4, latency: 30, gap: 10, stale: 0.08, timeouts: 0.02}},
		{name: "text", shape: shape{clients: 5, operations: 30, keys: 2, texts: true, latency: 40, gap: 10, stale: 0.1}},
		{name: "text, losses", shape: shape{clients: 4, operations: 16, keys: 1, texts: true, latency: 30, gap: 10, stale: 0.1, timeouts: 0.06}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, answers := c.shape, map[search.HistoryVerdict]int{}
			for n := range *agreeHistories {
				s.seed = *agreeSeed<<32 + uint64(n)
				answers[compare(t, s.generate(), s.texts, fmt.Sprintf("%+v", s))]++
			}
			t.Logf("seed %d: %d linearizable, %d not, %d undecided by Porcupine",
				*agreeSeed, answers[search.Linearizable], answers[search.Violation], answers[search.Unknown])
			require.Greater(t, 5*min(answers[search.Linearizable], answers[search.Violation]), *agreeHistories)
		})
	}
}

// compare requires one answer from all checkers, where Porcupine gives one.
func compare(t *testing.T, calls []call, texts bool, where string) search.HistoryVerdict {
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
		if c.own != nil || c.shape.operations > 10_000 {
			continue
		}
		calls, pending := c.shape.generate(), 0
		for i := range calls {
			if calls[i].end == never {
				pending++
			}
		}
		require.Len(t, calls, c.shape.operations)
		t.Log(c.name, fmt.Sprintf("%d calls, %d of them time out", len(calls), pending))
	}
}
