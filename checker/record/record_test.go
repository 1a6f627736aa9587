package record_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/monitor"
	"github.com/mapatom/mapatom/checker/record"
	"github.com/mapatom/mapatom/checker/search"
)

func read(t *testing.T, data []byte) *history.Input {
	t.Helper()
	in, err := history.ReadInput("test", bytes.NewReader(data), history.Options{})
	require.NoError(t, err)
	for _, l := range in.Logs {
		require.NoError(t, l.Check())
	}
	return in
}

// lines writes the rows of a log as the program would.
func lines(l *history.Log) []string {
	var all []string
	for i := range l.Len() {
		o := l.Operation(i)
		text := o.String()
		if o.Pending() {
			text += " pending"
		}
		all = append(all, text)
	}
	return all
}

type point struct {
	X, y int
	Name string
}

func TestValues(t *testing.T) {
	var out bytes.Buffer
	h := record.New(&out, record.Options{Kind: history.Map, Flush: -1})
	type id uint16
	for i, v := range []any{
		1, -1, math.MaxInt64, math.MinInt64, uint64(math.MaxUint64), id(7), "", "a \"b\"\n", "\xff", true, false, 1.5, 1e300, math.NaN(),
		2i, [2]int{1, 2}, []string{"x"}, point{1, 2, "p"}, struct{}{}, []byte(nil), &[]any{nil, 3, "z"}[1],
	} {
		h.Begin("Store", i, v).End()
		c := h.Begin("Load", i)
		c.End(v, true)
	}
	require.NoError(t, h.Close())
	l := read(t, out.Bytes()).Logs[0]
	var got []string
	for i := 0; i < l.Len(); i += 2 {
		require.Equal(t, l.Value[i], l.Value[i+1], "what was stored is what was loaded")
		got = append(got, string(l.NameOf(l.Value[i])))
	}
	last := len(got) - 1
	require.True(t, strings.HasPrefix(got[last], `"*interface {} 0x`), got[last])
	require.Equal(t, []string{
		"1", "-1", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "7", `""`, `"a \"b\"\n"`, "\"\uFFFD\"", "true", "false", "1.5", "1e+300", `"NaN"`,
		`"(0+2i)"`, "[1,2]", `["x"]`, `{"Name":"p","X":1,"y":2}`, "{}", "[]",
	}, got[:last])
}

// TestOperations has every way to write an operation down.
func TestOperations(t *testing.T) {
	var out bytes.Buffer
	h := record.New(&out, record.Options{Kind: history.Map, Flush: -1})
	h.Begin("Store", "a", 1).End()
	h.Begin("LoadOrStore", "a", 2).End(1, true)
	require.NoError(t, h.Flush())
	h.Begin("LoadOrStore", "b", 2).End(2, false)
	func() {
		var v, ok any
		defer h.Begin("load-and-delete", "a").EndAt(&v, &ok)
		v, ok = 1, true
	}()
	h.Begin("Load", "a").End(nil, false)
	h.Begin("CompareAndSwap", "b", 2, 3).End(false)
	h.Begin("CompareAndSwap", "b", 2, 4).Cancel()
	h.Begin("Delete", "b")
	h.Begin("Load", "b")
	other := h.Object("other")
	other.Begin("Store", "a", 9).End()
	require.NoError(t, h.Close())
	require.NoError(t, h.Close())
	h.Begin("Store", "late", 1).End()
	in := read(t, out.Bytes())
	require.False(t, in.Truncated)
	require.Len(t, in.Logs, 2)
	require.Equal(t, []string{
		`store("a", 1)`, `load_or_store("a", 2) = 1`, `load_or_store("b", 2) = null`, `load_and_delete("a") = 1`, `load("a") = null`,
		`cas("b", 2, 3) = false`, `delete("b") pending`, `load("b") pending`,
	}, lines(in.Logs[0]))
	require.Equal(t, "other", in.Logs[1].Object)
	require.Equal(t, []string{`other.store("a", 9)`}, lines(in.Logs[1]))
}

func TestThreads(t *testing.T) {
	var out bytes.Buffer
	h := record.New(&out, record.Options{Kind: history.Queue, Flush: -1})
	a, b := h.Thread("A"), h.Thread("B").Object("")
	x := a.Begin("Enq", 1)
	y := b.Begin("Deq")
	x.End()
	y.End(1, true)
	b.Begin("Deq").End(0, false)
	require.NoError(t, h.Close())
	l := read(t, out.Bytes()).Logs[0]
	require.Equal(t, []string{"enq(1)", "deq() = 1", "deq() = null"}, lines(l))
	require.Equal(t, []string{"A", "B"}, l.Threads)
	require.Equal(t, []int32{0, 1, 1}, l.Thread)
}

// TestTimes has threads take turns, with flushes of empty buffers in between: each
// operation is after the one before.
func TestTimes(t *testing.T) {
	var out bytes.Buffer
	h := record.New(&out, record.Options{Kind: history.Queue, Flush: -1})
	a, b := h.Thread("A"), h.Thread("B")
	for i := range 300 {
		for n, x := range []record.Thread{a, b} {
			if i%3 == n {
				continue
			}
			x.Begin("Enq", i).End()
			time.Sleep(time.Microsecond)
			if i%2 == 0 {
				require.NoError(t, h.Flush())
			}
		}
	}
	require.NoError(t, h.Close())
	l := read(t, out.Bytes()).Logs[0]
	for i := 1; i < l.Len(); i++ {
		require.LessOrEqual(t, l.Value[i-1], l.Value[i])
		require.Less(t, l.Return[i-1], l.Call[i])
	}
}

func TestRegister(t *testing.T) {
	var out bytes.Buffer
	h := record.New(&out, record.Options{Kind: history.Register, Initial: 5})
	h.Begin("Load").End(5)
	h.Begin("Store", nil).End()
	h.Begin("Load").End(nil)
	require.NoError(t, h.Close())
	l := read(t, out.Bytes()).Logs[0]
	require.Equal(t, []string{"read() = 5", "write(null)", "read() = null"}, lines(l))
	require.EqualValues(t, 5, l.Initial)
}

// TestMistakes has calls that the reader refuses.
func TestMistakes(t *testing.T) {
	for want, calls := range map[string]func(h *record.Recorder){
		`method "Enqueue" of a map, want store`:                                               func(h *record.Recorder) { h.Begin("Enqueue", 1).End() },
		"Load without a key, want a key as its first argument":                                func(h *record.Recorder) { h.Begin("Load").End() },
		"Store with two arguments, want one argument":                                         func(h *record.Recorder) { h.Begin("Store", 1, 2, 3).End() },
		"results (1, 2, 3) of load, want a value, or a value and whether it was there":        func(h *record.Recorder) { h.Begin("Load", 1).End(1, 2, 3) },
		"results () of cas, want true or false":                                               func(h *record.Recorder) { h.Begin("CAS", 1, 2, 3).End() },
		"the return of an operation that is not open":                                         func(h *record.Recorder) { c := h.Begin("Load", 1); c.End(nil); c.End(nil) },
		"load that gave null, which was stored as a value as well, want a second result that": func(h *record.Recorder) { h.Begin("Store", 1, nil).End(); h.Begin("Load", 1).End(nil) },
		"load that gave null, which was stored as a value as well, want a second result": func(h *record.Recorder) { // in the other order in the file
			a, b := h.Thread("A"), h.Thread("B")
			b.Begin("Store", 1, nil).End()
			a.Begin("Load", 1).End(nil)
		},
	} {
		var out bytes.Buffer
		h := record.New(&out, record.Options{Kind: history.Map})
		calls(h)
		require.NoError(t, h.Close())
		_, err := history.ReadInput("test", &out, history.Options{})
		require.ErrorContains(t, err, "test: ")
		require.ErrorContains(t, err, want)
	}
	var out bytes.Buffer
	require.NoError(t, record.New(&out, record.Options{}).Close())
	_, err := history.ReadInput("test", &out, history.Options{})
	require.EqualError(t, err, "test: a recording that does not say of what kind its objects are, want a kind in record.Options, or -object")
}

// TestConcurrent records a correct map and one that forgets, from goroutines
// that record in every way.
func TestConcurrent(t *testing.T) {
	for _, broken := range []bool{false, true} {
		var out bytes.Buffer
		h := record.New(&out, record.Options{Kind: history.Map})
		m := record.Wrap[any, any](h, &sync.Map{})
		var all sync.WaitGroup
		for g := range 8 {
			all.Go(func() {
				th := h.Thread(strconv.Itoa(g))
				for i := range 3000 {
					k := (g + i) % 5
					if g%2 == 0 {
						m.Store(k, g*10_000+i)
						m.Load(k)
						continue
					}
					if broken && i == 2000 {
						c := th.Begin("Store", k, -1) // and does not
						c.End()
						continue
					}
					m.LoadOrStore(k, g*10_000+i)
					m.LoadAndDelete(k)
				}
			})
		}
		all.Wait()
		require.NoError(t, h.Close())
		l := read(t, out.Bytes()).Logs[0]
		require.Equal(t, 8*6000-map[bool]int{true: 4}[broken], l.Len())
		require.True(t, l.InCallOrder())
		r, err := monitor.Check(t.Context(), l, monitor.Options{})
		require.NoError(t, err)
		want := search.Linearizable
		if broken {
			want = search.Violation
		}
		require.Equal(t, want, r.Verdict, "%v %v", r.Core, r.Reason)
	}
}

// TestKilled ends a program without Close, and reads what it has written.
func TestKilled(t *testing.T) {
	if file := os.Getenv("RECORD_TEST_FILE"); file != "" {
		f, err := os.Create(file)
		require.NoError(t, err)
		h := record.New(f, record.Options{Kind: history.Queue, Flush: -1})
		h.Begin("Enq", 1).End()
		h.Begin("Deq")
		require.NoError(t, h.Flush())
		h.Begin("Enq", 2).End()
		os.Exit(0)
	}
	file := filepath.Join(t.TempDir(), "killed")
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "RECORD_TEST_FILE="+file)
	require.NoError(t, cmd.Run())
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	in := read(t, data)
	require.True(t, in.Truncated)
	require.Equal(t, []string{"enq(1)", "deq() pending"}, lines(in.Logs[0]))

	// Wherever it is cut off, what is left is read, or there is nothing.
	for n := range data {
		_, err := history.ReadInput("test", bytes.NewReader(data[:n]), history.Options{})
		if n > 80 {
			require.NoError(t, err, n)
		}
	}
	// And what was changed is noticed.
	for i := 80; i < len(data); i++ {
		bad := bytes.Clone(data)
		bad[i] ^= 0x55
		in, err := history.ReadInput("test", bytes.NewReader(bad), history.Options{})
		require.True(t, err != nil || in.Truncated, i)
	}
}

type failing struct{ left int }

func (f *failing) Write(p []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

// TestFails has a disk that is full: the program goes on and Close says so.
func TestFails(t *testing.T) {
	h := record.New(&failing{1}, record.Options{Kind: history.Map})
	for i := range 50_000 {
		h.Begin("Store", i, i).End()
	}
	require.ErrorContains(t, h.Flush(), "no space left")
	require.ErrorContains(t, h.Close(), "the recording is cut off")
}

// TestNext reads a recording while it is written.
func TestNext(t *testing.T) {
	r, w := io.Pipe()
	h := record.New(w, record.Options{Kind: history.Queue, Flush: -1})
	go h.Begin("Enq", 1).End()
	rd, err := history.NewRecording("pipe", r, history.Options{})
	require.NoError(t, err)
	for n := 1; n < 4; n++ {
		c := h.Begin("Deq")
		h.Begin("Enq", 10*n).End()
		go h.Flush()
		require.NoError(t, rd.Next())
		l, _ := rd.Tables[0].View(rd.Until)
		require.Equal(t, 2*n+1, l.Len())
		require.Equal(t, "deq() pending", lines(l)[2*n-1])
		c.End(0, false)
	}
	go h.Close()
	require.NoError(t, rd.Next())
	require.ErrorIs(t, rd.Next(), io.EOF)
	require.False(t, rd.Truncated)
}
