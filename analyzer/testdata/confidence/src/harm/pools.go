package harm

import "sync"

// PoolsBySize has a pool for each size.
type PoolsBySize struct{ pools sync.Map }

// MediumBorrow loses a pool of which another one has taken something: that comes back to the one which is there.
func (b *PoolsBySize) MediumBorrow(size int) []byte {
	if p, ok := b.pools.Load(size); ok {
		return p.(*sync.Pool).Get().([]byte)
	}
	p := &sync.Pool{New: func() any { return make([]byte, size) }}
	b.pools.Store(size, p)
	return p.Get().([]byte)
}

func (b *PoolsBySize) Return(buf []byte) {
	if p, ok := b.pools.Load(cap(buf)); ok {
		p.(*sync.Pool).Put(buf)
	}
}

type rack struct {
	mu   sync.Mutex
	free [][]byte
}

func (s *rack) get(size int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		buf := s.free[n-1]
		s.free = s.free[:n-1]
		return buf
	}
	return make([]byte, size)
}

func (s *rack) put(buf []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, buf)
}

// Racks has what nothing but its own lock keeps.
type Racks struct{ pools sync.Map }

// HighBorrow loses rack, with all that somebody gives back to them.
func (b *Racks) HighBorrow(size int) *rack {
	if p, ok := b.pools.Load(size); ok {
		return p.(*rack)
	}
	p := &rack{}
	b.pools.Store(size, p)
	p.put(p.get(size))
	return p
}
