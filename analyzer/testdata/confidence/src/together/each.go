package together

import (
	"sync/atomic"
	"time"
)

// lamp has a brightness that follows what is measured.
type lamp struct{ light atomic.Int64 }

// street has lamps, and somebody for each of them.
type street struct {
	lamps []*lamp
	share int64
}

func NewStreet(lamps []*lamp) {
	s := &street{lamps: lamps, share: 4}
	s.watch()
	s.watchFirst()
}

// watch starts a goroutine for each lamp, which nobody else measures.
func (s *street) watch() {
	for i := range s.lamps {
		go s.MediumMeasure(s.lamps[i], time.Second)
	}
}

func (s *street) MediumMeasure(l *lamp, every time.Duration) {
	for {
		time.Sleep(every)
		l.light.Store(l.light.Load() + int64(every)/s.share)
	}
}

// watchFirst starts as many for one lamp.
func (s *street) watchFirst() {
	for range s.lamps {
		go s.HighMeasure(s.lamps[0], time.Second)
	}
}

func (s *street) HighMeasure(l *lamp, every time.Duration) {
	for {
		time.Sleep(every)
		l.light.Store(l.light.Load() + int64(every)/s.share)
	}
}
