// Package accessorlib has types whose cells other packages reach through methods
// only.
package accessorlib

import (
	"sync"
	"sync/atomic"
)

// Block remembers its hash.
type Block struct {
	head [4]byte
	hash atomic.Pointer[[4]byte]
}

func (b *Block) Hash() [4]byte {
	if h := b.hash.Load(); h != nil {
		return *h
	}
	h := sum(b.head)
	b.hash.Store(&h)
	return h
}

func sum(head [4]byte) [4]byte {
	head[0]++
	return head
}

// Chain has a mark that is set along with other things.
type Chain struct {
	final  atomic.Pointer[Block]
	notify func(*Block)
}

func (c *Chain) Final() *Block { return c.final.Load() }

func (c *Chain) SetFinal(b *Block) {
	c.final.Store(b)
	c.notify(b)
}

// Gauge is an atomic under another name.
type Gauge struct{ v atomic.Int64 }

func (g *Gauge) Get() int64  { return g.v.Load() }
func (g *Gauge) Set(n int64) { g.v.Store(n) }

// Names is a typed map.
type Names struct {
	m       sync.Map
	changed func(string)
}

func (n *Names) Get(id string) (string, bool) {
	v, ok := n.m.Load(id)
	if !ok {
		return "", false
	}
	return v.(string), true
}

func (n *Names) Set(id, name string) {
	n.m.Store(id, name)
	n.changed(id)
}

// GetOrSet is a step by itself.
func (n *Names) GetOrSet(id, name string) string {
	if v, ok := n.m.Load(id); ok {
		return v.(string)
	}
	v, _ := n.m.LoadOrStore(id, name)
	return v.(string)
}

// Log is where Logger writes to.
type Log struct{ lines chan string }

func (l *Log) Print(line string) { l.lines <- line }

var (
	logger   atomic.Value // *Log
	loggerMu sync.Mutex
)

// Logger is the one of the process.
func Logger() *Log {
	if l, ok := logger.Load().(*Log); ok {
		return l
	}
	loggerMu.Lock()
	defer loggerMu.Unlock()
	if l, ok := logger.Load().(*Log); ok {
		return l
	}
	l := &Log{lines: make(chan string, 100)}
	logger.Store(l)
	return l
}
