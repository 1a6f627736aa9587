package fence

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestOutOfMemory: what the end of a program prints that got no more memory, and what it
// prints for other reasons.
func TestOutOfMemory(t *testing.T) {
	for printed, want := range map[string]bool{
		"fatal error: runtime: out of memory\n":                                                             true,
		"runtime: cannot map pages in arena address space\nmmap: cannot allocate memory\n":                  true,
		"SIGSEGV: segmentation violation\nPC=0x41 m=0 sigcode=1\n":                                          true,
		"=== RUN Test\nSIGSEGV: segmentation violation\nPC=0x41 m=3\n":                                      true,
		"SIGSEGV: segmentation violation\nPC=0x7f m=0\nsignal arrived during cgo execution\n":               false,
		"panic: runtime error: invalid memory address\n[signal SIGSEGV: segmentation violation code=0x1]\n": false,
		"--- FAIL: Test\n": false,
	} {
		assert.Equal(t, want, OutOfMemory(printed), printed)
	}
}
