package history

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDetect(t *testing.T) {
	for text, want := range map[string]Format{
		"# queue":                       Intervals,
		"#queue":                        Intervals,
		"\n  # {a comment}\n# queue":    Intervals,
		"push 1 2 3":                    Intervals,
		"3 1 2 push 2":                  Intervals,
		"\ufeff# queue":                 Intervals,
		`{"format":`:                    Events,
		"\n{ \"format\":":               Events,
		"{":                             Events,
		"{:process 0":                   EDN,
		"{ :process 0":                  EDN,
		"[{:process 0":                  EDN,
		"({:process 0":                  EDN,
		"; Jepsen\n{:process 0":         EDN,
		"#jepsen.history.Op{:process 0": EDN,
		"<observationset>":              Observations,
		"<?xml version=\"1.0\"?>\n<":    Observations,
		strings.Repeat("é", headSize)[:headSize+1]: Intervals, // cut inside a letter
	} {
		head := []byte(text)
		got, err := detect(head[:min(len(head), headSize)])
		require.Nil(t, err, text)
		assert.Equal(t, want, got, "%.40q", text)
	}
}

// TestKindOption reads files that do not say what they are about.
func TestKindOption(t *testing.T) {
	in, err := ReadInput("f", strings.NewReader("# by hand\npush 1 1 2\n# queue\nenq 1 1 2"), Options{Kind: Stack})
	require.NoError(t, err)
	require.Len(t, in.Logs, 2)
	assert.Equal(t, Stack, in.Logs[0].Kind)
	assert.Equal(t, Queue, in.Logs[1].Kind, "a header decides")
	assert.Equal(t, "1", in.Logs[0].Object)
	assert.Equal(t, "2", in.Logs[1].Object)

	events := `{"format":"mapatom-history","version":1}` + "\n" + call(1, "A", "Push", "1") + ret(1, "")
	in, err = ReadInput("f", strings.NewReader(events), Options{})
	require.NoError(t, err)
	assert.Equal(t, Unknown, in.History.Kind)
	assert.Empty(t, in.Logs)
	in, err = ReadInput("f", strings.NewReader(events), Options{Kind: Stack})
	require.NoError(t, err)
	assert.Equal(t, []Method{Insert}, in.Logs[0].Method)

	jepsen := "{:process 0 :type :invoke :f :enqueue :value 1}\n{:process 0 :type :ok :f :enqueue :value 1}"
	in, err = ReadInput("f", strings.NewReader(jepsen), Options{})
	require.NoError(t, err)
	assert.Equal(t, Unknown, in.History.Kind, "a queue of Jepsen's need not be first in, first out")
	in, err = ReadInput("f", strings.NewReader(jepsen), Options{Kind: Queue})
	require.NoError(t, err)
	assert.Equal(t, []Method{Insert}, in.Logs[0].Method)
}

// TestEmptyObject has headers and no operations.
func TestEmptyObject(t *testing.T) {
	in, err := ReadInput("f", strings.NewReader("# queue\n"), Options{})
	require.NoError(t, err)
	require.Len(t, in.Logs, 1)
	assert.Zero(t, in.Logs[0].Len())
	in, err = ReadInput("f", strings.NewReader(header), Options{})
	require.NoError(t, err)
	require.Len(t, in.Logs, 1)
	assert.Equal(t, Queue, in.Logs[0].Kind)
}

// TestLineEnds has the line ends of other systems, tabs, and no last one.
func TestLineEnds(t *testing.T) {
	want, err := ReadIntervals("f", []byte("# set\ninsert 12 3 4\ncontains_true 12 5 6\n"), Options{})
	require.NoError(t, err)
	for _, text := range []string{
		"# set\r\ninsert 12 3 4\r\ncontains_true 12 5 6\r\n",
		"# set\ninsert\t12  3 4\n contains_true 12 5 6",
		"\ufeff# set\nINSERT 12 3 4\nContains_True 0012 5 6",
	} {
		got, err := ReadIntervals("f", []byte(text), Options{})
		require.NoError(t, err, "%q", text)
		assert.Equal(t, want, got, "%q", text)
	}
}

// TestFile reads from the place where a file stands, in parts.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	row := "insert 12 3 4\n"
	text := "skip me# set\n" + strings.Repeat(row, 3<<20/len(row))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.Seek(int64(len("skip me")), 0)
	require.NoError(t, err)
	in, err := ReadInput("f", f, Options{Workers: 3})
	require.NoError(t, err)
	assert.Equal(t, 3<<20/len(row), in.Logs[0].Len())
}

// TestLongLine has a value of ten megabytes, which is a value like others.
func TestLongLine(t *testing.T) {
	long := `"` + strings.Repeat("x", 10<<20) + `"`
	text := header + call(1, "A", "enq", long) + ret(1, "")
	in, err := ReadInput("f", strings.NewReader(text), Options{})
	require.NoError(t, err)
	assert.True(t, in.Logs[0].NameOf(in.Logs[0].Value[0]) == Value(long))
	var b bytes.Buffer
	require.NoError(t, WriteEvents(&b, in.History))
	assert.Equal(t, 10<<20, bytes.Count(b.Bytes(), []byte("x")))
	b.Reset()
	require.NoError(t, WriteEDN(&b, in.History))
	h, err := ReadEDN("f", &b, Options{Kind: Queue})
	require.NoError(t, err)
	assert.True(t, h.Operations[0].Args[0] == Value(long))
}

// TestNoAllocationPerLine reads twenty thousand lines with a few dozen pieces
// of memory.
func TestNoAllocationPerLine(t *testing.T) {
	for _, kind := range []string{"set", "queue"} {
		text := benchmarkText(kind, 20_000)
		allocs := testing.AllocsPerRun(5, func() {
			_, err := ReadIntervals("f", text, Options{Workers: 1})
			require.NoError(t, err)
		})
		assert.Less(t, allocs, 200.0)
	}
}

// TestCannotWrite has what a format has no words for.
func TestCannotWrite(t *testing.T) {
	minus := &Log{Kind: Stack, Method: []Method{Insert}, Value: []int64{-1}, Call: []int64{0}, Return: []int64{1}}
	assert.EqualError(t, WriteIntervals(&bytes.Buffer{}, minus), "operation 1: push of -1, which says in interval text that there was nothing")
	minus.Method[0] = Remove
	assert.EqualError(t, WriteIntervals(&bytes.Buffer{}, minus), "operation 1: pop of -1, which says in interval text that there was nothing")
	spaced := &Log{Kind: Stack, Object: "a b"}
	assert.EqualError(t, WriteIntervals(&bytes.Buffer{}, spaced), `object "a b": interval text needs a name of one word`)
	assert.Error(t, WriteIntervals(&bytes.Buffer{}, &Log{Kind: Stack}, &Log{Kind: Stack}), "two objects without names")

	tie := &History{Threads: []string{"A"}, Operations: []Operation{
		{Method: "f", Results: []Value{}, Call: 0, Return: 5}, {Method: "g", Results: []Value{}, Call: 5, Return: 6},
	}}
	const instant = `thread "A" returns from f and calls g at one instant, 5: a format of events has an order and no instants`
	assert.EqualError(t, WriteEvents(&bytes.Buffer{}, tie), instant)
	assert.EqualError(t, WriteEDN(&bytes.Buffer{}, tie), instant)
	assert.EqualError(t, tie.printLineUp(&bytes.Buffer{}), instant)

	two := &History{Threads: []string{"A"}, Operations: []Operation{{Method: "f", Args: valuesOf("1 2"), Return: Pending}}}
	assert.EqualError(t, WriteEDN(&bytes.Buffer{}, two), "f with two arguments: an operation of Jepsen has one value")
	two.Operations[0] = Operation{Method: "f", Results: valuesOf("1 2"), Return: 1}
	assert.EqualError(t, WriteEDN(&bytes.Buffer{}, two), "f with two results: an operation of Jepsen has one value")
	two.Operations = []Operation{{Object: "a", Method: "f", Results: []Value{}, Return: 1}, {Object: "b", Method: "f", Call: 2, Return: Pending}}
	assert.EqualError(t, WriteEDN(&bytes.Buffer{}, two), "a history of 2 objects: Jepsen's have one")
}

// TestSharedInstants writes operations that share an instant as concurrent.
func TestSharedInstants(t *testing.T) {
	h := &History{Threads: []string{"A", "B"}, Operations: []Operation{
		{Thread: 0, Method: "f", Results: []Value{}, Call: 0, Return: 5},
		{Thread: 1, Method: "g", Results: []Value{}, Call: 5, Return: 5},
	}}
	var b strings.Builder
	require.NoError(t, h.printLineUp(&b))
	assert.Contains(t, b.String(), "<history>1[ 2[ ]1 ]2</history>")
}
