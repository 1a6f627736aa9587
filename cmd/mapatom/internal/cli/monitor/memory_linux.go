package monitor

import (
	"runtime"
	"syscall"
	"unsafe"
)

// largePages asks the system for large pages behind the next so many bytes
// that are allocated. Most of the time that a long history takes would
// otherwise go into mapping fresh memory, 4 KiB at a time.
//
// The garbage collector gives no say in which memory it hands out, but it
// hands out again what it was given back before it asks the system for more.
// The bytes are not touched here, so that what is not needed costs nothing; if
// the system does not listen, all is as before.
func largePages(bytes int64) {
	const page = 2 << 20
	if bytes < 4*page {
		return
	}
	block := make([]byte, bytes)
	from := -uintptr(unsafe.Pointer(&block[0])) & (page - 1)
	syscall.Madvise(block[from:], syscall.MADV_HUGEPAGE)
	block = nil
	runtime.GC()
}
