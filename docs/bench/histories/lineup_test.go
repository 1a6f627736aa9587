package main

import (
	"bufio"
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/puzpuzpuz/xsync/v4"

	"github.com/mapatom/mapatom/checker/lineup"
)

// TestMPMCQueue checks xsync's queue, whose Try methods may refuse where they
// lose a race (X5 in docs/field-lineup.md), against nothing but itself.
func TestMPMCQueue(t *testing.T) {
	lineup.Check(t, lineup.Subject{
		Name:         "xsync.MPMCQueue",
		New:          func() any { return xsync.NewMPMCQueue[int](2) },
		Dependencies: []string{"github.com/puzpuzpuz/xsync/v4"},
		Invocations: []lineup.Invocation{
			lineup.Invoke("TryEnqueue", 1).MayRefuse(false),
			lineup.Invoke("TryEnqueue", 2).MayRefuse(false),
			lineup.Invoke("TryDequeue").MayRefuse(0, false),
		},
	}, "TryEnqueue(1) TryDequeue() | TryEnqueue(2) TryDequeue()", "TryEnqueue(1) TryEnqueue(2) | TryDequeue()")
}

// A journal is a log with a buffer.
type journal struct {
	mu   sync.Mutex
	out  bytes.Buffer
	held *bufio.Writer
}

func newJournal() *journal {
	j := &journal{}
	j.held = bufio.NewWriter(&j.out)
	return j
}

func (j *journal) Print(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.held.WriteString(line)
}

func (j *journal) Flush() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.held.Flush()
}

func (j *journal) Written() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.out.String()
}

// lines is what a journal is if nobody looks at when it writes.
type lines struct{ strings.Builder }

func (l *lines) Print(line string) { l.WriteString(line) }
func (l *lines) Flush()            {}
func (l *lines) Written() string   { return l.String() }

// TestJournal checks a log whose lines are there after the next Flush at the
// latest.
func TestJournal(t *testing.T) {
	calls := []lineup.Invocation{
		lineup.Invoke("Print", "a").Async("Flush"), lineup.Invoke("Print", "b").Async("Flush"), lineup.Invoke("Flush"), lineup.Invoke("Written"),
	}
	lineup.CheckAgainst(t,
		lineup.Subject{Name: "journal", New: func() any { return newJournal() }, Invocations: calls},
		lineup.Subject{Name: "lines", New: func() any { return new(lines) }, Invocations: calls},
		`Print("a") Flush() Written() | Print("b") Written()`)
}
