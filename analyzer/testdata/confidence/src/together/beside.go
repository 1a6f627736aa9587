package together

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// TopicHub has topics, which are made when somebody first asks for them, and a lock in each.
type TopicHub struct{ topics sync.Map }

type hubTopic struct {
	mu   sync.Mutex
	next int
	subs map[int]chan string
}

func (h *TopicHub) highTopic(name string) *hubTopic {
	if t, ok := h.topics.Load(name); ok {
		return t.(*hubTopic)
	}
	t := &hubTopic{subs: map[int]chan string{}}
	h.topics.Store(name, t)
	return t
}

// Subscribe takes the lock of what it has got, and so does what it returns.
func (h *TopicHub) Subscribe(name string) (<-chan string, func()) {
	t := h.highTopic(name)
	ch := make(chan string)
	t.mu.Lock()
	id := t.next
	t.next++
	t.subs[id] = ch
	t.mu.Unlock()
	return ch, func() {
		t.mu.Lock()
		delete(t.subs, id)
		t.mu.Unlock()
	}
}

// lockedTopics is one of which all who ask for a hubTopic hold a lock, by a literal of their own.
type lockedTopics struct {
	mu     sync.Mutex
	topics sync.Map
}

func (h *lockedTopics) MediumTopic(name string) *hubTopic {
	if t, ok := h.topics.Load(name); ok {
		return t.(*hubTopic)
	}
	t := &hubTopic{subs: map[int]chan string{}}
	h.topics.Store(name, t)
	return t
}

type LockedTopics struct{ h lockedTopics }

func (l *LockedTopics) Subscribe(name string) chan string {
	enter := func() func() { l.h.mu.Lock(); return l.h.mu.Unlock }
	defer enter()()
	t := l.h.MediumTopic(name)
	ch := make(chan string)
	t.subs[len(t.subs)] = ch
	return ch
}

// PumpFeed is closed by whoever comes first: the goroutine that reads, or who has opened it.
type PumpFeed struct {
	read   func() error
	quit   chan struct{}
	closed atomic.Bool
}

func OpenPumpFeed(read func() error) *PumpFeed {
	f := &PumpFeed{read: read, quit: make(chan struct{})}
	go f.pump()
	return f
}

func (f *PumpFeed) pump() {
	defer f.HighClose()
	for f.read() == nil {
	}
}

func (f *PumpFeed) HighClose() {
	if f.closed.Load() {
		return
	}
	f.closed.Store(true)
	close(f.quit)
}

func (f *PumpFeed) Closed() bool { return f.closed.Load() }

// Reel is closed by who has opened it.
type Reel struct {
	quit   chan struct{}
	closed atomic.Bool
}

func OpenReel() *Reel { return &Reel{quit: make(chan struct{})} }

func (f *Reel) MediumClose() {
	if f.closed.Load() {
		return
	}
	f.closed.Store(true)
	close(f.quit)
}

func (f *Reel) Closed() bool { return f.closed.Load() }

type ticking struct {
	every time.Duration
	stop  context.CancelFunc
}

// TickReporter has a ticking, which Stop takes away from whoever else does.
type TickReporter struct{ cur atomic.Pointer[ticking] }

func (r *TickReporter) HighConfigure(every time.Duration, stop func()) {
	old := r.cur.Load()
	r.cur.Store(&ticking{every, stop})
	if old != nil {
		old.stop()
	}
}

func (r *TickReporter) Stop() {
	if w := r.cur.Swap(nil); w != nil {
		w.stop()
	}
}

func (r *TickReporter) Every() time.Duration {
	if w := r.cur.Load(); w != nil {
		return w.every
	}
	return 0
}

// TickTicker is the same, and Stop expects nobody.
type TickTicker struct{ cur atomic.Pointer[ticking] }

func (r *TickTicker) MediumConfigure(every time.Duration, stop func()) {
	old := r.cur.Load()
	r.cur.Store(&ticking{every, stop})
	if old != nil {
		old.stop()
	}
}

func (r *TickTicker) Stop() {
	if w := r.cur.Load(); w != nil {
		w.stop()
	}
	r.cur.Store(nil)
}

func (r *TickTicker) Every() time.Duration {
	if w := r.cur.Load(); w != nil {
		return w.every
	}
	return 0
}

var errTripped = errors.New("open")

// TripSwitch is used by Do only, so that its lock keeps calls of Do apart.
type TripSwitch struct {
	mu    sync.Mutex
	state int
}

func (s *TripSwitch) current() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

func (s *TripSwitch) to(next int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = next
}

func (s *TripSwitch) highAdmit() (probe bool, err error) {
	switch s.current() {
	case 0:
		return false, nil
	case 1:
		s.to(2)
		return true, nil
	}
	return false, errTripped
}

func (s *TripSwitch) settle(probe, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !ok:
		s.state = 1
	case probe:
		s.state = 0
	}
}

func (s *TripSwitch) Do(fn func() error) error {
	probe, err := s.highAdmit()
	if err != nil {
		return err
	}
	err = fn()
	s.settle(probe, err == nil)
	return err
}

// shownGate has its lock for those who look.
type shownGate struct {
	mu    sync.Mutex
	state int
}

func (s *shownGate) current() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

func (s *shownGate) to(next int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = next
}

func (s *shownGate) MediumAdmit() (probe bool, err error) {
	switch s.current() {
	case 0:
		return false, nil
	case 1:
		s.to(2)
		return true, nil
	}
	return false, errTripped
}

func (s *shownGate) settle(probe, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !ok:
		s.state = 1
	case probe:
		s.state = 0
	}
}

// ShownGate is a switch that anybody may look at.
type ShownGate struct{ s shownGate }

func (s *ShownGate) Do(fn func() error) error {
	probe, err := s.s.MediumAdmit()
	if err != nil {
		return err
	}
	err = fn()
	s.s.settle(probe, err == nil)
	return err
}

func (s *ShownGate) State() int { return s.s.current() }

// AskWire has what comes back for a question.
type AskWire interface {
	Write(id uint64, body []byte) error
	Read() (id uint64, body []byte, err error)
}

// AskClient has a question answered once, or given up.
type AskClient struct {
	wire  AskWire
	last  atomic.Uint64
	calls sync.Map
}

type question struct {
	timer atomic.Pointer[time.Timer]
	done  func([]byte, error)
}

func (c *AskClient) HighAsk(body []byte, done func([]byte, error)) error {
	id := c.last.Add(1)
	q := &question{done: done}
	c.calls.Store(id, q)
	if err := c.wire.Write(id, body); err != nil {
		return err
	}
	q.timer.Store(time.AfterFunc(time.Second, func() { c.finish(id, nil, errTripped) }))
	return nil
}

func (c *AskClient) finish(id uint64, body []byte, err error) {
	v, ok := c.calls.Load(id)
	if !ok {
		return
	}
	c.calls.Delete(id)
	q := v.(*question)
	if t := q.timer.Load(); t != nil {
		t.Stop()
	}
	q.done(body, err)
}

func (c *AskClient) Run() error {
	for {
		id, body, err := c.wire.Read()
		if err != nil {
			return err
		}
		c.finish(id, body, nil)
	}
}
