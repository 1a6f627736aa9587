package harm

import (
	"hash/fnv"
	"io"
	"sync"
	"sync/atomic"
)

// ScoreRecord is what a player has.
type ScoreRecord struct {
	Name   string
	Points int
}

// ScoreBoard has a record for each player, under the name in it.
type ScoreBoard struct {
	mu      sync.Mutex
	records map[string]ScoreRecord
}

func NewScoreBoard() *ScoreBoard { return &ScoreBoard{records: map[string]ScoreRecord{}} }

func (b *ScoreBoard) get(name string) (ScoreRecord, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, ok := b.records[name]
	return r, ok
}

// Put replaces a record.
func (b *ScoreBoard) Put(r ScoreRecord) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.records[r.Name] = r
}

// HighCredit puts back what it has found, with more points.
func (b *ScoreBoard) HighCredit(name string, points int) bool {
	r, ok := b.get(name)
	if ok {
		r.Points += points
		b.Put(r)
	}
	return ok
}

// MediumCopy puts the points of one player under the name of another one.
func (b *ScoreBoard) MediumCopy(from, to string) bool {
	r, ok := b.get(from)
	if ok {
		b.Put(ScoreRecord{to, r.Points})
	}
	return ok
}

// PartLoads has the loads of servers, in one of several parts each.
type PartLoads struct{ parts []*loadPart }

type loadPart struct {
	mu sync.Mutex
	m  map[string]int
}

func NewPartLoads(n int) *PartLoads {
	l := &PartLoads{}
	for range n {
		l.parts = append(l.parts, &loadPart{m: map[string]int{}})
	}
	return l
}

func (l *PartLoads) part(name string) *loadPart {
	h := fnv.New32a()
	io.WriteString(h, name)
	return l.parts[int(h.Sum32())%len(l.parts)]
}

func (l *PartLoads) get(name string) int {
	p := l.part(name)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.m[name]
}

func (l *PartLoads) set(name string, n int) {
	p := l.part(name)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[name] = n
}

// HighAdd adds to what it has found.
func (l *PartLoads) HighAdd(name string, n int) { l.set(name, l.get(name)+n) }

// MediumTwin adds to what another server has.
func (l *PartLoads) MediumTwin(name, other string, n int) { l.set(other, l.get(name)+n) }

// PeerConn is a connection of a peer.
type PeerConn interface{ Close() error }

// PeerTable counts the peers that are there, and Drain waits until there are none.
type PeerTable struct {
	peers sync.Map
	live  atomic.Int64
}

func (t *PeerTable) Connect(id string, c PeerConn) {
	if _, dup := t.peers.LoadOrStore(id, c); !dup {
		t.live.Add(1)
	}
}

func (t *PeerTable) HighDrop(id string, c PeerConn) {
	cur, ok := t.peers.Load(id)
	if !ok || cur.(PeerConn) != c {
		return
	}
	t.peers.Delete(id)
	c.Close()
	t.live.Add(-1)
}

func (t *PeerTable) Drain(wait func()) {
	for t.live.Load() > 0 {
		wait()
	}
}

// PeerList counts them for whoever wants to know.
type PeerList struct {
	peers sync.Map
	live  atomic.Int64
}

func (t *PeerList) Connect(id string, c PeerConn) {
	if _, dup := t.peers.LoadOrStore(id, c); !dup {
		t.live.Add(1)
	}
}

func (t *PeerList) MediumDrop(id string, c PeerConn) {
	cur, ok := t.peers.Load(id)
	if !ok || cur.(PeerConn) != c {
		return
	}
	t.peers.Delete(id)
	c.Close()
	t.live.Add(-1)
}

func (t *PeerList) Live() int64 { return t.live.Load() }
