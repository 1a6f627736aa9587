package sections

import (
	"hash/fnv"
	"sync"
)

func place(key string, n int) int {
	h := fnv.New32a()
	h.Write([]byte(key))
	return int(h.Sum32()) % n
}

type file struct {
	path    string
	written int
}

// Stripes has locks in one array, and what they guard in another one.
type Stripes struct {
	locks  [16]sync.Mutex
	tables [16]map[string]*file
}

func NewStripes() *Stripes {
	s := new(Stripes)
	for i := range s.tables {
		s.tables[i] = map[string]*file{}
	}
	return s
}

func (s *Stripes) Torn(path string, n int) {
	i := place(path, len(s.locks))
	s.locks[i].Lock()
	f := s.tables[i][path]
	s.locks[i].Unlock()
	if f == nil {
		f = &file{path: path}
		s.locks[i].Lock()
		s.tables[i][path] = f // want "lost-update"
		s.locks[i].Unlock()
	}
	s.locks[i].Lock()
	f.written += n
	s.locks[i].Unlock()
}

func (s *Stripes) Whole(path string, n int) {
	i := place(path, len(s.locks))
	s.locks[i].Lock()
	defer s.locks[i].Unlock()
	f := s.tables[i][path]
	if f == nil {
		f = &file{path: path}
		s.tables[i][path] = f
	}
	f.written += n
}

// Parts has both in one, in a slice that is made in a loop, and each method finds its part by
// itself.
type Parts struct {
	parts []part
}

type part struct {
	sync.Mutex
	counts map[string]int
}

func NewParts(n int) *Parts {
	p := &Parts{parts: make([]part, n)}
	for i := range p.parts {
		p.parts[i].counts = map[string]int{}
	}
	return p
}

func (p *Parts) of(name string) *part { return &p.parts[place(name, len(p.parts))] }

func (p *Parts) Get(name string) int {
	q := p.of(name)
	q.Lock()
	defer q.Unlock()
	return q.counts[name]
}

func (p *Parts) Set(name string, n int) {
	q := p.of(name)
	q.Lock()
	defer q.Unlock()
	q.counts[name] = n
}

func (p *Parts) Torn(name string, n int) {
	p.Set(name, p.Get(name)+n) // want "lost-update"
}

func (p *Parts) Whole(name string, n int) {
	q := p.of(name)
	q.Lock()
	defer q.Unlock()
	q.counts[name] += n
}

// Direct writes the place of the part each time.
type Direct struct {
	parts [8]struct {
		mu    sync.RWMutex
		files map[string]*file
	}
}

func (d *Direct) Torn(path string) *file {
	i := place(path, len(d.parts))
	d.parts[i].mu.RLock()
	f := d.parts[i].files[path]
	d.parts[i].mu.RUnlock()
	if f == nil {
		f = &file{path: path}
		d.parts[i].mu.Lock()
		d.parts[i].files[path] = f // want "lost-update"
		d.parts[i].mu.Unlock()
	}
	return f
}

func (d *Direct) Looked(path string) *file {
	i := place(path, len(d.parts))
	d.parts[i].mu.RLock()
	f := d.parts[i].files[path]
	d.parts[i].mu.RUnlock()
	if f != nil {
		return f
	}
	d.parts[i].mu.Lock()
	defer d.parts[i].mu.Unlock()
	if f = d.parts[i].files[path]; f == nil {
		f = &file{path: path}
		d.parts[i].files[path] = f
	}
	return f
}

func (d *Direct) Write(path string, n int) {
	i := place(path, len(d.parts))
	d.parts[i].mu.Lock()
	defer d.parts[i].mu.Unlock()
	if f := d.parts[i].files[path]; f != nil {
		f.written += n
	}
}
