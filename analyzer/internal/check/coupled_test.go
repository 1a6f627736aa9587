package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCoupled: a flag that one critical section changes together with a list says what may
// be done to the list. Who lets go of the lock between the two is interrupted, unless he
// looks again; without such a section nobody says that they belong together.
func TestCoupled(t *testing.T) {
	const (
		head = `
type Q struct {
	mu     sync.Mutex
	closed bool
	items  []string
}

func (q *Q) isClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}
`
		add = `
func (q *Q) Add(item string) bool {
	if q.isClosed() {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, item)
	return true
}
`
		addAgain = `
func (q *Q) Add(item string) bool {
	if q.isClosed() {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.items = append(q.items, item)
	return true
}
`
		drain = `
func (q *Q) Close() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	items := q.items
	q.closed, q.items = true, nil
	return items
}
`
		apart = `
func (q *Q) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
}

func (q *Q) Drop() {
	q.mu.Lock()
	q.items = nil
	q.mu.Unlock()
}
`
		counted = `
func (c *C) Add(most int) bool {
	c.mu.Lock()
	errs := c.errs
	c.mu.Unlock()
	if errs > most {
		return false
	}
	c.mu.Lock()
	c.total++
	c.mu.Unlock()
	return true
}

func (c *C) Fail() {
	c.mu.Lock()
	c.total++
	c.errs++
	c.mu.Unlock()
}

type C struct {
	mu          sync.Mutex
	total, errs int
}
`
		gate = `
type G struct {
	mu     sync.Mutex
	shut   bool
	inside int
}

func (g *G) Shut() (left int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = true
	return g.inside
}

func (g *G) Leave() {
	g.mu.Lock()
	g.inside--
	g.mu.Unlock()
}
`
		enter = `
func (g *G) isShut() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shut
}

func (g *G) Enter() bool {
	if g.isShut() {
		return false
	}
	g.mu.Lock()
	g.inside++
	g.mu.Unlock()
	return true
}
`
		enterAtOnce = `
func (g *G) Enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		return false
	}
	g.inside++
	return true
}
`
		gateOf = `
var _ time.Duration

type Drained struct {
	mu       sync.RWMutex
	draining atomic.Bool
	active   atomic.Int64
	done     func()
}

func (d *Drained) leave() { d.active.Add(-1) }
`
		waits = `
func (d *Drained) Shut() {
	d.draining.Store(true)
	for d.active.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	d.done()
}
`
		only = `
func (d *Drained) Shut() { d.draining.Store(true) }

func (d *Drained) Active() int64 { return d.active.Load() }
`
		opens = `
func (d *Drained) Shut() {
	d.draining.Store(false)
	for d.active.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	d.done()
}
`
		asksFirst = `
func (d *Drained) Enter() bool {
	if d.draining.Load() {
		return false
	}
	d.active.Add(1)
	return true
}
`
		countsFirst = `
func (d *Drained) Enter() bool {
	d.active.Add(1)
	if d.draining.Load() {
		d.active.Add(-1)
		return false
	}
	return true
}
`
		asksAgain = `
func (d *Drained) Enter() bool {
	if d.draining.Load() {
		return false
	}
	d.active.Add(1)
	if d.draining.Load() {
		d.active.Add(-1)
		return false
	}
	return true
}
`
		waitsLocked = `
func (d *Drained) Shut() {
	d.mu.Lock()
	d.draining.Store(true)
	d.mu.Unlock()
	for d.active.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	d.done()
}

func (d *Drained) Enter() bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.draining.Load() {
		return false
	}
	d.active.Add(1)
	return true
}
`
		boxes = `
type box struct {
	mu    sync.Mutex
	items []string
}

func (b *box) push(s string) {
	b.mu.Lock()
	b.items = append(b.items, s)
	b.mu.Unlock()
}

func (b *box) pop() (string, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.items) == 0 {
		return "", false
	}
	s := b.items[0]
	b.items = b.items[1:]
	return s, true
}

type D struct {
	handle func(string)
	mu     sync.Mutex
	boxes  map[string]*box
}

func (d *D) Send(to, s string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	b, ok := d.boxes[to]
	if !ok {
		b = new(box)
		d.boxes[to] = b
	}
	b.push(s)
	if !ok {
		go d.drain(to, b)
	}
}
`
		drains = `
func (d *D) drain(to string, b *box) {
	for {
		s, ok := b.pop()
		if !ok {
			break
		}
		d.handle(s)
	}
	d.mu.Lock()
	delete(d.boxes, to)
	d.mu.Unlock()
}
`
		drainsUnderLock = `
func (d *D) drain(to string, b *box) {
	for {
		d.mu.Lock()
		s, ok := b.pop()
		if !ok {
			delete(d.boxes, to)
			d.mu.Unlock()
			return
		}
		d.mu.Unlock()
		d.handle(s)
	}
}
`
	)
	for name, c := range map[string]struct {
		src  string
		want map[string]string
	}{
		"asked where it is set":                         {gate + enter, map[string]string{"(*G).Enter": "violation"}},
		"asked where it is set, looked at there":        {gate + enterAtOnce, map[string]string{}},
		"a list in an entry":                            {boxes + drains, map[string]string{"(*D).drain": "violation"}},
		"a list in an entry, under the lock of the map": {boxes + drainsUnderLock, map[string]string{"(*D).drain": "verified"}},
		"waits for those who are in":                    {gateOf + waits + asksFirst, map[string]string{"(*Drained).Enter": "violation"}},
		"waits, who comes in is counted first":          {gateOf + waits + countsFirst, map[string]string{}},
		"waits, who comes in asks again":                {gateOf + waits + asksAgain, map[string]string{}},
		"waits, under a lock":                           {gateOf + waitsLocked, map[string]string{"(*Drained).Enter": "verified"}},
		"nobody waits":                                  {gateOf + only + asksFirst, map[string]string{}},
		"waits, and lets in":                            {gateOf + opens + asksFirst, map[string]string{}},
		"let go":                                        {head + add + drain, map[string]string{"(*Q).Add": "violation"}},
		"looks again":                                   {head + addAgain + drain, map[string]string{"(*Q).Add": "verified"}},
		"never changed together":                        {head + add + apart, map[string]string{}},
		"counted together":                              {counted, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			src := "package queues\n\nimport \"sync\"\n" + c.src
			if strings.Contains(c.src, "atomic") {
				src = "package queues\n\nimport (\n\"sync\"\n\"sync/atomic\"\n\"time\"\n)\n" + c.src
			}
			assert.Equal(t, c.want, verdicts(New(programs(t, src), Options{}, nil)))
		})
	}
}
