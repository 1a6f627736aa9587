package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/mapatom/mapatom/checker/sched"
)

// LoadInt32 is atomic.LoadInt32.
func LoadInt32(addr *int32) int32 {
	sched.Announce(sched.Load, unsafe.Pointer(addr))
	return atomic.LoadInt32(addr)
}

// StoreInt32 is atomic.StoreInt32.
func StoreInt32(addr *int32, val int32) {
	sched.Announce(sched.Store, unsafe.Pointer(addr))
	atomic.StoreInt32(addr, val)
}

// SwapInt32 is atomic.SwapInt32.
func SwapInt32(addr *int32, new int32) int32 {
	t := sched.Announce(sched.Update, unsafe.Pointer(addr))
	return quietIf(t, atomic.SwapInt32(addr, new), new)
}

// CompareAndSwapInt32 is atomic.CompareAndSwapInt32.
func CompareAndSwapInt32(addr *int32, old, new int32) bool {
	t := sched.Announce(sched.Update, unsafe.Pointer(addr))
	return changed(t, atomic.CompareAndSwapInt32(addr, old, new))
}

// AddInt32 is atomic.AddInt32.
func AddInt32(addr *int32, delta int32) int32 {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.AddInt32(addr, delta)
}

// AndInt32 is atomic.AndInt32.
func AndInt32(addr *int32, mask int32) int32 {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.AndInt32(addr, mask)
}

// OrInt32 is atomic.OrInt32.
func OrInt32(addr *int32, mask int32) int32 {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.OrInt32(addr, mask)
}

// LoadInt64 is atomic.LoadInt64.
func LoadInt64(addr *int64) int64 {
	sched.Announce(sched.Load, unsafe.Pointer(addr))
	return atomic.LoadInt64(addr)
}

// StoreInt64 is atomic.StoreInt64.
func StoreInt64(addr *int64, val int64) {
	sched.Announce(sched.Store, unsafe.Pointer(addr))
	atomic.StoreInt64(addr, val)
}

// SwapInt64 is atomic.SwapInt64.
func SwapInt64(addr *int64, new int64) int64 {
	t := sched.Announce(sched.Update, unsafe.Pointer(addr))
	return quietIf(t, atomic.SwapInt64(addr, new), new)
}

// CompareAndSwapInt64 is atomic.CompareAndSwapInt64.
func CompareAndSwapInt64(addr *int64, old, new int64) bool {
	t := sched.Announce(sched.Update, unsafe.Pointer(addr))
	return changed(t, atomic.CompareAndSwapInt64(addr, old, new))
}

// AddInt64 is atomic.AddInt64.
func AddInt64(addr *int64, delta int64) int64 {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.AddInt64(addr, delta)
}

// AndInt64 is atomic.AndInt64.
func AndInt64(addr *int64, mask int64) int64 {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.AndInt64(addr, mask)
}

// OrInt64 is atomic.OrInt64.
func OrInt64(addr *int64, mask int64) int64 {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.OrInt64(addr, mask)
}

// LoadUint32 is atomic.LoadUint32.
func LoadUint32(addr *uint32) uint32 {
	sched.Announce(sched.Load, unsafe.Pointer(addr))
	return atomic.LoadUint32(addr)
}

// StoreUint32 is atomic.StoreUint32.
func StoreUint32(addr *uint32, val uint32) {
	sched.Announce(sched.Store, unsafe.Pointer(addr))
	atomic.StoreUint32(addr, val)
}

// SwapUint32 is atomic.SwapUint32.
func SwapUint32(addr *uint32, new uint32) uint32 {
	t := sched.Announce(sched.Update, unsafe.Pointer(addr))
	return quietIf(t, atomic.SwapUint32(addr, new), new)
}

// CompareAndSwapUint32 is atomic.CompareAndSwapUint32.
func CompareAndSwapUint32(addr *uint32, old, new uint32) bool {
	t := sched.Announce(sched.Update, unsafe.Pointer(addr))
	return changed(t, atomic.CompareAndSwapUint32(addr, old, new))
}

// AddUint32 is atomic.AddUint32.
func AddUint32(addr *uint32, delta uint32) uint32 {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.AddUint32(addr, delta)
}

// AndUint32 is atomic.AndUint32.
func AndUint32(addr *uint32, mask uint32) uint32 {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.AndUint32(addr, mask)
}

// OrUint32 is atomic.OrUint32.
func OrUint32(addr *uint32, mask uint32) uint32 {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.OrUint32(addr, mask)
}

// LoadUint64 is atomic.LoadUint64.
func LoadUint64(addr *uint64) uint64 {
	sched.Announce(sched.Load, unsafe.Pointer(addr))
	return atomic.LoadUint64(addr)
}

// StoreUint64 is atomic.StoreUint64.
func StoreUint64(addr *uint64, val uint64) {
	sched.Announce(sched.Store, unsafe.Pointer(addr))
	atomic.StoreUint64(addr, val)
}

// SwapUint64 is atomic.SwapUint64.
func SwapUint64(addr *uint64, new uint64) uint64 {
	t := sched.Announce(sched.Update, unsafe.Pointer(addr))
	return quietIf(t, atomic.SwapUint64(addr, new), new)
}

// CompareAndSwapUint64 is atomic.CompareAndSwapUint64.
func CompareAndSwapUint64(addr *uint64, old, new uint64) bool {
	t := sched.Announce(sched.Update, unsafe.Pointer(addr))
	return changed(t, atomic.CompareAndSwapUint64(addr, old, new))
}

// AddUint64 is atomic.AddUint64.
func AddUint64(addr *uint64, delta uint64) uint64 {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.AddUint64(addr, delta)
}

// AndUint64 is atomic.AndUint64.
func AndUint64(addr *uint64, mask uint64) uint64 {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.AndUint64(addr, mask)
}

// OrUint64 is atomic.OrUint64.
func OrUint64(addr *uint64, mask uint64) uint64 {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.OrUint64(addr, mask)
}

// LoadUintptr is atomic.LoadUintptr.
func LoadUintptr(addr *uintptr) uintptr {
	sched.Announce(sched.Load, unsafe.Pointer(addr))
	return atomic.LoadUintptr(addr)
}

// StoreUintptr is atomic.StoreUintptr.
func StoreUintptr(addr *uintptr, val uintptr) {
	sched.Announce(sched.Store, unsafe.Pointer(addr))
	atomic.StoreUintptr(addr, val)
}

// SwapUintptr is atomic.SwapUintptr.
func SwapUintptr(addr *uintptr, new uintptr) uintptr {
	t := sched.Announce(sched.Update, unsafe.Pointer(addr))
	return quietIf(t, atomic.SwapUintptr(addr, new), new)
}

// CompareAndSwapUintptr is atomic.CompareAndSwapUintptr.
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) bool {
	t := sched.Announce(sched.Update, unsafe.Pointer(addr))
	return changed(t, atomic.CompareAndSwapUintptr(addr, old, new))
}

// AddUintptr is atomic.AddUintptr.
func AddUintptr(addr *uintptr, delta uintptr) uintptr {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.AddUintptr(addr, delta)
}

// AndUintptr is atomic.AndUintptr.
func AndUintptr(addr *uintptr, mask uintptr) uintptr {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.AndUintptr(addr, mask)
}

// OrUintptr is atomic.OrUintptr.
func OrUintptr(addr *uintptr, mask uintptr) uintptr {
	sched.Announce(sched.Update, unsafe.Pointer(addr))
	return atomic.OrUintptr(addr, mask)
}

// LoadPointer is atomic.LoadPointer.
func LoadPointer(addr *unsafe.Pointer) unsafe.Pointer {
	sched.Announce(sched.Load, unsafe.Pointer(addr))
	return atomic.LoadPointer(addr)
}

// StorePointer is atomic.StorePointer.
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) {
	sched.Announce(sched.Store, unsafe.Pointer(addr))
	atomic.StorePointer(addr, val)
}

// SwapPointer is atomic.SwapPointer.
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) unsafe.Pointer {
	t := sched.Announce(sched.Update, unsafe.Pointer(addr))
	return quietIf(t, atomic.SwapPointer(addr, new), new)
}

// CompareAndSwapPointer is atomic.CompareAndSwapPointer.
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) bool {
	t := sched.Announce(sched.Update, unsafe.Pointer(addr))
	return changed(t, atomic.CompareAndSwapPointer(addr, old, new))
}
