// Package process is a run of weft as a program of the operating system: signals, limits of time
// and memory, standard output and standard error, exit codes, and runs that are repeated when files
// change. What commands there are, and what they do, is for package cli to say.
//
// A run gives its result wholly or not at all (Stdout), and says everything else on standard error,
// as text or as JSON (Messages).
package process
