package keys

import "sync"

// Slots have an owner each, or none.
type Slots struct{ owners sync.Map }

func (s *Slots) Open(slot int) { s.owners.Store(slot, "") }

func (s *Slots) Leave(member string) {
	s.owners.Range(func(slot, _ any) bool {
		s.owners.CompareAndSwap(slot, member, "")
		return true
	})
}

// Take is given a slot that somebody else has taken since the look over all of them.
func (s *Slots) Take(member string) (int, bool) {
	slot, found := 0, false
	s.owners.Range(func(k, v any) bool {
		if v.(string) == "" {
			slot, found = k.(int), true
		}
		return !found
	})
	if found {
		s.owners.Store(slot, member) // want "lost-update"
	}
	return slot, found
}

// Claim finds out whether it has come too late.
func (s *Slots) Claim(member string) (int, bool) {
	slot, found := 0, false
	s.owners.Range(func(k, v any) bool {
		if v.(string) == "" {
			slot, found = k.(int), true
		}
		return !found
	})
	if found {
		found = s.owners.CompareAndSwap(slot, "", member)
	}
	return slot, found
}
