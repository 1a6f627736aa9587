package harm

import (
	"io"
	"sync"
)

// Spring is read by some and closed by others, and whoever finds the end first tells it.
type Spring struct {
	mu     sync.Mutex
	closed bool
	onEnd  func(error) error
	from   io.Reader
}

func NewSpring(from io.Reader) *Spring { return &Spring{from: from} }

func (f *Spring) isClosed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}

// end tells it to who wants to know, once.
func (f *Spring) end(err error) error {
	if f.onEnd == nil {
		return err
	}
	err = f.onEnd(err)
	f.onEnd = nil
	return err
}

func (f *Spring) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	return f.end(nil)
}

// MediumNext may find the end after somebody has closed it, who has told it then.
func (f *Spring) MediumNext(p []byte) (int, error) {
	if f.isClosed() {
		return 0, io.ErrClosedPipe
	}
	n, err := f.from.Read(p)
	if err != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		err = f.end(err)
	}
	return n, err
}

// HighWhenEnded is not told of an end that comes before its own is there.
func (f *Spring) HighWhenEnded(tell func(error) error) error {
	if f.isClosed() {
		return tell(nil)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.onEnd = tell
	return nil
}
