package harm

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Who comes to a section again in a later round has let its lock go in between, whatever else is held there.

type parcel struct{ to string }

type Depot struct {
	mu    sync.Mutex
	cond  *sync.Cond
	queue []*parcel
	ended bool
	by    Carrier
}

type Carrier interface {
	Bring(ctx context.Context, p *parcel) error
}

func NewDepot(by Carrier) *Depot {
	d := &Depot{by: by}
	d.cond = sync.NewCond(&d.mu)
	return d
}

func (d *Depot) Add(p *parcel) {
	d.mu.Lock()
	d.queue = append(d.queue, p)
	d.mu.Unlock()
	d.cond.Signal()
}

func (d *Depot) first() *parcel {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.queue) == 0 && !d.ended {
		d.cond.Wait()
	}
	if d.ended {
		return nil
	}
	return d.queue[0]
}

func (d *Depot) drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.queue) > 0 {
		d.queue = d.queue[1:]
	}
}

// HighRun has several that bring the same one, and drop another.
func (d *Depot) HighRun(ctx context.Context, n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { d.each(ctx) })
	}
	stop := context.AfterFunc(ctx, func() {
		d.mu.Lock()
		d.ended = true
		d.mu.Unlock()
		d.cond.Broadcast()
	})
	defer stop()
	wg.Wait()
}

func (d *Depot) each(ctx context.Context) {
	for {
		p := d.first()
		if p == nil {
			return
		}
		if err := d.by.Bring(ctx, p); err != nil {
			slog.Warn("not brought", "to", p.to, "err", err)
			time.Sleep(time.Second)
			continue
		}
		d.drop()
	}
}

// Shed is one of which each takes what it brings: nothing is to be said of it.
type Shed struct {
	mu    sync.Mutex
	cond  *sync.Cond
	queue []*parcel
	by    Carrier
}

func NewShed(by Carrier) *Shed {
	s := &Shed{by: by}
	s.cond = sync.NewCond(&s.mu)
	return s
}

func (s *Shed) Add(p *parcel) {
	s.mu.Lock()
	s.queue = append(s.queue, p)
	s.mu.Unlock()
	s.cond.Signal()
}

func (s *Shed) take() *parcel {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) == 0 {
		s.cond.Wait()
	}
	p := s.queue[0]
	s.queue = s.queue[1:]
	return p
}

// MediumRun takes it at once.
func (s *Shed) MediumRun(ctx context.Context, n int) {
	for range n {
		go func() {
			for {
				if p := s.take(); s.by.Bring(ctx, p) != nil {
					s.Add(p)
				}
			}
		}()
	}
}
