//go:build linux && (amd64 || arm64)

package fence

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The filter is a program of the kernel's packet filter, which looks at the
// number of a system call and its arguments (seccomp(2)). It is small enough to
// be written down as it is.

// Where the call's number, the processor and the arguments are in what the
// filter is given.
const (
	offsetCall    = 0
	offsetMachine = 4
	offsetArgs    = 16
)

// forbidden are the calls that fail. Those of files are the ones that Landlock
// does not know of.
var forbidden = append([]uint32{
	// Modes, owners, times and attributes of files.
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
	unix.SYS_OPEN_BY_HANDLE_AT,
	// The network, local sockets included, and what does such calls for others.
	unix.SYS_SOCKET, unix.SYS_IO_URING_SETUP,
	// Leaving the group of processes that is ended, and the session.
	unix.SYS_SETSID, unix.SYS_SETPGID,
	// Other processes.
	unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_PIDFD_GETFD,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_KCMP,
	unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET,
	// What outlives a process in the kernel.
	unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN, unix.SYS_ADD_KEY, unix.SYS_KEYCTL, unix.SYS_REQUEST_KEY,
	// The machine.
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN,
	unix.SYS_MOUNT_SETATTR, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_REBOOT, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME, unix.SYS_SWAPON, unix.SYS_SWAPOFF,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_SYSLOG, unix.SYS_USERFAULTFD,
	unix.SYS_FANOTIFY_INIT, unix.SYS_VHANGUP, unix.SYS_MEMFD_CREATE,
}, forbiddenHere...)

// Words of the filter's language.
const (
	loadWord  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	jumpEqual = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	jumpSet   = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	jumpFrom  = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	answer    = unix.BPF_RET | unix.BPF_K

	allow   = unix.SECCOMP_RET_ALLOW
	refuse  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	unknown = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

// filter assembles the program for the process with the number, which is kept
// when it becomes another program.
func filter(self uint32) []unix.SockFilter {
	var f []unix.SockFilter
	add := func(code uint16, k uint32, jt, jf uint8) {
		f = append(f, unix.SockFilter{Code: code, K: k, Jt: jt, Jf: jf})
	}
	add(loadWord, offsetMachine, 0, 0)
	add(jumpEqual, machine, 1, 0)
	add(answer, refuse, 0, 0)
	add(loadWord, offsetCall, 0, 0)
	add(jumpFrom, otherNumbering, 0, 1)
	add(answer, refuse, 0, 0)
	for _, call := range forbidden {
		add(jumpEqual, call, 0, 1)
		add(answer, refuse, 0, 0)
	}
	// A new process is refused, a new thread is not. The arguments of clone3
	// cannot be looked at; whoever is told that there is none takes clone.
	add(jumpEqual, unix.SYS_CLONE3, 0, 1)
	add(answer, unknown, 0, 0)
	add(jumpEqual, unix.SYS_CLONE, 0, 4)
	add(loadWord, offsetArgs, 0, 0)
	add(jumpSet, unix.CLONE_THREAD, 0, 1)
	add(answer, allow, 0, 0)
	add(answer, refuse, 0, 0)
	// Signals and limits are for the process itself, which limits call 0.
	for _, call := range []uint32{unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_PRLIMIT64} {
		also := self
		if call == unix.SYS_PRLIMIT64 {
			also = 0
		}
		add(jumpEqual, call, 0, 5)
		add(loadWord, offsetArgs, 0, 0)
		add(jumpEqual, self, 1, 0)
		add(jumpEqual, also, 0, 1)
		add(answer, allow, 0, 0)
		add(answer, refuse, 0, 0)
	}
	// What is typed at a terminal is the user's.
	add(jumpEqual, unix.SYS_IOCTL, 0, 3)
	add(loadWord, offsetArgs+8, 0, 0)
	add(jumpEqual, unix.TIOCSTI, 0, 1)
	add(answer, refuse, 0, 0)
	add(answer, allow, 0, 0)
	return f
}

// filterCalls has the filter look at the system calls of this thread from now
// on, and of what it becomes.
func filterCalls() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	f := filter(uint32(os.Getpid()))
	program := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}
