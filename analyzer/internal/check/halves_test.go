package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// clients have a token for each tenant, which is dropped when it is refused.
const clients = `
type token struct{ n int }

type Client struct {
	call   func(*token) error
	mu     sync.Mutex
	tokens map[string]*token
}

func (c *Client) token(tenant string) *token {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.tokens[tenant]
	if !ok {
		t = &token{}
		c.tokens[tenant] = t
	}
	return t
}
`

// drivers are got from a copy of a list.
const drivers = `
type Driver struct {
	mu   sync.Mutex
	busy bool
}

func (d *Driver) isBusy() bool { d.mu.Lock(); defer d.mu.Unlock(); return d.busy }

type Pool struct{ drivers []*Driver }

func (p *Pool) Done(i int) { d := p.drivers[i]; d.mu.Lock(); d.busy = false; d.mu.Unlock() }
`

// logs begin a file when they are made, and when the one that they have is full.
const logs = `
type Log struct {
	create func() int
	mu     sync.Mutex
	left   int
}

func (l *Log) begin() { l.left = l.create() }

func (l *Log) take() bool { l.mu.Lock(); defer l.mu.Unlock(); l.left--; return l.left > 0 }

func (l *Log) Append() {
	if !l.take() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.begin()
	}
}
`

// TestHalves: the second half of a step is found where it is.
func TestHalves(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want map[string]string
	}{
		"who finds an entry takes it away": {clients + `
func (c *Client) drop(tenant string) { c.mu.Lock(); defer c.mu.Unlock(); delete(c.tokens, tenant) }

func (c *Client) Do(tenant string) {
	if t := c.token(tenant); c.call(t) != nil {
		c.drop(tenant)
	}
}`, map[string]string{"(*Client).Do": "violation"}},
		"who finds an entry takes that away": {clients + `
func (c *Client) drop(tenant string, t *token) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tokens[tenant] == t {
		delete(c.tokens, tenant)
	}
}

func (c *Client) Do(tenant string) {
	if t := c.token(tenant); c.call(t) != nil {
		c.drop(tenant, t)
	}
}`, map[string]string{}},
		"an object of a copied list": {drivers + `
func (d *Driver) take() { d.mu.Lock(); d.busy = true; d.mu.Unlock() }

func (p *Pool) Get() *Driver {
	for _, d := range slices.Clone(p.drivers) {
		if !d.isBusy() {
			d.take()
			return d
		}
	}
	return nil
}`, map[string]string{"(*Pool).Get": "violation"}},
		"an object of a copied list, in one section": {drivers + `
func (d *Driver) take() bool { d.mu.Lock(); defer d.mu.Unlock(); if d.busy { return false }; d.busy = true; return true }

func (p *Pool) Get() *Driver {
	for _, d := range slices.Clone(p.drivers) {
		if !d.isBusy() && d.take() {
			return d
		}
	}
	return nil
}`, map[string]string{"(*Pool).Get": "verified"}},
		"a helper of the constructor": {logs + `
func New(create func() int) *Log {
	l := &Log{create: create}
	l.begin()
	return l
}`, map[string]string{"(*Log).Append": "violation"}},
		"a helper of the constructor, which another one calls": {logs + `
func New(create func() int) *Log {
	l := &Log{}
	l.use(create)
	return l
}

func (l *Log) use(create func() int) {
	l.create = create
	l.begin()
}`, map[string]string{"(*Log).Append": "violation"}},
		"a helper that is called without the lock when others have the object": {logs + `
var all = map[*Log]bool{}

func New(create func() int) *Log {
	l := &Log{create: create}
	all[l] = true
	l.begin()
	return l
}`, map[string]string{}},
		"a helper that a goroutine begins with": {logs + `
func New(create func() int) *Log {
	l := &Log{create: create}
	go l.begin()
	return l
}`, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			src := "package halves\n\nimport \"sync\"\nimport \"slices\"\n\nvar _ = slices.Clone[[]int]\n" + c.src
			assert.Equal(t, c.want, verdicts(New(programs(t, src), Options{}, nil)))
		})
	}
}
