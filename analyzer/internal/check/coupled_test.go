package check

import (
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
	)
	for name, c := range map[string]struct {
		src  string
		want map[string]string
	}{
		"let go":                 {head + add + drain, map[string]string{"(*Q).Add": "violation"}},
		"looks again":            {head + addAgain + drain, map[string]string{"(*Q).Add": "verified"}},
		"never changed together": {head + add + apart, map[string]string{}},
		"counted together":       {counted, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			src := "package queues\n\nimport \"sync\"\n" + c.src
			assert.Equal(t, c.want, verdicts(New(programs(t, src), Options{}, nil)))
		})
	}
}
