package harm

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
)

type mount struct {
	name string
	refs atomic.Int32
}

// Mounts are counted by an atomic: up under the lock, and down without.
type Mounts struct {
	mu sync.Mutex
	of map[string]*mount
}

func NewMounts() *Mounts { return &Mounts{of: map[string]*mount{}} }

func (m *Mounts) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	defer m.HighRelease(m.acquire(r.Host))
}

func (m *Mounts) acquire(name string) *mount {
	m.mu.Lock()
	defer m.mu.Unlock()
	mt, ok := m.of[name]
	if !ok {
		mt = &mount{name: name}
		m.of[name] = mt
	}
	mt.refs.Add(1)
	return mt
}

// HighRelease takes away what somebody has counted himself in for since.
func (m *Mounts) HighRelease(mt *mount) {
	if mt.refs.Add(-1) > 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.of, mt.name)
}

type volume struct {
	name string
	refs atomic.Int32
}

// Volumes are counted under the lock, and looked at again before one is taken away.
type Volumes struct {
	mu sync.Mutex
	of map[string]*volume
}

func NewVolumes() *Volumes { return &Volumes{of: map[string]*volume{}} }

func (m *Volumes) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	defer m.MediumRelease(m.acquire(r.Host))
}

func (m *Volumes) acquire(name string) *volume {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.of[name]
	if !ok {
		v = &volume{name: name}
		m.of[name] = v
	}
	v.refs.Add(1)
	return v
}

// MediumRelease takes away what nobody uses then.
func (m *Volumes) MediumRelease(v *volume) {
	if v.refs.Add(-1) > 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if v.refs.Load() == 0 && m.of[v.name] == v {
		delete(m.of, v.name)
	}
}

type pin struct {
	name string
	used atomic.Int64
}

// Pins say when they were used last: that may have been a little later.
type Pins struct {
	mu sync.Mutex
	of map[string]*pin
}

func NewPins() *Pins { return &Pins{of: map[string]*pin{}} }

func (p *Pins) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	p.use(r.Host, r.ContentLength)
	p.MediumDrop(&pin{name: r.Host}, r.ContentLength)
}

func (p *Pins) use(name string, now int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, ok := p.of[name]
	if !ok {
		n = &pin{name: name}
		p.of[name] = n
	}
	n.used.Store(now)
}

func (p *Pins) MediumDrop(n *pin, before int64) {
	if n.used.Load() > before {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.of, n.name)
}

// Files are taken away while they are open, once nobody has one any more.
type Files struct {
	mu     sync.Mutex
	of     map[string]*volume
	remove func(string)
}

func NewFiles(remove func(string)) *Files {
	return &Files{of: map[string]*volume{}, remove: remove}
}

func (f *Files) Open(name string) *volume {
	f.mu.Lock()
	defer f.mu.Unlock()
	v, ok := f.of[name]
	if !ok {
		v = &volume{name: name}
		f.of[name] = v
	}
	v.refs.Add(1)
	return v
}

// MediumShut asks again under the lock.
func (f *Files) MediumShut(v *volume) {
	if v.refs.Add(-1) > 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if v.refs.Load() > 0 {
		return
	}
	delete(f.of, v.name)
	f.remove(v.name)
}

type shard struct {
	name string
	refs atomic.Int32
}

// use counts nobody in any more once nobody is left.
func (s *shard) use() bool {
	for {
		n := s.refs.Load()
		if n < 0 {
			return false
		}
		if s.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Shards are taken away by who has closed one, and another one is put there if that is met before.
type Shards struct {
	mu sync.Mutex
	of map[string]*shard
}

func NewShards() *Shards { return &Shards{of: map[string]*shard{}} }

func (s *Shards) Open(name string) *shard {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.of[name]; h != nil && h.use() {
		return h
	}
	h := &shard{name: name}
	s.of[name] = h
	return h
}

// MediumShut takes it away once it is closed for ever.
func (s *Shards) MediumShut(h *shard) {
	if h.refs.Add(-1) >= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[h.name] == h {
		delete(s.of, h.name)
	}
}

// Slots are for those who fetch something.
type Slots struct {
	mu    sync.Mutex
	max   int
	taken map[string]int
	fetch func(string) error
}

func NewSlots(max int, fetch func(string) error) *Slots {
	return &Slots{max: max, taken: map[string]int{}, fetch: fetch}
}

func (s *Slots) used(host string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken[host]
}

func (s *Slots) add(host string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken[host] += n
}

// HighFetch goes on where another one should have been told that there is none left.
func (s *Slots) HighFetch(host string) error {
	if s.used(host) >= s.max {
		return errSpent
	}
	s.add(host, 1)
	defer s.add(host, -1)
	if err := s.fetch(host); err != nil {
		return err
	}
	return s.fetch(host + "/more")
}

// MediumFetch tells nobody that there is none left.
func (s *Slots) MediumFetch(host string) error {
	if s.used(host) >= s.max {
		return nil
	}
	s.add(host, 1)
	defer s.add(host, -1)
	if err := s.fetch(host); err != nil {
		return err
	}
	return s.fetch(host + "/more")
}

// Blobs are kept while a tag names them.
type Blobs struct {
	mu    sync.Mutex
	data  map[string][]byte
	tags  map[string]string
	sizes map[string]int
}

func NewBlobs() *Blobs {
	return &Blobs{data: map[string][]byte{}, tags: map[string]string{}, sizes: map[string]int{}}
}

func (b *Blobs) Put(digest string, data []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.data[digest] = data
}

func (b *Blobs) Has(digest string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, ok := b.data[digest]
	return ok
}

// Collect keeps what a tag names.
func (b *Blobs) Collect() {
	b.mu.Lock()
	defer b.mu.Unlock()
	used := map[string]bool{}
	for _, digest := range b.tags {
		used[digest] = true
	}
	for digest := range b.data {
		if !used[digest] {
			delete(b.data, digest)
		}
	}
}

// HighTag names one that may have been collected.
func (b *Blobs) HighTag(tag, digest string) bool {
	if !b.Has(digest) {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tags[tag] = digest
	return true
}

// MediumSize names none.
func (b *Blobs) MediumSize(digest string, n int) bool {
	if !b.Has(digest) {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sizes[digest] = n
	return true
}

type way struct{ hits, slow, worst atomic.Int64 }

func (r *way) observe(took int64) {
	r.hits.Add(1)
	if took > 1000 {
		r.slow.Add(1)
	}
	if took > r.worst.Load() {
		r.worst.Store(took)
	}
}

// Ways has figures that are shown on a page.
type Ways struct{ of sync.Map }

// MediumOf loses some of them.
func (rs *Ways) MediumOf(r *http.Request) *way {
	if v, ok := rs.of.Load(r.Pattern); ok {
		return v.(*way)
	}
	made := &way{}
	rs.of.Store(r.Pattern, made)
	made.observe(1)
	return made
}

func (rs *Ways) Show(w http.ResponseWriter, r *http.Request) {
	if v, ok := rs.of.Load(r.Pattern); ok {
		of := v.(*way)
		fmt.Fprintf(w, "%d hits, %d slow, the slowest %d\n", of.hits.Load(), of.slow.Load(), of.worst.Load())
	}
}

type partner struct{ failures atomic.Int64 }

// Partners has figures that somebody goes by.
type Partners struct{ of sync.Map }

// HighOf loses some of them.
func (h *Partners) HighOf(r *http.Request) *partner {
	if v, ok := h.of.Load(r.Host); ok {
		return v.(*partner)
	}
	made := &partner{}
	h.of.Store(r.Host, made)
	made.failures.Add(1)
	return made
}

func (h *Partners) Blocked(r *http.Request) bool {
	v, ok := h.of.Load(r.Host)
	return ok && v.(*partner).failures.Load() > 3
}

type tenant struct {
	name string
	mu   sync.Mutex
	refs int
}

// Tenants are counted under a lock of their own, and taken away by the last who leaves.
type Tenants struct {
	mu sync.Mutex
	of map[string]*tenant
}

func NewTenants() *Tenants { return &Tenants{of: map[string]*tenant{}} }

func (t *Tenants) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	defer t.leave(t.HighEnter(r.Host))
}

func (t *Tenants) find(name string) *tenant {
	t.mu.Lock()
	defer t.mu.Unlock()
	tn, ok := t.of[name]
	if !ok {
		tn = &tenant{name: name}
		t.of[name] = tn
	}
	return tn
}

// HighEnter counts itself in for one that may have been taken away since.
func (t *Tenants) HighEnter(name string) *tenant {
	tn := t.find(name)
	tn.mu.Lock()
	tn.refs++
	tn.mu.Unlock()
	return tn
}

func (t *Tenants) leave(tn *tenant) {
	tn.mu.Lock()
	tn.refs--
	last := tn.refs == 0
	tn.mu.Unlock()
	if last {
		t.mu.Lock()
		delete(t.of, tn.name)
		t.mu.Unlock()
	}
}

type trunk struct {
	users atomic.Int32
	out   chan string
}

// Trunks are counted by an atomic, and taken away when nobody uses them.
type Trunks struct {
	mu sync.Mutex
	of map[string]*trunk
}

func NewTrunks() *Trunks { return &Trunks{of: map[string]*trunk{}} }

func (l *Trunks) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	defer l.HighUse(r.Host).users.Add(-1)
	l.retire()
}

func (l *Trunks) find(name string) *trunk {
	l.mu.Lock()
	defer l.mu.Unlock()
	ln, ok := l.of[name]
	if !ok {
		ln = &trunk{out: make(chan string, 1)}
		l.of[name] = ln
	}
	return ln
}

// HighUse counts itself in once somebody may have taken the line away.
func (l *Trunks) HighUse(name string) *trunk {
	ln := l.find(name)
	ln.users.Add(1)
	return ln
}

func (l *Trunks) retire() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, ln := range l.of {
		if ln.users.Load() == 0 {
			delete(l.of, name)
			close(ln.out)
		}
	}
}
