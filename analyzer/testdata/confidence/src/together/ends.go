package together

import (
	"io"
	"net"
	"sync/atomic"
)

// Link is copied in both directions, by one goroutine each.
type Link struct {
	near, far net.Conn
	closed    atomic.Bool
	done      chan struct{}
}

func NewLink(near, far net.Conn) *Link {
	l := &Link{near: near, far: far, done: make(chan struct{})}
	go l.copy(near, far)
	go l.copy(far, near)
	return l
}

func (l *Link) copy(dst io.Writer, src io.Reader) {
	defer l.HighClose()
	_, _ = io.Copy(dst, src)
}

// HighClose can be called by both at once.
func (l *Link) HighClose() {
	if l.closed.Load() {
		return
	}
	l.closed.Store(true)
	close(l.done)
}

// feed is read by one goroutine, and what it reads is written by another one.
type feed struct {
	from   net.Conn
	lines  chan []byte
	closed atomic.Bool
	done   chan struct{}
}

func newFeed(from net.Conn) *feed {
	f := &feed{from: from, lines: make(chan []byte), done: make(chan struct{})}
	go f.read()
	go f.write()
	return f
}

func (f *feed) read() {
	defer f.MediumClose()
	for {
		line := make([]byte, 80)
		if _, err := f.from.Read(line); err != nil {
			return
		}
		f.lines <- line
	}
}

func (f *feed) write() {
	for line := range f.lines {
		_, _ = f.from.Write(line)
	}
}

// MediumClose is called by the one who reads.
func (f *feed) MediumClose() {
	if f.closed.Load() {
		return
	}
	f.closed.Store(true)
	close(f.done)
}

func ServeFeed(from net.Conn) { <-newFeed(from).done }
