//go:build !unix

package git

import "os/exec"

// endGroup does nothing: the programs that git runs end when they can no longer write to it.
func endGroup(*exec.Cmd) {}
