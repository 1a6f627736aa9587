// Package clubs has members in clubs.
package clubs

import "sync"

// Member is in some clubs.
type Member struct{ Mail chan string }

type club struct {
	mu      sync.Mutex
	members map[*Member]bool
}

func (c *club) add(m *Member) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.members[m] = true
}

func (c *club) remove(m *Member) (left int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.members, m)
	return len(c.members)
}

func (c *club) tell(news string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for m := range c.members {
		select {
		case m.Mail <- news:
		default:
		}
	}
	return len(c.members)
}

// Town has the clubs in which somebody is.
type Town struct{ clubs sync.Map }

// Join makes somebody a member of a club.
func (t *Town) Join(name string, m *Member) {
	v, ok := t.clubs.Load(name)
	if !ok {
		v, _ = t.clubs.LoadOrStore(name, &club{members: map[*Member]bool{}})
	}
	v.(*club).add(m)
}

// Leave is for who is no member any more; the last one closes the club.
func (t *Town) Leave(name string, m *Member) {
	v, ok := t.clubs.Load(name)
	if ok && v.(*club).remove(m) == 0 {
		t.clubs.CompareAndDelete(name, v)
	}
}

// Tell gives all of a club some news, and says how many they are.
func (t *Town) Tell(name, news string) int {
	v, ok := t.clubs.Load(name)
	if !ok {
		return 0
	}
	return v.(*club).tell(news)
}
