package check

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint"
)

// newborn are ways to make a map by itself and to fill it, before it becomes a part of what the
// method Rename finds it in: the types that are needed, and the path from the receiver.
var newborn = []struct{ name, decls, path string }{
	{"constructor", `
type Holder struct{ conf *atomic.Pointer[Conf] }

func New(c *Conf) *Holder {
	p := new(atomic.Pointer[Conf])
	p.Store(c)
	return &Holder{conf: p}
}`, "h.conf"},
	{"field", `
type Holder struct{ conf *atomic.Pointer[Conf] }

func (h *Holder) Reset(c *Conf) {
	h.conf = new(atomic.Pointer[Conf])
	h.conf.Store(c)
}`, "h.conf"},
	{"list", `
type Holder struct{ all []*atomic.Pointer[Conf] }

func (h *Holder) Add(c *Conf) {
	p := new(atomic.Pointer[Conf])
	p.Store(c)
	h.all = append(h.all, p)
}`, "h.all[0]"},
	{"early", `
type Holder struct{ conf *atomic.Pointer[Conf] }

func (h *Holder) clear() { h.conf = new(atomic.Pointer[Conf]) }

func (h *Holder) Init(c *Conf, check func() bool) {
	h.clear()
	if check() {
		h.conf.Store(c)
	}
}`, "h.conf"},
}

const renames = `package renames

import "sync/atomic"

type Conf struct{ name string }
%s

func (h *Holder) Rename(n string) {
	old := %[2]s.Load()
	%[2]s.Store(&Conf{name: old.name + n})
}
`

const renamesOnce = `package renames

import "sync/atomic"

type Conf struct{ name string }
%s

func (h *Holder) Rename(n string) {
	for {
		old := %[2]s.Load()
		if %[2]s.CompareAndSwap(old, &Conf{name: old.name + n}) {
			return
		}
	}
}
`

// TestNewborn: what is put in a map before it is a part of anything is what others find there. They
// do not only find nothing, with which Rename would panic and do no harm.
func TestNewborn(t *testing.T) {
	for _, n := range newborn {
		t.Run(n.name, func(t *testing.T) {
			for src, want := range map[string]absint.Verdict{renames: absint.Violation, renamesOnce: absint.Verified} {
				all := New(programs(t, fmt.Sprintf(src, n.decls, n.path)), Options{}, nil).Extensions()
				require.Len(t, all, 1)
				assert.Equal(t, want, all[0].Verdict, all[0].Reason)
			}
		})
	}
}
