package history

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// benchmarkText is a set's history of n operations by forty threads.
func benchmarkText(kind string, n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	out := []byte("# " + kind + "\n")
	words := map[string][]string{
		"set":   {"insert", "remove", "contains_true", "contains_false"},
		"queue": {"enq", "deq", "peek"},
	}[kind]
	for i := range n {
		word := words[r.IntN(len(words))]
		out = fmt.Appendf(out, "%s %d %d %d\n", word, 1+r.IntN(n), 2*i, 2*i+1+r.IntN(80))
	}
	return out
}

func BenchmarkReadIntervals(b *testing.B) {
	for _, kind := range []string{"set", "queue"} {
		text := benchmarkText(kind, 1_000_000)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", kind, workers), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, err := ReadIntervals("bench", text, Options{Workers: workers}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkReadInput has the disk in it: a file of a million lines, as a whole
// process reads it.
func BenchmarkReadInput(b *testing.B) {
	path := filepath.Join(b.TempDir(), "set.log")
	text := benchmarkText("set", 1_000_000)
	require.NoError(b, os.WriteFile(path, text, 0o644))
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f, err := os.Open(path)
		require.NoError(b, err)
		_, err = ReadInput("set.log", f, Options{})
		require.NoError(b, err)
		require.NoError(b, f.Close())
	}
}

// BenchmarkReadEvents and BenchmarkReadEDN read a hundred thousand operations
// in the formats that are for any object.
func BenchmarkReadEvents(b *testing.B) {
	benchmarkHistory(b, WriteEvents, ReadEvents)
}

func BenchmarkReadEDN(b *testing.B) {
	benchmarkHistory(b, WriteEDN, ReadEDN)
}

func benchmarkHistory(b *testing.B, write func(io.Writer, *History) error, read func(string, io.Reader, Options) (*History, error)) {
	logs, err := ReadIntervals("bench", benchmarkText("queue", 100_000), Options{})
	require.NoError(b, err)
	var text bytes.Buffer
	require.NoError(b, write(&text, logs[0].History()))
	b.ReportAllocs()
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		h, err := read("bench", bytes.NewReader(text.Bytes()), Options{Kind: Queue})
		require.NoError(b, err)
		_, err = h.Logs()
		require.NoError(b, err)
	}
}
