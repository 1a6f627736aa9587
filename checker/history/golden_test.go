package history

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden reads every example in testdata and compares what was read: as
// operations, as rows, and written back in its own format.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	require.NoError(t, err)
	for _, path := range files {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			in := readFile(t, path)
			got := describe(t, in)
			golden := path + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
		})
	}
}

func readFile(t *testing.T, path string) *Input {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	in, err := ReadInput(filepath.Base(path), f, Options{})
	require.NoError(t, err)
	return in
}

// describe prints everything that an input holds.
func describe(t *testing.T, in *Input) string {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "-- %s --\n", in.Format)
	require.NoError(t, in.write(&b))
	if in.History != nil {
		b.WriteString("-- operations --\n")
		require.NoError(t, in.History.Print(&b))
		b.WriteString("-- as Line-Up --\n")
		require.NoError(t, in.History.printLineUp(&b))
	}
	for _, l := range in.Logs {
		require.NoError(t, l.Check())
		fmt.Fprintf(&b, "-- rows of %s %s --\n", l.Kind, l.Object)
		for i := range l.Method {
			fmt.Fprintf(&b, "line %d: %s", l.LineOf(i), l.Method[i])
			if l.Key != nil {
				fmt.Fprintf(&b, " key %s", l.NameOf(l.Key[i]))
			}
			fmt.Fprintf(&b, " value %s", l.NameOf(l.Value[i]))
			if l.Second != nil {
				fmt.Fprintf(&b, " second %s", l.NameOf(l.Second[i]))
			}
			fmt.Fprintf(&b, " %s\n", span(l.Call[i], l.Return[i]))
		}
	}
	if in.Observations != nil {
		for _, h := range in.Observations.Histories() {
			b.WriteString("-- observed --\n")
			require.NoError(t, h.Print(&b))
		}
	}
	return b.String()
}

// write writes an input in its own format.
func (in *Input) write(b *bytes.Buffer) error {
	switch in.Format {
	case Intervals:
		return WriteIntervals(b, in.Logs...)
	case Events:
		return WriteEvents(b, in.History)
	case EDN:
		return WriteEDN(b, in.History)
	}
	return in.Observations.Write(b)
}

// printLineUp writes the history as Line-Up reports one: which operations
// each thread has, what they are, and how their calls and returns follow each
// other.
//
//	<thread id="A">1 2</thread>
//	<thread id="B">3</thread>
//	<op id="1" name="Add">value="200"</op>
//	...
//	<history>1[ 3[ ]1 2[ ]3 ]2</history>
//
// Operations that are pending are marked B, as if they were stuck, whether
// the history says that or not; only a stuck one ends in '#'.
func (h *History) printLineUp(w io.Writer) error {
	marks, err := h.marks()
	if err != nil {
		return err
	}
	s, order := h.sectionOf(marks)
	out := bufio.NewWriter(w)
	s.writeOperations(out)
	order.write(out)
	return out.Flush()
}
