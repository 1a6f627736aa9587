// Package e55: it comes after the object was closed, and its goroutines were waited for.
package e55

import (
	"net/http"
	"sync"
)

type part struct {
	mu    sync.Mutex
	lines []string
}

func (p *part) add(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, line)
}

// Table gathers parts, and writes them.
type Table struct {
	mu     sync.Mutex
	parts  []*part
	closed []*part
	waited []*part
	stop   chan struct{}
	wg     sync.WaitGroup
	write  func([]*part)
}

// Open starts those who work with it.
func Open(workers int) *Table {
	t := &Table{stop: make(chan struct{})}
	for range workers {
		t.wg.Add(1)
		go t.work()
	}
	return t
}

func (t *Table) work() {
	defer t.wg.Done()
	for {
		select {
		case <-t.stop:
			return
		default:
			t.gather(&part{})
		}
	}
}

func (t *Table) gather(p *part) {
	p.add("")
	t.mu.Lock()
	t.parts = append(t.parts, p)
	t.closed = append(t.closed, p)
	t.waited = append(t.waited, p)
	t.mu.Unlock()
}

func (t *Table) ServeHTTP(http.ResponseWriter, *http.Request) {
	t.gather(&part{})
}

// HiddenClose writes what is left at the end.
func (t *Table) HiddenClose() {
	close(t.stop)
	t.wg.Wait()
	t.mu.Lock()
	parts := t.closed
	t.mu.Unlock()
	t.write(parts)
	t.mu.Lock()
	t.closed = nil
	t.mu.Unlock()
}

// ShownWait waits for those who are at it, and others come.
func (t *Table) ShownWait() {
	t.wg.Wait()
	t.mu.Lock()
	parts := t.waited
	t.mu.Unlock()
	t.write(parts)
	t.mu.Lock()
	t.waited = nil
	t.mu.Unlock()
}

// Shown writes what there is, and loses what comes meanwhile.
func (t *Table) Shown() {
	t.mu.Lock()
	parts := t.parts
	t.mu.Unlock()
	t.write(parts)
	t.mu.Lock()
	t.parts = nil
	t.mu.Unlock()
}
