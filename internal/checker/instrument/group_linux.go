package instrument

import (
	"os/exec"
	"syscall"
)

// endWithParent has the process end when this one does, however that is.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
