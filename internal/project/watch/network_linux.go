package watch

import "golang.org/x/sys/unix"

// isNetwork reports whether a path is on a file system that can change without Linux noticing: a
// network file system, one of a virtual machine, or one in user space.
func isNetwork(path string) bool {
	var s unix.Statfs_t
	if unix.Statfs(path, &s) != nil {
		return false
	}
	switch uint32(s.Type) { // the type differs between processors
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC,
		unix.AFS_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.CODA_SUPER_MAGIC, unix.V9FS_MAGIC,
		unix.FUSE_SUPER_MAGIC:
		return true
	}
	return false
}
