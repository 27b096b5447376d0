//go:build unix

package project

import (
	"os"
	"strconv"
	"syscall"
)

// ownedByOther reports whether a file, or the link to it, belongs to someone other than the user. As
// in git, a user who has become root with sudo is still the same user.
func ownedByOther(file string) bool {
	for _, stat := range []func(string) (os.FileInfo, error){os.Lstat, os.Stat} {
		info, err := stat(file)
		if err != nil {
			continue // the error is reported where the file is read
		}
		if s, ok := info.Sys().(*syscall.Stat_t); ok && !isUser(int(s.Uid)) {
			return true
		}
	}
	return false
}

func isUser(id int) bool {
	if id == os.Geteuid() {
		return true
	}
	sudo, err := strconv.Atoi(os.Getenv("SUDO_UID"))
	return err == nil && os.Geteuid() == 0 && id == sudo
}

// openToAll reports whether every user may create files in a directory.
func openToAll(dir string) bool {
	const othersWrite = 0o002
	info, err := os.Stat(dir)
	return err == nil && info.Mode().Perm()&othersWrite != 0
}
