package harm

import (
	"errors"
	"io"
	"sync"
)

var errTrunk = errors.New("it is broken")

// Trunk is a connection that is not used any more once it is broken.
type Trunk struct {
	mu     sync.Mutex
	broken bool
	out    io.Writer
}

func NewTrunk(out io.Writer) *Trunk { return &Trunk{out: out} }

func (w *Trunk) isBroken() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.broken
}

func (w *Trunk) breaks() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = true
}

// MediumSend lets everybody go ahead as long as nothing has failed: who comes just before that keeps nobody out.
func (w *Trunk) MediumSend(text string) error {
	if w.isBroken() {
		return errTrunk
	}
	_, err := io.WriteString(w.out, text)
	if errors.Is(err, io.ErrClosedPipe) {
		w.breaks()
		return errTrunk
	}
	return err
}

// HighOnly lets one send, who keeps the others out.
func (w *Trunk) HighOnly(text string) error {
	if w.isBroken() {
		return errTrunk
	}
	w.breaks()
	_, err := io.WriteString(w.out, text)
	return err
}
