package fence

import "golang.org/x/sys/unix"

const (
	machine = unix.AUDIT_ARCH_X86_64
	// otherNumbering is where the numbers of another interface begin (x32).
	otherNumbering = 0x40000000
)

// forbiddenHere are calls that newer machines do without.
var forbiddenHere = []uint32{
	unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
	unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT,
}
