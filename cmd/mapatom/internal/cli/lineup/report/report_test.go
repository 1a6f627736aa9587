package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/lineup/report"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// stuck is a failure in which Inc blocks after Get has forgotten to unlock.
func stuck(t *testing.T) *lineup.Result {
	m, err := lineup.ParseTest("Get() | Inc()")
	require.NoError(t, err)
	get := history.Operation{Thread: 0, Method: "Get", Results: []history.Value{"0"}, Call: 1, Return: 2}
	threads := []string{"A", "B"}
	inc := history.Operation{Thread: 1, Method: "Inc", Results: []history.Value{}, Call: 3, Return: 4}
	blocked := inc
	blocked.Results, blocked.Return = nil, history.Pending
	return &lineup.Result{Test: m, Verdict: lineup.Failed, Failure: &lineup.Failure{
		Cause:    lineup.NoStuckWitness,
		History:  &history.History{Threads: threads, Operations: []history.Operation{get, blocked}, Stuck: true},
		Blocked:  1,
		Stuck:    "deadlock",
		Waiting:  []string{"B is blocked: lock"},
		Nearest:  []*history.History{{Threads: threads, Operations: []history.Operation{get, inc}}},
		Schedule: "A4 B2",
	}}
}

func TestText(t *testing.T) {
	require.Equal(t, `Thread A    Thread B
Get()       Inc()

Inc() of thread B blocks for ever, and in no serial order of the other calls would it.

A             B
-----------   -----------
╶ Get() = 0
              ┌ Inc() *
              ╵ # blocked

*: these contradict each other.

The serial histories that come nearest:
    A: Get() = 0, B: Inc()

The execution ends in a deadlock:
    B is blocked: lock

Schedule, with 0 preemptions: A4 B2
`, report.Text(stuck(t), witness.TextOptions{}))
}

func TestPictures(t *testing.T) {
	all := report.Pictures(stuck(t), "counter")
	require.Len(t, all, 2)
	require.Equal(t, "counter", all[0].Title)
	require.Equal(t, []int{1}, all[0].Core)
	require.Equal(t, []string{"Test: Get() | Inc()", "Schedule: A4 B2"}, all[0].Notes)
	require.Equal(t, "Serial history 1, for comparison", all[1].Title)
}
