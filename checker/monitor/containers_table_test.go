package monitor

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/internal/checker/certificate"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

// containerCases are small histories that each turn on one thing.
var containerCases = []struct {
	name, text string
	ok         bool
}{
	{"nothing", "# queue\n", true},
	{"a lone pending removal", "# stack\npop ? 1 -\n", true},
	{"a lone pending insertion", "# queue\nenq 1 1 -\n", true},
	{"a value that never went in", "# queue\ndeq 1 1 2\n", false},
	{"a value that comes out twice", "# queue\nenq 1 1 2\ndeq 1 3 4\ndeq 1 5 6\n", false},
	{"out before in", "# stack\npop 1 1 2\npush 1 3 4\n", false},
	{"out and in at the same instant", "# stack\npop 1 1 3\npush 1 3 4\n", true},
	{"seen after it is out", "# queue\nenq 1 1 2\ndeq 1 3 4\npeek 1 5 6\n", false},

	{"queue in order", "# queue\nenq 1 1 2\nenq 2 3 4\ndeq 1 5 6\ndeq 2 7 8\n", true},
	{"queue out of order", "# queue\nenq 1 1 2\nenq 2 3 4\ndeq 2 5 6\ndeq 1 7 8\n", false},
	{"queue with insertions that overlap", "# queue\nenq 1 1 4\nenq 2 3 5\ndeq 2 6 7\ndeq 1 8 9\n", true},
	{"queue that leaves the first value", "# queue\nenq 1 1 2\nenq 2 3 4\ndeq 2 5 6\n", false},
	{"queue with the second value seen first", "# queue\nenq 1 1 2\nenq 2 3 4\npeek 2 5 6\n", false},
	{"queue with values seen in turns", "# queue\nenq 1 1 4\nenq 2 1 4\npeek 1 5 6\npeek 2 7 8\npeek 1 9 10\n", false},
	{"queue where three values go round", "# queue\nenq 1 1 2\nenq 2 3 9\nenq 3 1 9\npeek 3 4 5\ndeq 2 6 7\ndeq 3 8 11\ndeq 1 8 11\n", false},
	{"queue found empty with a value in it", "# queue\nenq 1 1 2\ndeq -1 3 4\ndeq 1 5 6\n", false},
	{"queue found empty while a value goes in", "# queue\nenq 1 1 3\ndeq -1 2 4\npeek 1 5 6\n", true},
	{"queue found empty between values", "# queue\nenq 1 1 2\ndeq 1 3 6\nenq 2 4 7\npeek -1 5 5\ndeq 2 8 9\n", true},
	{"queue never empty, by turns", "# queue\nenq 1 1 2\nenq 2 3 4\ndeq 1 5 6\npeek -1 3 7\n", false},
	{"queue emptied by a pending removal", "# queue\nenq 1 1 2\ndeq ? 3 -\ndeq -1 4 5\n", true},
	{"queue with a pending removal too late", "# queue\nenq 1 1 2\ndeq -1 4 5\ndeq ? 6 -\n", false},
	{"queue with one pending removal for two values", "# queue\nenq 1 1 2\nenq 2 3 4\nenq 3 5 6\ndeq ? 7 -\ndeq 3 8 9\n", false},
	{"queue with two pending removals", "# queue\nenq 1 1 2\nenq 2 3 4\nenq 3 5 6\ndeq ? 7 -\ndeq ? 7 -\ndeq 3 8 9\n", true},
	{"queue with a pending insertion that is seen", "# queue\nenq 1 1 -\npeek 1 2 3\ndeq -1 4 5\n", false},

	{"stack in order", "# stack\npush 1 1 2\npush 2 3 4\npop 2 5 6\npop 1 7 8\n", true},
	{"stack out of order", "# stack\npush 1 1 2\npush 2 3 4\npop 1 5 6\npop 2 7 8\n", false},
	{"stack that leaves the upper value", "# stack\npush 1 1 2\npush 2 3 4\npop 1 5 6\n", false},
	{"stack that leaves the lower value", "# stack\npush 1 1 2\npush 2 3 4\npop 2 5 6\n", true},
	{"stack with the lower value seen through the upper", "# stack\npush 1 1 2\npush 2 3 4\npeek 1 5 6\npop 2 7 8\n", false},
	{"stack with the lower value seen again", "# stack\npush 1 1 2\npeek 1 3 4\npush 2 5 6\npop 2 7 8\npeek 1 9 10\n", true},
	{"stack with a gap between two values", "# stack\npush 1 1 2\npush 2 3 4\npop 2 5 8\npush 3 6 9\npeek 1 7 7\npop 3 10 11\n", true},
	{"stack without one", "# stack\npush 1 1 2\npush 2 3 4\npush 3 5 6\npop 2 7 8\npeek 1 9 10\npop 3 11 12\n", false},
	{"stack with a pending removal of the upper value", "# stack\npush 1 1 2\npush 2 3 4\npop ? 4 -\npop 1 5 6\n", true},
	{"stack found empty", "# stack\npush 1 1 4\npush 2 1 4\npop 1 2 6\npop 2 5 8\npop -1 3 3\n", true},

	{"largest first", "# priorityqueue\ninsert 1 1 2\ninsert 2 3 4\npoll 2 5 6\npoll 1 7 8\n", true},
	{"largest last", "# priorityqueue\ninsert 1 1 2\ninsert 2 3 4\npoll 1 5 6\npoll 2 7 8\n", false},
	{"smallest first", "# priorityqueue\n# order min\ninsert 1 1 2\ninsert 2 3 4\npoll 1 5 6\npoll 2 7 8\n", true},
	{"smallest last", "# priorityqueue\n# order min\ninsert 1 1 2\ninsert 2 3 4\npoll 2 5 6\npoll 1 7 8\n", false},
	{"smaller before the larger is in", "# priorityqueue\ninsert 1 1 2\npeek 1 3 6\ninsert 2 4 5\npoll 2 7 8\n", true},
	{"larger left over", "# priorityqueue\ninsert 2 1 2\ninsert 1 3 4\npoll 1 5 6\n", false},
	{"two larger ones take turns", "# priorityqueue\ninsert 3 1 2\npoll 3 5 6\ninsert 2 3 4\npoll 2 9 10\ninsert 1 1 2\npeek 1 4 8\n", false},
	{"larger taken by a pending removal", "# priorityqueue\ninsert 2 1 2\ninsert 1 3 4\npoll ? 4 -\npoll 1 5 6\n", true},
}

func TestContainerCases(t *testing.T) {
	for _, c := range containerCases {
		t.Run(c.name, func(t *testing.T) {
			logs, err := history.ReadIntervals("case", []byte(c.text), history.Options{})
			require.NoError(t, err)
			for _, l := range logs {
				require.Equal(t, c.ok, workload.Linearizable(l), "the case itself")
				a := monitored(l, true)
				require.Empty(t, a.reason)
				assert.Equal(t, c.ok, a.ok)
				if c.ok {
					assert.NoError(t, certificate.Validate(l, a.order))
				} else {
					assert.False(t, workload.Linearizable(l.Select(a.core)), "core %v", a.core)
				}
			}
		})
	}
}

// TestCoreWithoutTheRest checks that a core in a large history has little but
// what is wrong in it.
func TestCoreWithoutTheRest(t *testing.T) {
	for _, kind := range []history.Kind{history.Queue, history.Stack, history.PriorityQueue} {
		l := workload.Threads{Kind: kind, Operations: 5000, Seed: 7}.Log()
		l.Thread, l.Threads = nil, nil
		at := l.Return[l.Len()-1] + 1000
		workload.Add(l, history.Insert, 1<<40, at, at+1)
		workload.Add(l, history.RemoveEmpty, history.Absent, at+2, at+3)
		workload.Add(l, history.Remove, 1<<40, at+4, at+5)
		core := l.Select(monitored(l, false).core)
		assert.LessOrEqual(t, core.Len(), 3, kind.String())
		assert.False(t, workload.Linearizable(core), workload.Describe(core))
	}
}
