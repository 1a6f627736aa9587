//go:build linux && (amd64 || arm64)

package fence

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// minABI is the first version of Landlock's interface that knows of the
// truncation of files.
const minABI = 3

// missing says why there is no fence here; nil if there is one.
var missing = sync.OnceValue(func() error {
	abi, err := ll.LandlockGetABIVersion()
	switch {
	case err != nil:
		return errors.New("the kernel has no Landlock, or it is not switched on")
	case abi < minABI:
		return fmt.Errorf("the kernel's Landlock is of version %d, want %d (Linux 6.2) or later", abi, minABI)
	}
	if _, err := unix.PrctlRetInt(unix.PR_GET_SECCOMP, 0, 0, 0, 0); err != nil {
		return errors.New("the kernel has no seccomp")
	}
	return nil
})

// A process that is started with a policy in its environment is one that goes
// behind the fence and becomes another program. This is an init function so
// that every program which can start a fence is its own launcher, tests
// included.
func init() {
	text := os.Getenv(policyEnv)
	if text == "" || text == off {
		return
	}
	os.Unsetenv(policyEnv)
	p, err := decode(text)
	switch {
	case err != nil:
	case len(os.Args) < 2:
		err = errors.New("no program is named")
	default:
		err = p.enter(os.Args[1], os.Args[1:])
	}
	fmt.Fprintf(os.Stderr, "mapatom: fence: %v\n", err)
	os.Exit(1)
}

// enter closes the fence and becomes the program. It returns only if that
// fails.
func (p Policy) enter(program string, args []string) error {
	runtime.LockOSThread()
	if err := p.limit(); err != nil {
		return err
	}
	if len(p.Write) > 0 {
		os.Setenv("TMPDIR", p.Write[0])
		os.Setenv("XDG_CACHE_HOME", p.Write[0])
	}
	if err := p.landlock(program); err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	if err := filterCalls(); err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	return fmt.Errorf("%s: %w", program, syscall.Exec(program, args, os.Environ()))
}

// limit has the process end with the one that has started it, and bounds its
// memory: what it can write to and shares with nobody.
func (p Policy) limit() error {
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("prctl: %w", err)
	}
	if p.Memory == 0 {
		return nil
	}
	os.Setenv("GOMEMLIMIT", fmt.Sprint(p.Memory/10*9))
	most := uint64(p.Memory)
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: most}); err != nil {
		return fmt.Errorf("setrlimit: %w", err)
	}
	return nil
}

// system is what programs read of the system.
var system = []string{
	"/bin", "/etc", "/lib", "/lib32", "/lib64", "/nix/store", "/opt", "/proc", "/run/systemd/resolve", "/sys", "/usr",
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
}

const (
	readAccess  = ll.AccessFSReadFile | ll.AccessFSReadDir
	startAccess = ll.AccessFSReadFile | ll.AccessFSExecute
	nullAccess  = ll.AccessFSReadFile | ll.AccessFSWriteFile | ll.AccessFSTruncate
	// writeAccess has no right to make devices.
	writeAccess = readAccess | ll.AccessFSWriteFile | ll.AccessFSRemoveDir | ll.AccessFSRemoveFile | ll.AccessFSMakeDir |
		ll.AccessFSMakeReg | ll.AccessFSMakeSock | ll.AccessFSMakeFifo | ll.AccessFSMakeSym | ll.AccessFSRefer | ll.AccessFSTruncate
)

// landlock restricts the process to the files of the policy and of the system.
func (p Policy) landlock(program string) error {
	if p.Beside {
		p.Write = append(p.Write, filepath.Dir(program))
	}
	folders, files := sorted(slices.Concat(system, p.Read))
	rules := []landlock.Rule{
		landlock.PathAccess(readAccess, folders...),
		landlock.PathAccess(ll.AccessFSReadFile, files...),
		landlock.PathAccess(startAccess, append(interpreter(program), program)...),
		landlock.PathAccess(nullAccess, "/dev/null").IgnoreIfMissing(),
	}
	if len(p.Write) > 0 {
		rules = append(rules, landlock.PathAccess(writeAccess, p.Write...))
	}
	return landlock.V6.BestEffort().Restrict(rules...)
}

// sorted are the folders and the files that there are among paths.
func sorted(paths []string) (folders, files []string) {
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
		case info.IsDir():
			folders = append(folders, path)
		default:
			files = append(files, path)
		}
	}
	return folders, files
}

// interpreter is what loads a program that is linked dynamically.
func interpreter(program string) []string {
	f, err := elf.Open(program)
	if err != nil {
		return nil
	}
	defer f.Close()
	for _, s := range f.Progs {
		if s.Type == elf.PT_INTERP {
			name, err := io.ReadAll(s.Open())
			if err == nil {
				return []string{strings.TrimRight(string(name), "\x00")}
			}
		}
	}
	return nil
}
