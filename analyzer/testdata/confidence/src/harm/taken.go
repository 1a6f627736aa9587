package harm

import (
	"sync"
	"sync/atomic"
	"time"
)

// Under a key that was drawn nobody puts another entry: who takes it away twice has it twice.

type question struct{ done chan string }

type Asks struct {
	seq     atomic.Uint64
	pending sync.Map // uint64 -> *question
	send    func(seq uint64, text string) error
	receive func() (seq uint64, text string, ok bool)
}

func NewAsks(send func(uint64, string) error, receive func() (uint64, string, bool)) *Asks {
	a := &Asks{send: send, receive: receive}
	go a.read()
	return a
}

func (a *Asks) HighAsk(text string, most time.Duration) string {
	q := &question{done: make(chan string, 1)}
	seq := a.seq.Add(1)
	a.pending.Store(seq, q)
	timer := time.AfterFunc(most, func() { a.finish(seq, "") })
	defer timer.Stop()
	if err := a.send(seq, text); err != nil {
		a.finish(seq, "")
	}
	return <-q.done
}

// finish is called by the timer and by the reader, and both answer.
func (a *Asks) finish(seq uint64, text string) {
	v, ok := a.pending.Load(seq)
	if !ok {
		return
	}
	q := v.(*question)
	a.pending.Delete(seq)
	q.done <- text
	close(q.done)
}

func (a *Asks) read() {
	for {
		seq, text, ok := a.receive()
		if !ok {
			return
		}
		a.finish(seq, text)
	}
}

type Notes struct {
	seq     atomic.Uint64
	pending sync.Map // uint64 -> string
	send    func(seq uint64, text string) error
	receive func() (seq uint64, ok bool)
}

func NewNotes(send func(uint64, string) error, receive func() (uint64, bool)) *Notes {
	n := &Notes{send: send, receive: receive}
	go n.read()
	return n
}

func (n *Notes) Note(text string, most time.Duration) {
	seq := n.seq.Add(1)
	n.pending.Store(seq, text)
	time.AfterFunc(most, func() { n.forget(seq) })
	if n.send(seq, text) != nil {
		n.forget(seq)
	}
}

// forget only forgets it, and that twice is no more than once.
func (n *Notes) forget(seq uint64) bool {
	v, ok := n.pending.Load(seq)
	if !ok {
		return false
	}
	n.pending.Delete(seq)
	return v.(string) != ""
}

func (n *Notes) read() {
	for {
		seq, ok := n.receive()
		if !ok {
			return
		}
		n.forget(seq)
	}
}
