package lineup

import (
	"errors"
	"sync"
)

// ErrNoParticipant says that a Barrier has nobody left to remove.
var ErrNoParticipant = errors.New("no participant")

// Barrier holds everybody until all have come. It is right, and not
// linearizable by intention (root cause L): that two calls pass only together
// is nothing that a serial execution can show.
//
//	SignalAndWait() | SignalAndWait()
type Barrier struct {
	mu           sync.Mutex
	passed       sync.Cond
	participants int
	remaining    int
	phase        int
}

// NewBarrier makes a barrier for two.
func NewBarrier() *Barrier {
	b := &Barrier{participants: 2, remaining: 2}
	b.passed.L = &b.mu
	return b
}

func (b *Barrier) SignalAndWait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	phase := b.phase
	b.remaining--
	b.pass()
	for b.phase == phase {
		b.passed.Wait()
	}
}

// pass needs the lock. It starts the next phase if nobody is missing.
func (b *Barrier) pass() {
	if b.remaining == 0 {
		b.phase++
		b.remaining = b.participants
		b.passed.Broadcast()
	}
}

func (b *Barrier) AddParticipant() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.participants++
	b.remaining++
}

func (b *Barrier) RemoveParticipant() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.participants == 0 {
		return ErrNoParticipant
	}
	b.participants--
	b.remaining--
	b.pass()
	return nil
}

func (b *Barrier) ParticipantsRemaining() int { return b.look(&b.remaining) }
func (b *Barrier) ParticipantCount() int      { return b.look(&b.participants) }
func (b *Barrier) CurrentPhaseNumber() int    { return b.look(&b.phase) }

func (b *Barrier) look(n *int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return *n
}
