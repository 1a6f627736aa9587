package monitor

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/internal/recording"
	"github.com/mapatom/mapatom/checker/record"
	"github.com/mapatom/mapatom/checker/search"
)

// TestWatch has a violation reported while the recording goes on, about the key
// that it is about, and other keys and later times decided all the same.
func TestWatch(t *testing.T) {
	r, w := io.Pipe()
	h := record.New(w, record.Options{Kind: history.Map})
	found := make(chan Finding)
	ended := make(chan Progress)
	go func() {
		defer close(ended) // also where something is wrong, so that nobody waits for what is found
		rd, err := history.NewRecording("pipe", r, history.Options{})
		require.NoError(t, err)
		p, err := Watch(t.Context(), rd, StreamOptions{}, func(object string, f Finding) error {
			require.Equal(t, "m", object)
			found <- f
			return nil
		})
		require.NoError(t, err)
		ended <- p
	}()
	next := func() Finding {
		select {
		case f := <-found:
			return f
		case <-ended:
			require.Fail(t, "the recording is over")
			return Finding{}
		}
	}
	m := h.Object("m")
	const rounds = 50_000
	value := 0
	store := func(k string) {
		value++
		m.Begin("Store", k, value).End()
		m.Begin("Load", k).End(value, true)
	}
	for range rounds {
		store("a")
		store("b")
	}
	m.Begin("Load", "a").End(-7, true)
	f := next() // before anything else is recorded
	require.Equal(t, search.Violation, f.Verdict)
	require.EqualValues(t, `"a"`, f.Key)
	require.Equal(t, `of key "a", -7 was found, but not written`, f.Reason)
	store("a")
	store("a")
	m.Begin("Load", "b").End(nil, false)
	f = next()
	require.EqualValues(t, `"b"`, f.Key)
	require.Contains(t, f.Reason, `of key "b", nothing was found after it had been overwritten with`)
	store("a")
	m.Begin("Load", "a").End(nil, false)
	f = next()
	require.EqualValues(t, `"a"`, f.Key, "a key is decided again when its value is certain")
	go h.Close()
	p := <-ended
	require.EqualValues(t, 4*rounds+9, p.Operations)
	require.Less(t, p.Remembered, 10)
}

// TestWatchKinds runs correct objects of each kind, several goroutines on each,
// and has little remembered of them.
func TestWatchKinds(t *testing.T) {
	for _, kind := range []history.Kind{history.Queue, history.Stack, history.Set, history.Register} {
		var out bytes.Buffer
		h := record.New(&out, record.Options{Kind: kind})
		var mu sync.Mutex
		var items []int
		var all sync.WaitGroup
		for g := range 4 {
			all.Go(func() {
				th := h.Thread(string(rune('A' + g)))
				for i := range 5000 {
					work(th, kind, &mu, &items, g, g*10_000+i)
				}
			})
		}
		all.Wait()
		require.NoError(t, h.Close())
		rd, err := history.NewRecording("test", &out, history.Options{})
		require.NoError(t, err)
		p, err := Watch(t.Context(), rd, StreamOptions{}, func(object string, f Finding) error {
			require.Fail(t, "found", "%s: %v", kind, f)
			return nil
		})
		require.NoError(t, err)
		require.EqualValues(t, 20_000, p.Operations)
		if kind != history.Stack { // see TestWatchStack
			require.Less(t, p.Remembered, len(items)+2000, "%s", kind)
		}
	}
}

// TestWatchStack: a stack is forgotten whenever it is idle and empty. How often that is
// where goroutines run freely depends on the machine; here it is after each pair.
func TestWatchStack(t *testing.T) {
	var out bytes.Buffer
	h := record.New(&out, record.Options{Kind: history.Stack})
	var all sync.WaitGroup
	var mu sync.Mutex
	for g := range 4 {
		all.Go(func() {
			th := h.Thread(string(rune('A' + g)))
			for i := range 2500 {
				mu.Lock()
				v := g*10_000 + i
				th.Begin("push", v).End()
				th.Begin("pop").End(v, true)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	require.NoError(t, h.Close())
	rd, err := history.NewRecording("test", &out, history.Options{})
	require.NoError(t, err)
	p, err := Watch(t.Context(), rd, StreamOptions{}, func(_ string, f Finding) error {
		require.Fail(t, "found", "%v", f)
		return nil
	})
	require.NoError(t, err)
	require.EqualValues(t, 20_000, p.Operations)
	require.Less(t, p.Remembered, 2000)
}

// work is one operation on an object that is a slice under a lock.
func work(th record.Thread, kind history.Kind, mu *sync.Mutex, items *[]int, g, v int) {
	locked := func(do func() (int, bool)) (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		return do()
	}
	put := func() (int, bool) { *items = append(*items, v); return 0, true }
	last := func() int { return len(*items) - 1 }
	switch {
	case kind == history.Register && g%2 == 0:
		c := th.Begin("write", v)
		locked(func() (int, bool) { *items = []int{v}; return 0, true })
		c.End()
	case kind == history.Register:
		c := th.Begin("read")
		c.End(locked(func() (int, bool) {
			if len(*items) == 0 {
				return 0, false
			}
			return (*items)[0], true
		}))
	case kind == history.Set:
		v = v % 3
		find := func() int {
			for i, x := range *items {
				if x == v {
					return i
				}
			}
			return -1
		}
		if g%2 == 0 {
			c := th.Begin("add", v)
			_, ok := locked(func() (int, bool) { return 0, find() < 0 && func() bool { put(); return true }() })
			c.End(ok)
			return
		}
		c := th.Begin("remove", v)
		_, ok := locked(func() (int, bool) {
			i := find()
			if i >= 0 {
				*items = append((*items)[:i], (*items)[i+1:]...)
			}
			return 0, i >= 0
		})
		c.End(ok)
	case g%2 == 0:
		c := th.Begin("push", v)
		locked(put)
		c.End()
	default:
		c := th.Begin("pop")
		c.End(locked(func() (int, bool) {
			if len(*items) == 0 {
				return 0, false
			}
			at := 0
			if kind == history.Stack {
				at = last()
			}
			v := (*items)[at]
			*items = append((*items)[:at:at], (*items)[at+1:]...)
			return v, true
		}))
	}
}

// TestLimit has more open than may be remembered.
func TestLimit(t *testing.T) {
	for _, kind := range []history.Kind{history.Map, history.Stack} {
		var out bytes.Buffer
		h := record.New(&out, record.Options{Kind: kind})
		open := func() record.Call {
			if kind == history.Map {
				return h.Begin("Store", "k", 0)
			}
			return h.Begin("push", 0)
		}()
		for i := 1; i < 200; i++ {
			if kind == history.Map {
				h.Begin("Swap", "k", i).End(i-1, i > 1)
			} else {
				h.Begin("push", i).End()
			}
		}
		open.End()
		if kind == history.Map {
			h.Begin("Store", "k", 1000).End()
			h.Begin("Load", "k").End(1, true)
		}
		require.NoError(t, h.Close())
		rd, err := history.NewRecording("test", &out, history.Options{})
		require.NoError(t, err)
		require.NoError(t, rd.Next())
		s := NewStream(rd.Tables[0], StreamOptions{Limit: 100})
		calls := slices.Sorted(slices.Values(rd.Tables[0].Log.Call))
		findings, _, err := s.Advance(t.Context(), calls[150])
		require.NoError(t, err)
		require.Len(t, findings, 1)
		require.Equal(t, search.Unknown, findings[0].Verdict)
		require.Contains(t, findings[0].Reason, "there was no moment in 150 operations at which the ")
		findings, kept, err := s.Advance(t.Context(), history.Pending)
		require.NoError(t, err)
		require.Empty(t, findings)
		require.LessOrEqual(t, kept, 100)
	}
}

// TestWatchLate: what was read before its time was over is decided when it is, though
// nothing more comes: the end of a call is no new operation, and a buffer may be written
// later than the mark before it says.
func TestWatchLate(t *testing.T) {
	frame := func(kind byte, payload ...byte) []byte {
		b := binary.LittleEndian.AppendUint32([]byte{kind}, uint32(len(payload)))
		b = append(b, payload...)
		return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	}
	events := []byte{
		0, 0, 0, 0, // shard, name, calls, time
		recording.Word, 0, 4, 'L', 'o', 'a', 'd',
		recording.Call, 0, 20, 1, recording.Int, 2,
		recording.Return, 1, 20, 1, recording.Int, 14, // 7, which nobody wrote
	}
	for _, first := range []byte{10, 30} { // before the call, and before its end
		r, w := io.Pipe()
		found := make(chan Finding, 1)
		go func() {
			write := func(b []byte) { _, _ = w.Write(b) }
			write([]byte(recording.Magic + `{"format":"mapatom-recording","version":1,"kind":"map"}` + "\n"))
			write(frame(recording.Block, events...))
			for at := first; at < 120 && len(found) == 0; at++ {
				write(frame(recording.Mark, at))
				time.Sleep(time.Millisecond)
			}
			if len(found) == 0 {
				w.CloseWithError(errors.New("nothing was found until the end"))
			}
			w.Close()
		}()
		rd, err := history.NewRecording("pipe", r, history.Options{})
		require.NoError(t, err)
		_, err = Watch(t.Context(), rd, StreamOptions{}, func(_ string, f Finding) error {
			found <- f
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, search.Violation, (<-found).Verdict)
	}
}
