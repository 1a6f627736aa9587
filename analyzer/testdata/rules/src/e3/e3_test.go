package e3

import "testing"

func TestHidden(t *testing.T) {
	s := shared
	if v, ok := s.m.Load(t.Name()); ok {
		s.m.Store(t.Name(), v.(int)+1)
	}
}
