package main

import (
	"bytes"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"golang.org/x/tools/go/analysis"
)

// screen keeps what is written to it.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// take is what was written since it was last asked.
func (s *screen) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.text.Reset()
	return s.text.String()
}

// TestWatch: nothing for two seconds; then what the analysis is at; nothing is left
// in the end.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out screen
		w := startWatch(&out, true)
		time.Sleep(watchDelay - time.Millisecond)
		assert.Empty(t, out.take())
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		assert.Contains(t, out.take(), "loading packages")

		w.expect(2)
		a := w.counted(&analysis.Analyzer{Run: func(*analysis.Pass) (any, error) { return nil, nil }})
		_, err := a.Run(nil)
		assert.NoError(t, err)
		time.Sleep(2 * watchInterval)
		synctest.Wait()
		assert.Contains(t, out.take(), "analysing, 1 of 2 packages")

		w.stop()
		left := out.take()
		assert.Regexp(t, `^\r[ \r]*$|^\r?\x1b\[`, left, "the line is cleared")
		w.stop()
		time.Sleep(time.Minute)
		assert.Empty(t, out.take())
	})
}

// TestWatchShort: a run of less than two seconds shows nothing.
func TestWatchShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out screen
		w := startWatch(&out, true)
		time.Sleep(watchDelay / 2)
		w.stop()
		assert.Empty(t, out.take())
	})
}

// TestWatchPipe: in a pipe there is nothing, however long it takes.
func TestWatchPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out screen
		w := startWatch(&out, false)
		time.Sleep(time.Hour)
		w.stop()
		assert.Empty(t, out.take())
	})
}
