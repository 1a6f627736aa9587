package lineup

import (
	"strconv"
	"sync"
	"sync/atomic"
)

// Lazy makes its value when it is first asked for.
type Lazy struct {
	once  sync.Once
	made  atomic.Bool
	value int
}

func (l *Lazy) Value() int {
	l.once.Do(func() {
		l.value = 42
		l.made.Store(true)
	})
	return l.value
}

func (l *Lazy) IsValueCreated() bool { return l.made.Load() }

// String does not make the value.
func (l *Lazy) String() string {
	if !l.made.Load() {
		return "not created"
	}
	return strconv.Itoa(l.value)
}
