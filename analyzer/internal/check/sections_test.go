package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint"
)

const lists = `package lists

import (
	"sync"
	"sync/atomic"
)

type list struct {
	size int64
	ids  *sync.Map
	mu   *sync.RWMutex
}

type store struct {
	mu    sync.RWMutex
	lists map[string]*list
}

func (l *list) grow(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range []byte(text) {
		_ = text[c:]
	}
	atomic.AddInt64(&l.size, 1)
}

func (s *store) each(name string) {
	s.mu.RLock()
	l := s.lists[name]
	s.mu.RUnlock()
	l.mu.Lock()
	l.ids.Range(func(key, value any) bool { return true })
	l.mu.Unlock()
}

func (s *store) Grow(name, text string) {
	s.mu.RLock()
	l := s.lists[name]
	s.mu.RUnlock()
	if l == nil {
		l = &list{ids: &sync.Map{}, mu: &sync.RWMutex{}}
		s.mu.Lock()
		s.lists[name] = l
		s.mu.Unlock()
	}
	go l.grow(text)
}
`

// TestSections: an operation that is a step by itself, as an addition to an atomic is, may be the
// last thing before a lock is let go, or the first after it is taken. It is no section of that lock.
func TestSections(t *testing.T) {
	all := New(programs(t, lists), Options{}, nil).Extensions()
	require.Len(t, all, 1)
	assert.Equal(t, absint.Violation, all[0].Verdict, all[0].Reason)
	held := strings.NewReplacer(
		"	s.mu.RLock()\n	l := s.lists[name]\n	s.mu.RUnlock()\n	if l == nil {", "	s.mu.Lock()\n	l := s.lists[name]\n	if l == nil {",
		"		s.mu.Lock()\n		s.lists[name] = l\n		s.mu.Unlock()\n	}", "		s.lists[name] = l\n	}\n	s.mu.Unlock()",
	).Replace(lists)
	assert.Empty(t, New(programs(t, held), Options{}, nil).Extensions(), "it is one section")
}
