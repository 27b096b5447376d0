//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// EndGroup has the programs that a command starts end with it: git runs others to fetch, which would go on.
// Signals of the terminal do not reach them, so weft decides when they end.
func EndGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
