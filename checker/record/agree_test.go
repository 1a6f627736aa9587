package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/record"
)

// words are methods of each kind, some in odd spellings, and one that is none.
var words = map[history.Kind][]string{
	history.Map:      {"Store", "load", "LoadOrStore", "load-and-delete", "Delete", "CompareAndSwap", "compare_and_delete", "Swap", "put", "Replace", "PutIfAbsent", "Nothing"},
	history.Register: {"Write", "Read", "cas", "Swap", "FetchAdd", "AddAndGet", "LoadOrStore"},
	history.Queue:    {"Enqueue", "TryDequeue", "peek", "Deq"},
	history.Set:      {"Add", "Remove", "Contains", "has"},
}

// FuzzAgree records random calls, right and wrong ones, and has package history
// make the same rows of the same operations written as text, read at once and as
// a stream.
func FuzzAgree(f *testing.F) {
	for seed := range uint64(500) {
		f.Add(seed)
	}
	kinds := []history.Kind{history.Map, history.Register, history.Queue, history.Set}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		kind := kinds[r.IntN(len(kinds))]
		values := []any{1, 2, 3, "x", true, nil}
		// null is told from nothing by all calls or by none: what a history
		// says in one place counts for all of it there.
		some := func(n int) (all []any, text []history.Value) {
			for range n {
				v := values[r.IntN(len(values)-1)]
				all, text = append(all, v), append(text, textOf(v))
			}
			return all, text
		}
		var out bytes.Buffer
		h := record.New(&out, record.Options{Kind: kind, Flush: -1})
		want := &history.History{Kind: kind}
		wrong := 1 + 11*r.IntN(2)
		for i := range int64(1 + r.IntN(6)) {
			method := words[kind][r.IntN(len(words[kind]))]
			args, argText := some(wantArgs(kind, method, r, wrong))
			want.Threads = append(want.Threads, strconv.Itoa(int(i))) // one each, since some never return
			o := history.Operation{Thread: int(i), Method: method, Args: argText, Call: 2 * i, Return: 2*i + 1}
			c := h.Begin(method, args...)
			results, text := some(r.IntN(3))
			switch {
			case r.IntN(8) == 0:
				o.Return = history.Pending
				text = nil
			case len(results) == 2:
				results[1] = r.IntN(2) == 0
				text[1] = textOf(results[1])
				fallthrough
			default:
				if len(results) == 1 && r.IntN(2) == 0 {
					results[0] = []any{nil, true, false}[r.IntN(3)]
					text[0] = textOf(results[0])
				}
				c.End(results...)
			}
			o.Results = text
			want.Operations = append(want.Operations, o)
		}
		require.NoError(t, h.Close())
		in, err := history.ReadInput("f", &out, history.Options{})
		streamed, streamErr := streamEvents(want)
		require.Equal(t, err == nil, streamErr == nil, "a recording: %v; a stream of events: %v", err, streamErr)
		logs, wantErr := want.Logs()
		if wantErr != nil {
			require.Error(t, err, "%v", wantErr)
			return
		}
		require.NoError(t, err, "%v", want.Operations)
		require.Equal(t, lines(logs[0]), lines(in.Logs[0]))
		require.Equal(t, lines(logs[0]), lines(streamed))
	})
}

// streamEvents writes a history of one object as events, and reads it as it would
// be read while it grows.
func streamEvents(h *history.History) (*history.Log, error) {
	var text bytes.Buffer
	if err := history.WriteEvents(&text, h); err != nil {
		return nil, err
	}
	rd, err := history.NewRecording("events", &text, history.Options{})
	for err == nil {
		err = rd.Next()
	}
	if !errors.Is(err, io.EOF) {
		return nil, err
	}
	l, _ := rd.Tables[0].View(rd.Until)
	return l, nil
}

// wantArgs is how many arguments a method takes, and now and then another
// number.
func wantArgs(kind history.Kind, method string, r *rand.Rand, wrong int) int {
	if wrong > 1 && r.IntN(wrong) == 0 {
		return r.IntN(4)
	}
	n := map[string]int{"Store": 1, "LoadOrStore": 1, "CompareAndSwap": 2, "compare_and_delete": 1, "Swap": 1, "put": 1, "Replace": 2, "PutIfAbsent": 1,
		"Write": 1, "cas": 2, "FetchAdd": 1, "AddAndGet": 1, "Enqueue": 1, "Add": 1, "Remove": 1, "Contains": 1, "has": 1}[method]
	if kind == history.Map {
		n++
	}
	return n
}

func textOf(v any) history.Value {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return history.String(v)
	}
	return history.Value(fmt.Sprint(v))
}
