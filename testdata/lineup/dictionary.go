package lineup

import "sync"

// Dictionary is a map with a lock for each half of the keys. What concerns
// all keys takes both.
type Dictionary struct {
	stripes [2]stripe
}

type stripe struct {
	mu   sync.RWMutex
	data map[int]int
}

func (d *Dictionary) of(key int) *stripe { return &d.stripes[key/10%2] }

// update runs f on the stripe of a key while nobody else has it.
func (d *Dictionary) update(key int, f func(data map[int]int)) {
	s := d.of(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.data == nil {
		s.data = map[int]int{}
	}
	f(s.data)
}

func (d *Dictionary) Set(key, v int) { d.update(key, func(data map[int]int) { data[key] = v }) }

func (d *Dictionary) TryAdd(key, v int) (added bool) {
	d.update(key, func(data map[int]int) {
		if _, there := data[key]; !there {
			data[key], added = v, true
		}
	})
	return added
}

func (d *Dictionary) TryRemove(key int) (v int, ok bool) {
	d.update(key, func(data map[int]int) {
		v, ok = data[key]
		delete(data, key)
	})
	return v, ok
}

// TryUpdate replaces a value that is as expected.
func (d *Dictionary) TryUpdate(key, expected, v int) (updated bool) {
	d.update(key, func(data map[int]int) {
		if old, there := data[key]; there && old == expected {
			data[key], updated = v, true
		}
	})
	return updated
}

func (d *Dictionary) TryGet(key int) (v int, ok bool) {
	s := d.of(key)
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok = s.data[key]
	return v, ok
}

func (d *Dictionary) ContainsKey(key int) bool {
	_, ok := d.TryGet(key)
	return ok
}

// Count takes all locks, always in the same order.
func (d *Dictionary) Count() (n int) {
	for i := range d.stripes {
		d.stripes[i].mu.RLock()
		defer d.stripes[i].mu.RUnlock()
		n += len(d.stripes[i].data)
	}
	return n
}

func (d *Dictionary) IsEmpty() bool { return d.Count() == 0 }

func (d *Dictionary) Clear() {
	for i := range d.stripes {
		d.stripes[i].mu.Lock()
		defer d.stripes[i].mu.Unlock()
		d.stripes[i].data = nil
	}
}
