package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/mapatom/mapatom/checker/sched"
)

// Int64 is atomic.Int64.
type Int64 struct{ v atomic.Int64 }

func (x *Int64) Load() int64 {
	if t := sched.Current(); t != nil {
		t.Step(sched.Load, unsafe.Pointer(x))
	}
	return x.v.Load()
}

func (x *Int64) Store(v int64) {
	if t := sched.Current(); t != nil {
		t.Step(sched.Store, unsafe.Pointer(x))
	}
	x.v.Store(v)
}
