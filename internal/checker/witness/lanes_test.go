package witness

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestStoryLanes: each move is a step in its lane, with its source where that is known;
// the orders have the call at each place among the other goroutine's steps.
func TestStoryLanes(t *testing.T) {
	l := StoryLanes("(*Registry).Open", session(), func(move int) (string, string) {
		return "<code>", "a.go:" + strings.Repeat("1", move+1)
	})
	require.Len(t, l.Steps, 7)
	assert.Equal(t, LaneStep{Lane: 0, Text: "r.open: Add", Note: "finds 2, leaves 3", Code: "<code>", Where: "a.go:1"}, l.Steps[0])
	assert.Equal(t, LaneStep{Lane: 1, Text: "r.Reset()"}, l.Steps[3], "nobody knows which code resets")
	assert.True(t, l.Steps[4].Breaking)
	var orders []string
	for _, o := range l.Orders {
		var steps []string
		for _, st := range o.Steps {
			steps = append(steps, st.Text)
		}
		orders = append(orders, o.Title+": "+strings.Join(steps, "; ")+". "+o.Why)
	}
	assert.Equal(t, []string{
		"Your call before 1: (*Registry).Open, at once; r.OpenSessionForClient(id, client); r.Reset(). Then it would return (値段#3, New1), not panic.",
		"Your call between 1 and 2: r.OpenSessionForClient(id, client); (*Registry).Open, at once; r.Reset(). Then it would never end.",
		"Your call after 2: r.OpenSessionForClient(id, client); r.Reset(); (*Registry).Open, at once. Then r.値段表[id] would be 値段#3 in the end, not absent.",
	}, orders)
	wellFormed(t, l.Section("a"))
	assert.Contains(t, l.Section("a"), "<code>&lt;code&gt;</code>")
}

// TestStepwise: a history has two steps for an operation that others come between, and
// one for one that nobody does.
func TestStepwise(t *testing.T) {
	p := &Picture{
		Threads: []string{"a", "b"}, Core: []int{1},
		Operations: []Operation{
			{Thread: "a", Method: "enq", Args: []string{"1"}, Call: 1, Return: 6, Inner: []Operation{{Thread: "a", Method: "Add", Call: 2, Return: 3, Results: []string{"1"}}}},
			{Thread: "b", Method: "deq", Call: 4, Return: 5, Results: []string{"2"}, Line: 7},
		},
	}
	var steps []string
	for _, st := range p.stepwise().Steps {
		steps = append(steps, strings.TrimSpace(p.Threads[st.Lane]+" "+st.Text+" "+st.Note+" "+st.Where))
	}
	assert.Equal(t, []string{"a enq(1) begins", "a Add() = 1", "b deq() = 2  line 7", "a enq(1) returns nothing"}, steps)
	assert.True(t, p.stepwise().Steps[2].Breaking)

	p.Threads, p.Core = p.Threads[:1], nil
	p.Operations = p.Operations[:1]
	assert.Nil(t, p.stepwise(), "there is one lane")
	assert.NotContains(t, p.Section("x", 2), "Step by step")
}

// TestLanesEscape: whatever a story says, the section is well-formed.
func TestLanesEscape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab <>&\"'値\x1b\u202e")), 0, 8, -1)
		l := &Lanes{Start: text.Draw(t, "start"), Names: []string{text.Draw(t, "a"), text.Draw(t, "b")}, Legend: text.Draw(t, "legend")}
		for range rapid.IntRange(0, 4).Draw(t, "steps") {
			l.Steps = append(l.Steps, LaneStep{rapid.IntRange(0, 1).Draw(t, "lane"), text.Draw(t, "text"), text.Draw(t, "note"), text.Draw(t, "code"), text.Draw(t, "where"), rapid.Bool().Draw(t, "breaking")})
		}
		l.Orders = []LaneOrder{{text.Draw(t, "title"), l.Steps, text.Draw(t, "why")}}
		wellFormed(t, l.Section(text.Draw(t, "id")))
	})
}

// wellFormed reads a piece of HTML as XML, which is stricter.
func wellFormed(t require.TestingT, text string) {
	d := xml.NewDecoder(strings.NewReader(text))
	d.Entity = xml.HTMLEntity
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err, text)
	}
}
