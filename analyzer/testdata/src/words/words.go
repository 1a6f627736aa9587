// Package words has functions that are called like those of the language in which
// programs are explored, and are others.
package words

import "sync"

type Stock struct{ counts sync.Map }

func not(count, most int) bool {
	for i := range most {
		count -= 3 * i
	}
	return count > 7
}

func convert(count int) int {
	for i := 0; i < count; i += 2 {
		count -= 3 * i
	}
	return count
}

func (s *Stock) First(name string, count int) bool {
	if _, ok := s.counts.Load(name); ok || not(count, 5) {
		return false
	}
	s.counts.Store(name, convert(count)) // want "lost-update"
	return true
}

func (s *Stock) Once(name string, count int) bool {
	if not(count, 5) {
		return false
	}
	_, ok := s.counts.LoadOrStore(name, convert(count))
	return !ok
}
