package together

import "sync"

// Totals are sent by one at a time, and anybody adds to them meanwhile, who does not take the lock of that.
type Totals struct {
	sending sync.Mutex
	mu      sync.Mutex
	m       map[string]int64
	send    func(map[string]int64) error
}

func NewTotals(send func(map[string]int64) error) *Totals {
	return &Totals{m: map[string]int64{}, send: send}
}

func (t *Totals) Add(name string, n int64) {
	t.mu.Lock()
	t.m[name] += n
	t.mu.Unlock()
}

func (t *Totals) HighSend() error {
	t.sending.Lock()
	defer t.sending.Unlock()
	t.mu.Lock()
	batch := make(map[string]int64, len(t.m))
	for name, n := range t.m {
		batch[name] = n
	}
	t.mu.Unlock()
	if err := t.send(batch); err != nil {
		return err
	}
	t.mu.Lock()
	clear(t.m)
	t.mu.Unlock()
	return nil
}

// Tides are added to by somebody who takes the lock that sending takes, for something else: perhaps it is
// what keeps him away.
type Tides struct {
	sending sync.Mutex
	mu      sync.Mutex
	m       map[string]int64
	added   int
	send    func(map[string]int64) error
}

func NewTides(send func(map[string]int64) error) *Tides {
	return &Tides{m: map[string]int64{}, send: send}
}

func (t *Tides) Add(name string, n int64) {
	t.sending.Lock()
	t.added++
	t.sending.Unlock()
	t.mu.Lock()
	t.m[name] += n
	t.mu.Unlock()
}

func (t *Tides) MediumSend() error {
	t.sending.Lock()
	defer t.sending.Unlock()
	t.mu.Lock()
	batch := make(map[string]int64, len(t.m))
	for name, n := range t.m {
		batch[name] = n
	}
	t.mu.Unlock()
	if err := t.send(batch); err != nil {
		return err
	}
	t.mu.Lock()
	clear(t.m)
	t.mu.Unlock()
	return nil
}
