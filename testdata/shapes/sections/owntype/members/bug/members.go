// Package members signs people up: an address can be used once.
package members

import (
	"fmt"
	"sync"
)

// Member is known by the address.
type Member struct{ Name, Address string }

// Book is where members are.
type Book interface {
	Find(address string) (*Member, bool)
	Save(m *Member)
	Insert(m *Member) bool
}

type book struct {
	mu      sync.Mutex
	members map[string]*Member
}

// NewBook is an empty one.
func NewBook() Book { return &book{members: map[string]*Member{}} }

func (b *book) Find(address string) (*Member, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	m, ok := b.members[address]
	return m, ok
}

func (b *book) Save(m *Member) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.members[m.Address] = m
}

func (b *book) Insert(m *Member) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.members[m.Address]; ok {
		return false
	}
	b.members[m.Address] = m
	return true
}

// Club has members.
type Club struct{ book Book }

// Join signs somebody up.
func (c *Club) Join(name, address string) (*Member, error) {
	m := &Member{Name: name, Address: address}
	if _, taken := c.book.Find(address); taken {
		return nil, fmt.Errorf("%s is taken", address)
	}
	c.book.Save(m)
	return m, nil
}
