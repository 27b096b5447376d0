// Package process is a run of weft as a process of the operating system: signals, limits of time and
// memory, standard output and standard error, exit codes, and runs that are repeated when files
// change. Package cli defines the commands.
//
// A run writes its result completely or not at all (Stdout), and everything else to standard error,
// as text or as JSON (Messages).
package process
