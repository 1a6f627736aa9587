package cli

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
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

// TestProgress: nothing for a second; then what the analysis is at; nothing is left
// in the end.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out screen
		p := startProgress(&out, true, Counting("loading packages", "analysing", "package"))
		time.Sleep(progressDelay - time.Millisecond)
		assert.Empty(t, out.take())
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		assert.Equal(t, clearLine+"⠋ loading packages (1 s)", out.take())

		p.Expect(2)
		p.Done()
		time.Sleep(2 * progressInterval)
		synctest.Wait()
		assert.Contains(t, out.take(), "analysing, 1 of 2 packages")

		assert.NoError(t, p.Print(&out, "verdict\n"))
		before, after, _ := strings.Cut(out.take(), "verdict\n")
		assert.True(t, strings.HasSuffix(before, clearLine), "it stands on a line of its own")
		assert.Empty(t, after)
		time.Sleep(2 * progressInterval)
		synctest.Wait()
		p.Stop()
		assert.True(t, strings.HasSuffix(out.take(), clearLine))
		p.Stop()
		time.Sleep(time.Minute)
		assert.Empty(t, out.take())
	})
}

// TestProgressShort: a run of less than a second shows nothing.
func TestProgressShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out screen
		p := startProgress(&out, true, Counting("loading packages", "analysing", "package"))
		time.Sleep(progressDelay / 2)
		p.Stop()
		assert.Empty(t, out.take())
	})
}

// TestProgressPipe: in a pipe there is nothing, however long it takes.
func TestProgressPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out screen
		p := startProgress(&out, false, nil)
		time.Sleep(time.Hour)
		p.Stop()
		assert.Empty(t, out.take())
	})
}
