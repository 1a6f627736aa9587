package monitor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
)

// A Source is the history of one object as it grows, such as a table of a
// recording.
type Source interface {
	// View is what is known up to a time, in order of call: operations that
	// return later are pending in it. rows are the source's rows. Both may be
	// overwritten by the next View.
	View(until int64) (l *history.Log, rows []int32)
	// Drop takes rows out, which are ascending and of operations that have
	// returned.
	Drop(rows []int32)
	// Replace makes a row say that the object was given a value at an instant.
	Replace(row int32, m history.Method, value, at int64)
}

// StreamOptions bound a stream.
type StreamOptions struct {
	_ struct{}

	// Limit is how many operations an object may have that cannot be forgotten
	// yet; 0 means a million. Beyond it the verdict is Unknown: about a key that
	// has too many of them, or about an object without keys.
	Limit int
	// Workers and Search are those of Options.
	Workers int
	Search  search.Options
}

// defaultLimit is what a stream holds if nothing else is said.
const defaultLimit = 1 << 20

// A Stream decides a history without end, in memory for what is not decided
// yet. What it forgets cannot change what is to come:
//
//   - F1: what lies before a moment at which no operation on a key was open, and
//     the key's value was certain, is that value.
//   - F2: what lies before a moment at which no operation was open and a
//     container was empty is nothing.
//   - F3: of a register that is only written and read, each value once, a value
//     goes with all its operations once no read that is still to return can
//     find it without a contradiction.
//   - F4: of a queue or priority queue, a value that was put in and came out goes
//     with all its operations if they lie before a moment at which nothing but
//     puts was open, and at which the put of all that had come out had returned;
//     an operation before it that found nothing goes likewise.
//
// F3 is Gibbons and Korach's condition on the zones of values: two values whose
// zones overlap contradict each other, and a zone that no later operation can
// enlarge overlaps with none that begins after it. F4 holds because of a value
// that is still inside, those that are gone say only how late it was put in, and
// nothing that comes later says that it was put in earlier. Stacks have no such
// rule: what is gone orders what is left.
type Stream struct {
	source  Source
	options StreamOptions
	// lost are the keys whose value is not known any more: after a violation,
	// and where there was too much to remember. They are taken up again when
	// their value is certain. An object without keys is lost for good.
	lost map[history.Value]bool
	gone bool
	// shown are the methods of rows that F1 has replaced, by their lines.
	shown  map[int32]history.Method
	memory memory
}

// NewStream begins to decide an object.
func NewStream(s Source, o StreamOptions) *Stream {
	if o.Limit <= 0 {
		o.Limit = defaultLimit
	}
	return &Stream{source: s, options: o, lost: map[history.Value]bool{}, shown: map[int32]history.Method{}}
}

// A Finding is something that a stream has decided and that is not in order.
type Finding struct {
	// Verdict is Violation or Unknown.
	Verdict search.HistoryVerdict
	// Reason is why it is Unknown, or Why no order explains the core.
	Reason string
	// Core are the operations that contradict each other, as a log.
	Core *history.Log
	// Confirmed says that the general search finds the core wrong too.
	Confirmed bool
	// Key is the key of the map or element of the set that it is about; only
	// they are given up until their value is certain again. "" is the object.
	Key history.Value
}

// Advance decides what is known up to a time. It gives what was found, and the
// number of operations that are remembered.
func (s *Stream) Advance(ctx context.Context, until int64) (findings []Finding, remembered int, err error) {
	for {
		l, rows := s.source.View(until)
		if s.gone {
			s.source.Drop(chosen(rows, returned(l)))
			return findings, 0, nil
		}
		sound := s.sound(l)
		judged := l
		if len(sound) < l.Len() {
			judged = l.Select(sound)
		}
		r, err := Check(ctx, judged, Options{Workers: s.options.Workers, Search: s.options.Search, memory: &s.memory})
		if err == nil && r.Verdict != search.Linearizable {
			err = ctx.Err()
		}
		if err != nil {
			return findings, l.Len(), err
		}
		if r.Verdict != search.Linearizable {
			more, err := s.all(ctx, l, rows, sound, &r)
			findings = append(findings, more...)
			if err != nil {
				return findings, l.Len(), err
			}
			continue
		}
		f, kept := s.forget(l, rows, until)
		if f == nil {
			return findings, kept, nil
		}
		findings = append(findings, *f)
	}
}

// all gives what is wrong with an object of which something is: key by key, if
// it has any, since there may be many.
func (s *Stream) all(ctx context.Context, l *history.Log, rows, sound []int32, r *Result) (findings []Finding, err error) {
	keys := keysOf(l)
	if keys == nil {
		return []Finding{s.found(l, rows, sound, r)}, nil
	}
	p := split(elements(keys, sound))
	var gone []int32
	for part := range p.len() {
		ops := chosen(sound, p.of(part))
		if len(ops) == 0 {
			continue
		}
		r, err := Check(ctx, l.Select(ops), Options{Workers: 1, Search: s.options.Search})
		if err == nil && r.Verdict != search.Linearizable {
			err = ctx.Err()
		}
		if err != nil {
			return findings, err
		}
		if r.Verdict == search.Linearizable {
			continue
		}
		findings = append(findings, s.found(l, nil, ops, &r))
		gone = append(gone, slices.DeleteFunc(ops, func(i int32) bool { return l.Return[i] == history.Pending })...)
	}
	s.source.Drop(chosen(rows, gone))
	return findings, nil
}

// elements are those of a column that some operations have.
func elements(column []int64, some []int32) []int64 {
	all := make([]int64, len(some))
	for i, at := range some {
		all[i] = column[at]
	}
	return all
}

// sound are the operations on keys that are not lost.
func (s *Stream) sound(l *history.Log) []int32 {
	if len(s.lost) == 0 {
		return allRows(l)
	}
	sound := make([]int32, 0, l.Len())
	for i := range l.Len() {
		if !s.lost[keyAt(l, i)] {
			sound = append(sound, int32(i))
		}
	}
	return sound
}

// returned gives the operations that have returned.
func returned(l *history.Log) []int32 {
	return slices.DeleteFunc(allRows(l), func(i int32) bool { return l.Return[i] == history.Pending })
}

// chosen gives the source's rows of some operations, in order.
func chosen(rows, some []int32) []int32 {
	all := make([]int32, len(some))
	for i, at := range some {
		all[i] = rows[at]
	}
	slices.Sort(all)
	return all
}

// keysOf is the column by which a log falls into parts; nil if it is one.
func keysOf(l *history.Log) []int64 {
	switch l.Kind {
	case history.Map:
		return l.Key
	case history.Set:
		return l.Value
	}
	return nil
}

// keyAt is the key or element of an operation; "" if there are none.
func keyAt(l *history.Log, i int) history.Value {
	keys := keysOf(l)
	if keys == nil {
		return ""
	}
	return l.NameOf(keys[i])
}

// hasKeys reports whether parts of an object are decided by themselves, a
// register being its own only one.
func hasKeys(k history.Kind) bool {
	return k == history.Map || k == history.Set || k == history.Register
}

// found makes a finding of a result, and gives up what it is about.
func (s *Stream) found(l *history.Log, rows, sound []int32, r *Result) Finding {
	f := Finding{Verdict: r.Verdict, Reason: r.Reason, Confirmed: r.Confirmed}
	about := r.Core
	if r.Verdict == search.Unknown && r.Ambiguous != nil {
		about = r.Ambiguous.Rows[:]
		f.Reason = fmt.Sprintf("%s: %s", r.Reason, r.Ambiguous.Why)
	}
	ops := chosen(sound, about)
	if len(ops) > 0 {
		f.Core = l.Select(ops)
		if r.Verdict == search.Violation {
			f.Reason = Why(f.Core)
		}
		s.asShown(f.Core)
	}
	if !hasKeys(l.Kind) || len(ops) == 0 {
		s.gone = true
		return f
	}
	f.Key = keyAt(l, int(ops[0]))
	s.lost[f.Key] = true
	if l.Kind == history.Register {
		s.lose(l, rows, f.Key)
	}
	return f
}

// lose gives up a key, and what was known of it.
func (s *Stream) lose(l *history.Log, rows []int32, key history.Value) {
	s.lost[key] = true
	s.source.Drop(chosen(rows, slices.DeleteFunc(returned(l), func(i int32) bool { return keyAt(l, int(i)) != key })))
}

// asShown gives rows the methods that they had before F1 replaced them.
func (s *Stream) asShown(l *history.Log) {
	for i, line := range l.Line {
		if m, ok := s.shown[line]; ok {
			l.Method[i] = m
		}
	}
}

// Progress is what a Watch has come to.
type Progress struct {
	Operations int64 // that were read
	Remembered int   // of them, because they are not decided yet
	Until      int64 // the time up to which all is decided
}

const (
	// enough is how many new operations are worth a look, and patience how long
	// fewer of them wait for one. If few are remembered a look costs nothing.
	enough   = 1 << 14
	cheap    = 1 << 10
	patience = 300 * time.Millisecond
)

// Watch decides a recording while it is written, until it ends. found is called
// with each finding and the object that it is about, as soon as it is known.
func Watch(ctx context.Context, rd *history.Recording, o StreamOptions, found func(object string, f Finding) error) (Progress, error) {
	w := &watch{recording: rd, options: o, found: found, looked: time.Now()}
	for {
		err := rd.Next()
		if err != nil && !errors.Is(err, io.EOF) {
			return w.progress, err
		}
		if cancelled := context.Cause(ctx); cancelled != nil {
			return w.progress, cancelled
		}
		if err != nil || w.due() {
			if err := w.look(ctx); err != nil {
				return w.progress, err
			}
		}
		if err != nil {
			return w.progress, nil
		}
	}
}

// A watch is one run of Watch.
type watch struct {
	recording *history.Recording
	options   StreamOptions
	found     func(string, Finding) error
	streams   []*Stream // of the tables
	progress  Progress
	looked    time.Time // last
	// read is how much was read at the last look, and late says that some of it was
	// of a time that was not over then.
	read int64
	late bool
}

// due reports whether a look is worth its while: each goes through all that is
// remembered.
func (w *watch) due() bool {
	rows := 0
	for _, t := range w.recording.Tables {
		rows += t.Log.Len()
	}
	if rows-w.progress.Remembered >= max(enough, w.progress.Remembered/2) {
		return true
	}
	read, _ := w.recording.Read()
	return (read > w.read || w.late) && (rows <= cheap || time.Since(w.looked) > patience)
}

// look decides what was read.
func (w *watch) look(ctx context.Context) error {
	w.progress.Until, w.progress.Operations = w.recording.Until, w.recording.Operations()
	w.progress.Remembered = 0
	read, latest := w.recording.Read()
	w.read, w.late = read, latest >= w.recording.Until
	for i, t := range w.recording.Tables {
		if i == len(w.streams) {
			w.streams = append(w.streams, NewStream(t, w.options))
		}
		findings, _, err := w.streams[i].Advance(ctx, w.recording.Until)
		if err != nil {
			return err
		}
		w.progress.Remembered += t.Log.Len()
		for _, f := range findings {
			if err := w.found(t.Log.Object, f); err != nil {
				return err
			}
		}
	}
	w.looked = time.Now()
	return nil
}
