package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// serial makes a serial history: each word is a thread and a method, with a
// result after an equals sign, and # for one that blocks.
func serial(threads []string, words ...string) *History {
	h := &History{Threads: threads}
	for i, word := range words {
		thread, call, _ := strings.Cut(word, ".")
		method, result, _ := strings.Cut(call, "=")
		o := Operation{Method: method, Results: []Value{}, Call: int64(2 * i), Return: int64(2*i + 1)}
		for t, name := range threads {
			if name == thread {
				o.Thread = t
			}
		}
		if result == "#" {
			o.Results, o.Return, h.Stuck = nil, Pending, true
		} else if result != "" {
			o.Results = []Value{Value(result)}
		}
		h.Operations = append(h.Operations, o)
	}
	return h
}

func TestObservationFile(t *testing.T) {
	ab, ba := []string{"A", "B"}, []string{"B", "C", "A"}
	var f ObservationFile
	for _, h := range []*History{
		serial(ab, "A.inc", "A.get=1", "B.inc"),
		serial(ba, "A.inc", "B.inc", "A.get=2"),
		serial(ab, "B.inc", "A.inc", "A.get=2"),
		serial(ba, "B.inc", "A.inc", "A.get=2"), // the same once more, threads in another order
		serial(ab, "A.inc", "B.wait=#"),
	} {
		require.NoError(t, f.Add(h))
	}
	require.Len(t, f.Sections, 3)
	assert.Len(t, f.Sections[0].Orders, 1)
	assert.Len(t, f.Sections[1].Orders, 2)
	assert.Len(t, f.Histories(), 4)

	concurrent := serial(ab, "A.inc", "B.inc", "A.get=2")
	concurrent.Operations[0].Return = 3
	concurrent.Operations[1].Call = 1
	concurrent.Operations[1].Return = 9
	assert.Same(t, f.Sections[1], f.sectionWith(concurrent), "the witnesses of a concurrent history")
	assert.Nil(t, f.sectionWith(serial(ab, "A.inc", "B.inc", "A.get=7")))
	assert.NotNil(t, f.sectionWith(serial(ab, "B.wait=#", "A.inc")))
	assert.Nil(t, f.sectionWith(serial(ab, "B.wait", "A.inc")), "one that blocks is not one that returns")
	open := serial(ab, "A.inc")
	open.Operations[0].Return, open.Operations[0].Results = Pending, nil
	assert.EqualError(t, f.Add(open), "a history that is neither complete nor stuck: it is no observation")

	var first strings.Builder
	require.NoError(t, f.Write(&first))
	again, err := ReadObservations("f", strings.NewReader(first.String()))
	require.NoError(t, err)
	for i, s := range f.Sections {
		require.NoError(t, s.Check())
		assert.Equal(t, s.Orders, again.Sections[i].Orders)
		assert.Equal(t, s.Operations, again.Sections[i].Operations)
	}
	require.NoError(t, again.Add(serial(ab, "A.inc", "B.inc", "A.get=2")))
	assert.Len(t, again.Histories(), 4)
}

// TestObservedValues writes values that look like something else.
func TestObservedValues(t *testing.T) {
	values := []Value{"1", `"1"`, `"Fail"`, "null", `"a \"b\" \\ <c> & d"`, `"\u0001\n"`, "\"\uFFFE\"", `{"a":[true]}`, `""`, `" x "`}
	h := &History{Threads: []string{"A<\"\t\n>"}, Operations: []Operation{
		{Method: "f&<", Object: "o\"", Args: values, Results: values, Call: 0, Return: 1},
	}}
	var f ObservationFile
	require.NoError(t, f.Add(h))
	var b strings.Builder
	require.NoError(t, f.Write(&b))
	again, err := ReadObservations("f", strings.NewReader(b.String()))
	require.NoError(t, err, b.String())
	assert.Equal(t, h.Operations, again.Histories()[0].Operations)
	assert.Equal(t, h.Threads, again.Histories()[0].Threads)

	h.Operations[0].Method = "\x01"
	require.NoError(t, f.Add(h))
	assert.EqualError(t, f.Write(&b), `section 2: the name "\x01" has characters that XML does not have`)
}

// sectionWith gives the section that has h's operations in each thread, with the
// same results and the same ones blocked; nil if there is none.
func (f *ObservationFile) sectionWith(h *History) *Section {
	s, _, err := h.section()
	if err != nil {
		return nil
	}
	f.index()
	if at := f.byKey[s.key()]; at > 0 {
		return f.Sections[at-1]
	}
	return nil
}
