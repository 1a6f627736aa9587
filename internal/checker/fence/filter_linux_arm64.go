package fence

import "golang.org/x/sys/unix"

const (
	machine        = unix.AUDIT_ARCH_AARCH64
	otherNumbering = 1 << 31 // there is none
)

// forbiddenHere are calls that other machines do not have.
var forbiddenHere []uint32
