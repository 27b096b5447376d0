package main

import "syscall"

// limitSystem limits the address space of the process, in case that it grows faster than it is watched.
func limitSystem(bytes uint64) {
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: bytes, Max: bytes})
}
