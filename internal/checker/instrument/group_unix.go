//go:build unix

package instrument

import (
	"os/exec"
	"syscall"
)

// ownGroup starts the process in a group of its own, which Ctrl-C at the
// terminal does not reach: it is ours to end it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd)
}

// killGroup ends the process and what it has started.
func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
