//go:build linux && (amd64 || arm64)

package fence_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/mapatom/mapatom/internal/checker/fence"
)

// scene is where an attack takes place: a folder that is not its business, one
// that it may write to, and the parent's sockets.
type scene struct {
	Victim, Private  string
	TCP, UDP, Socket string
}

func (s scene) secret() string { return filepath.Join(s.Victim, "secret") }
func (s scene) inside() string { return filepath.Join(s.Private, "inside") }

// attacks must fail and leave no trace.
var attacks = []struct {
	name   string
	attack func(scene) error
}{
	{"read a file of another", func(s scene) error { _, err := os.ReadFile(s.secret()); return err }},
	{"list a folder of another", func(s scene) error { _, err := os.ReadDir(s.Victim); return err }},
	{"create a file", func(s scene) error { return os.WriteFile(filepath.Join(s.Victim, "new"), nil, 0o666) }},
	{"overwrite a file", func(s scene) error { return os.WriteFile(s.secret(), []byte("x"), 0o666) }},
	{"append to a file", func(s scene) error { return closed(os.OpenFile(s.secret(), os.O_APPEND|os.O_WRONLY, 0)) }},
	{"truncate a file", func(s scene) error { return os.Truncate(s.secret(), 0) }},
	{"truncate by opening", func(s scene) error { return closed(os.OpenFile(s.secret(), os.O_RDONLY|os.O_TRUNC, 0)) }},
	{"remove a file", func(s scene) error { return os.Remove(s.secret()) }},
	{"remove a tree", func(s scene) error { return os.RemoveAll(s.Victim) }},
	{"rename a file", func(s scene) error { return os.Rename(s.secret(), s.secret()+"2") }},
	{"move a file out", func(s scene) error { return os.Rename(s.secret(), s.inside()) }},
	{"move a file over another", func(s scene) error {
		return errors.Join(mustWrite(s.inside()), os.Rename(s.inside(), s.secret()))
	}},
	{"make a folder", func(s scene) error { return os.Mkdir(filepath.Join(s.Victim, "d"), 0o777) }},
	{"make a symbolic link", func(s scene) error { return os.Symlink("secret", filepath.Join(s.Victim, "l")) }},
	{"make a link", func(s scene) error { return os.Link(s.secret(), filepath.Join(s.Victim, "l")) }},
	{"write through a link of one's own", func(s scene) error {
		if err := os.Link(s.secret(), s.inside()); err != nil {
			return err
		}
		return os.WriteFile(s.inside(), []byte("x"), 0o666)
	}},
	{"write through a symbolic link of one's own", func(s scene) error {
		if err := os.Symlink(s.secret(), s.inside()); err != nil {
			return nil // it has to be possible
		}
		return os.WriteFile(s.inside(), []byte("x"), 0o666)
	}},
	{"write by way of /proc/self/root", func(s scene) error {
		return os.WriteFile("/proc/self/root"+s.secret(), []byte("x"), 0o666)
	}},
	{"write by way of the folder above", func(s scene) error {
		return os.WriteFile(filepath.Join(s.Private, "..", "victim", "secret"), []byte("x"), 0o666)
	}},
	{"make a pipe with a name", func(s scene) error { return unix.Mkfifo(filepath.Join(s.Victim, "p"), 0o666) }},
	{"make a device", func(s scene) error {
		return unix.Mknod(filepath.Join(s.Private, "null"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3)))
	}},
	{"change a mode", func(s scene) error { return os.Chmod(s.secret(), 0o777) }},
	{"change an owner", func(s scene) error { return os.Chown(s.secret(), 12345, 12345) }},
	{"change times", func(s scene) error { return os.Chtimes(s.secret(), time.Unix(1, 0), time.Unix(1, 0)) }},
	{"set an attribute", func(s scene) error { return unix.Setxattr(s.secret(), "user.x", []byte("x"), 0) }},
	{"run a program", func(s scene) error { return exec.Command("/bin/sh", "-c", "echo >"+s.Victim+"/sh").Run() }},
	{"run this program again", func(s scene) error { return exec.Command("/proc/self/exe", "-test.run=^$").Run() }},
	{"become a program", func(s scene) error { return syscall.Exec("/bin/sh", []string{"sh", "-c", "exit 0"}, nil) }},
	{"run a program of one's own", func(s scene) error {
		self, err := os.ReadFile("/proc/self/exe")
		if err != nil {
			return nil
		}
		if err := os.WriteFile(s.inside(), self, 0o777); err != nil {
			return nil // it has to be possible
		}
		return syscall.Exec(s.inside(), []string{"x", "-test.run=^$"}, nil)
	}},
	{"run a program out of memory", func(s scene) error { return errno(unix.MemfdCreate("x", 0)) }},
	{"start a process", func(s scene) error {
		id, _, e := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
		if e == 0 && id == 0 {
			syscall.RawSyscall(syscall.SYS_EXIT, 0, 0, 0)
		}
		return number(e)
	}},
	{"leave the group of processes", func(s scene) error { return errno(syscall.Setsid()) }},
	{"found a group of processes", func(s scene) error { return syscall.Setpgid(0, 0) }},
	{"signal the parent", func(s scene) error { return syscall.Kill(os.Getppid(), 0) }},
	{"signal the group", func(s scene) error { return syscall.Kill(0, 0) }},
	{"signal a thread of the parent", func(s scene) error { return unix.Tgkill(os.Getppid(), os.Getppid(), 0) }},
	{"trace the parent", func(s scene) error { return unix.PtraceSeize(os.Getppid()) }},
	{"limit the parent", func(s scene) error {
		var l unix.Rlimit
		return unix.Prlimit(os.Getppid(), unix.RLIMIT_NOFILE, nil, &l)
	}},
	{"connect by TCP", func(s scene) error { return closed(net.Dial("tcp", s.TCP)) }},
	{"listen by TCP", func(s scene) error { return closed(net.Listen("tcp", "127.0.0.1:0")) }},
	{"send by UDP", func(s scene) error {
		c, err := net.Dial("udp", s.UDP)
		if err == nil {
			_, err = c.Write([]byte("x"))
		}
		return err
	}},
	{"connect to a socket in the file system", func(s scene) error { return closed(net.Dial("unix", s.Socket)) }},
	{"connect to a socket without a name", func(s scene) error { return closed(net.Dial("unix", "@mapatom-fence-"+s.TCP)) }},
	{"ask for a name", func(s scene) error { _, err := net.LookupHost("example.com"); return err }},
	{"share memory that stays", func(s scene) error { return errno(unix.SysvShmGet(12345, 4096, unix.IPC_CREAT|0o600)) }},
	{"mount a file system", func(s scene) error { return unix.Mount("none", s.Private, "tmpfs", 0, "") }},
	{"name the machine", func(s scene) error {
		name, err := os.Hostname()
		if err != nil {
			return nil
		}
		return unix.Sethostname([]byte(name))
	}},
	{"be alone", func(s scene) error { return unix.Unshare(unix.CLONE_NEWUSER) }},
	{"have the kernel work for one", func(s scene) error {
		var params [120]byte
		_, _, e := unix.RawSyscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params)), 0)
		return number(e)
	}},
	{"write to the settings of the system", func(s scene) error {
		return os.WriteFile("/proc/self/oom_score_adj", []byte("0"), 0)
	}},
}

func errno[T any](_ T, err error) error { return err }

func number(e syscall.Errno) error {
	if e == 0 {
		return nil
	}
	return e
}

// closed closes what was opened.
func closed[T interface{ Close() error }](c T, err error) error {
	if err == nil {
		c.Close()
	}
	return err
}

func mustWrite(file string) error {
	if err := os.WriteFile(file, []byte("x"), 0o666); err != nil {
		panic(err)
	}
	return nil
}

// A process with these in its environment is one that attacks.
const (
	attackEnv = "FENCE_TEST_ATTACK"
	sceneEnv  = "FENCE_TEST_SCENE"
)

func TestMain(m *testing.M) {
	name, ok := os.LookupEnv(attackEnv)
	if !ok {
		os.Exit(m.Run())
	}
	var s scene
	if err := json.Unmarshal([]byte(os.Getenv(sceneEnv)), &s); err != nil {
		panic(err)
	}
	if name == greedyName {
		var all [][]byte
		for range 1 << 10 {
			b := make([]byte, 1<<20)
			for i := range b {
				b[i] = 1
			}
			all = append(all, b)
		}
		fmt.Print(len(all))
		os.Exit(0)
	}
	if name == allowedName {
		fmt.Print(allowed(s))
		os.Exit(0)
	}
	for _, a := range attacks {
		if a.name == name {
			fmt.Print(a.attack(s))
			os.Exit(0)
		}
	}
	os.Exit(2)
}

const (
	allowedName = "what is allowed"
	greedyName  = "a gigabyte"
)

// allowed is what has to work behind the fence.
func allowed(s scene) error {
	_, source, _, _ := runtime.Caller(0)
	temp, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(temp, s.Private) {
		return fmt.Errorf("temporary files are in %s, not %s", temp, s.Private)
	}
	other := filepath.Join(s.Private, "other")
	_, read := os.ReadFile(source)
	_, system := os.ReadFile("/etc/passwd")
	threads := make(chan bool)
	for range 4 {
		go func() { runtime.LockOSThread(); threads <- true }()
		<-threads
	}
	return errors.Join(read, system,
		os.WriteFile(filepath.Join(temp, "a"), []byte("a"), 0o666),
		os.Mkdir(other, 0o777),
		os.Rename(filepath.Join(temp, "a"), filepath.Join(other, "a")),
		os.RemoveAll(other),
		os.WriteFile(os.DevNull, []byte("a"), 0o666),
		syscall.Kill(os.Getpid(), syscall.SIGURG),
	)
}

// behind runs this program behind a fence and gives what it has printed.
func behind(t *testing.T, name string, s scene) string {
	t.Helper()
	text, err := json.Marshal(s)
	require.NoError(t, err)
	_, source, _, _ := runtime.Caller(0)
	cmd := exec.Command("/proc/self/exe", "-test.run=^$")
	cmd.Path, err = os.Executable()
	require.NoError(t, err)
	cmd.Env = append(os.Environ(), attackEnv+"="+name, sceneEnv+"="+string(text))
	require.NoError(t, fence.Policy{Write: []string{s.Private}, Read: []string{filepath.Dir(source)}}.Around(cmd))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// TestAttacks: none succeeds, and none leaves a trace.
func TestAttacks(t *testing.T) {
	if err := fence.Missing(); err != nil {
		t.Skipf("no fence: %v", err)
	}
	require.GreaterOrEqual(t, len(attacks), 25)
	base := t.TempDir()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer tcp.Close()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	defer udp.Close()
	socket := filepath.Join(base, "socket")
	named, err := net.Listen("unix", socket)
	require.NoError(t, err)
	defer named.Close()
	unnamed, err := net.Listen("unix", "@mapatom-fence-"+tcp.Addr().String())
	require.NoError(t, err)
	defer unnamed.Close()
	victim := filepath.Join(base, "victim")
	require.NoError(t, os.Mkdir(victim, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(victim, "secret"), []byte("secret"), 0o666))
	before := trace(t, victim)
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			private := filepath.Join(base, "private")
			require.NoError(t, os.Mkdir(private, 0o777))
			defer os.RemoveAll(private)
			s := scene{victim, private, tcp.Addr().String(), udp.LocalAddr().String(), socket}
			assert.NotEqual(t, "<nil>", behind(t, a.name, s))
			assert.Equal(t, before, trace(t, victim))
		})
	}
	require.NoError(t, udp.SetReadDeadline(time.Now().Add(time.Millisecond)))
	_, _, err = udp.ReadFrom(make([]byte, 1))
	assert.ErrorIs(t, err, os.ErrDeadlineExceeded, "nothing was sent")
}

// TestAllowed: what a program needs works.
func TestAllowed(t *testing.T) {
	if err := fence.Missing(); err != nil {
		t.Skipf("no fence: %v", err)
	}
	assert.Equal(t, "<nil>", behind(t, allowedName, scene{Private: t.TempDir()}))
}

// TestMemory: a program that needs more memory than it may have ends.
func TestMemory(t *testing.T) {
	if err := fence.Missing(); err != nil {
		t.Skipf("no fence: %v", err)
	}
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), attackEnv+"="+greedyName, sceneEnv+"={}")
	require.NoError(t, fence.Policy{Memory: 256 << 20}.Around(cmd))
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	assert.Regexp(t, "out of memory|cannot allocate memory|failed to allocate", string(out), "whichever part of the runtime, or of the race detector's, asks first")
}

// trace is all that can be seen of a folder.
func trace(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var st unix.Stat_t
		if err := unix.Lstat(path, &st); err != nil {
			return err
		}
		var data []byte
		if d.Type().IsRegular() {
			if data, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		n, _ := unix.Listxattr(path, nil)
		all = append(all, fmt.Sprint(path, st.Mode, st.Uid, st.Gid, st.Nlink, st.Size, st.Mtim, st.Ctim, n, string(data)))
		return nil
	}))
	return all
}
