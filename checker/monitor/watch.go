package monitor

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/mapatom/mapatom/checker/history"
)

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
