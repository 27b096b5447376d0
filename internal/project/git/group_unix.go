//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// endGroup has the programs that a command starts end with it: git runs others to fetch, which would go on.
func endGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
