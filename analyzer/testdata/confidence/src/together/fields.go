package together

import (
	"errors"
	"net"
	"sync"
)

// What a helper looks at under a lock, and sets under the next one.

// lazy has a connection that nobody but HighConnection sets: it would need no lock to look
// there, if one goroutine called it.
type lazy struct {
	addr string

	mu   sync.RWMutex
	conn net.Conn
}

func (l *lazy) HighConnection() (net.Conn, error) {
	l.mu.RLock()
	c := l.conn
	l.mu.RUnlock()
	if c != nil {
		return c, nil
	}
	c, err := net.Dial("tcp", l.addr)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.conn = c
	l.mu.Unlock()
	return c, nil
}

type Lazy struct{ l lazy }

func NewLazy(addr string) *Lazy { return &Lazy{lazy{addr: addr}} }

func (l *Lazy) Ping() error {
	c, err := l.l.HighConnection()
	if err == nil {
		_, err = c.Write([]byte("PING"))
	}
	return err
}

func (l *Lazy) Close() { l.l.close() }

func (l *lazy) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		l.conn.Close()
		l.conn = nil
	}
}

// passed has one that others set as well: the lock may be there for them, and the helper for
// one goroutine.
type passed struct {
	addr string

	mu   sync.RWMutex
	conn net.Conn
}

func (g *passed) MediumConnection() (net.Conn, error) {
	g.mu.RLock()
	c := g.conn
	g.mu.RUnlock()
	if c != nil {
		return c, nil
	}
	c, err := net.Dial("tcp", g.addr)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	g.conn = c
	g.mu.Unlock()
	return c, nil
}

func (g *passed) use(c net.Conn) {
	g.mu.Lock()
	g.conn = c
	g.mu.Unlock()
}

type Passed struct{ p passed }

func NewPassed(addr string) *Passed { return &Passed{passed{addr: addr}} }

func (g *Passed) Use(c net.Conn) { g.p.use(c) }

func (g *Passed) Ping() error {
	c, err := g.p.MediumConnection()
	if err == nil {
		_, err = c.Write([]byte("PING"))
	}
	return err
}

// Accounts are found, or made and put there: who asks for the same name has the same one.
type Accounts struct {
	mu sync.Mutex
	m  map[string]*account
}

type account struct {
	mu      sync.Mutex
	balance int
}

var errFunds = errors.New("insufficient funds")

func (a *Accounts) of(name string) *account {
	a.mu.Lock()
	defer a.mu.Unlock()
	c, ok := a.m[name]
	if !ok {
		c = new(account)
		a.m[name] = c
	}
	return c
}

func (a *Accounts) Deposit(name string, n int) {
	c := a.of(name)
	c.mu.Lock()
	c.balance += n
	c.mu.Unlock()
}

func (a *Accounts) HighWithdraw(name string, n int) error {
	c := a.of(name)
	c.mu.Lock()
	enough := c.balance >= n
	c.mu.Unlock()
	if !enough {
		return errFunds
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.balance -= n
	return nil
}

// Take is in one section.
func (a *Accounts) Take(name string, n int) error {
	c := a.of(name)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.balance < n {
		return errFunds
	}
	c.balance -= n
	return nil
}

// Purses are made anew for each who comes, or found: nobody finds those that are made.
type Purses struct {
	mu sync.Mutex
	m  map[string]*purse
}

type purse struct {
	mu      sync.Mutex
	balance int
}

func (a *Purses) of(name string) *purse {
	a.mu.Lock()
	defer a.mu.Unlock()
	c, ok := a.m[name]
	if !ok {
		c = new(purse)
	}
	return c
}

func (a *Purses) MediumWithdraw(name string, n int) error {
	c := a.of(name)
	c.mu.Lock()
	enough := c.balance >= n
	c.mu.Unlock()
	if !enough {
		return errFunds
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.balance -= n
	return nil
}

func (a *Purses) Deposit(name string, n int) {
	c := a.of(name)
	c.mu.Lock()
	c.balance += n
	c.mu.Unlock()
}
