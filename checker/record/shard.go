package record

import (
	"sync"

	"github.com/mapatom/mapatom/checker/internal/recording"
)

// A shard is a buffer of events in the order of time. Its lock is held for a
// few instructions, and by others than its processor or goroutine only where a
// goroutine has moved in the middle of an operation and when buffers are
// flushed.
type shard struct {
	recorder *Recorder
	number   uint64
	name     string // of the thread; "" for a shard of a processor

	mu     sync.Mutex // a fair one: a flush has to come through
	ended  bool
	buffer *[]byte
	events []byte   // what the buffer holds
	last   int64    // time of the last event in it
	calls  uint64   // so far, in all buffers
	words  []word   // of this buffer
	start  int      // of the events in it
	_      [64]byte // the next shard is on another cache line
}

// A word is a method of an object.
type word struct{ object, method string }

// room is how much of a buffer must be free for an event of ordinary size.
const room = 256

// call writes a call.
func (s *shard) call(object, method string, args []any) Call {
	s.mu.Lock()
	w := s.word(object, method)
	// The time is taken with the lock held, so that events are in order, and
	// last, so that the operation looks as short as it can.
	now := s.recorder.now()
	b := append(s.events, recording.Call)
	b = appendUint(b, uint64(w))
	b = appendUint(b, uint64(now-s.last))
	b = appendValues(b, args)
	s.events, s.last = b, now
	c := Call{s, s.calls}
	s.calls++
	if len(b) > bufferSize-room {
		s.handOver()
	}
	s.mu.Unlock()
	return c
}

// ret writes a return.
func (s *shard) ret(number uint64, results []any) {
	now := s.recorder.now()
	s.mu.Lock()
	// Another goroutine may have written an event since, or a flush begun.
	now = max(now, s.last)
	b := append(s.events, recording.Return)
	b = appendUint(b, s.calls-number)
	b = appendUint(b, uint64(now-s.last))
	b = appendValues(b, results)
	s.events, s.last = b, now
	full := len(b) > bufferSize-room
	if full {
		s.handOver()
	}
	s.mu.Unlock()
	if full {
		s.recorder.flushFull()
	}
}

// cancel writes that a call is taken back.
func (s *shard) cancel(number uint64) {
	s.mu.Lock()
	s.events = appendUint(append(s.events, recording.Cancel), s.calls-number)
	if len(s.events) > bufferSize-room {
		s.handOver()
	}
	s.mu.Unlock()
}

// word gives the number of a word in this buffer, and writes it if it is new.
// There are few: the texts are constants, and mostly the same ones in memory.
func (s *shard) word(object, method string) int {
	for i := range s.words {
		if w := &s.words[i]; w.method == method && w.object == object {
			return i
		}
	}
	s.events = append(s.events, recording.Word)
	s.events = appendText(appendText(s.events, object), method)
	s.words = append(s.words, word{object, method})
	return len(s.words) - 1
}

// handOver gives the buffer to the writer and takes a fresh one. The lock is
// held, so that the buffers of a shard are written in their order.
func (s *shard) handOver() {
	if s.ended {
		s.events, s.words = s.events[:s.start], s.words[:0]
	}
	if len(s.events) == s.start {
		return
	}
	if len(s.events) > bufferSize-room {
		s.recorder.full.Add(1)
	}
	*s.buffer = s.events
	s.recorder.queue <- frame{data: finish(*s.buffer), buffer: s.buffer}
	s.fresh()
}
