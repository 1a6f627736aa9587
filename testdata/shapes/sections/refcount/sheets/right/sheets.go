// Package sheets keeps sheets open as long as somebody works on them, and a little longer.
package sheets

import (
	"sync"
	"time"
)

// Sheet is open.
type Sheet struct {
	Rows chan string

	mu      sync.Mutex
	editors int
	left    time.Time
}

func (s *Sheet) enter() {
	s.mu.Lock()
	s.editors++
	s.mu.Unlock()
}

// Leave says that one editor is done.
func (s *Sheet) Leave() {
	s.mu.Lock()
	s.editors--
	s.left = time.Now()
	s.mu.Unlock()
}

func (s *Sheet) unused(since time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.editors == 0 && s.left.Before(since)
}

// Desk has the sheets that are open.
type Desk struct {
	mu     sync.Mutex
	sheets map[string]*Sheet
}

// New returns a desk that is tidied again and again.
func New(every time.Duration) *Desk {
	d := &Desk{sheets: map[string]*Sheet{}}
	go func() {
		for range time.Tick(every) {
			d.tidy(every)
		}
	}()
	return d
}

// Edit opens a sheet, or joins those who work on it.
func (d *Desk) Edit(name string) *Sheet {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.sheets[name]
	if !ok {
		s = &Sheet{Rows: make(chan string, 8)}
		d.sheets[name] = s
	}
	s.enter()
	return s
}

func (d *Desk) tidy(every time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, s := range d.sheets {
		if s.unused(time.Now().Add(-every)) {
			delete(d.sheets, name)
			close(s.Rows)
		}
	}
}
