package process

import (
	"errors"
	"io"
	"io/fs"
	"runtime"
	"syscall"

	"weft/internal/lang/diag"
)

// codeUsage is the code of errors in a command line.
const codeUsage diag.Code = "cli/usage"

// Usagef returns an error about the command line.
func Usagef(format string, args ...any) *diag.Diagnostic {
	return diag.Failf(codeUsage, format, args...)
}

// codeOutput is the code of errors when writing to standard output.
const codeOutput diag.Code = "cli/output"

// OutputError returns an error of standard output. A broken pipe is returned unchanged.
func OutputError(err error) error {
	if err == nil || IsBrokenPipe(err) {
		return err
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return diag.Failf(codeOutput, "writing output: %s", err)
}

// IsBrokenPipe reports whether a write failed because the reader has gone, as in `weft -f . | head
// -1`. Unix systems end the program before it gets here, unless the signal is ignored.
func IsBrokenPipe(err error) bool {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // the codes of Windows
		return errno == syscall.EPIPE ||
			runtime.GOOS == "windows" && (errno == brokenPipe || errno == noData)
	}
	return errors.Is(err, io.ErrClosedPipe)
}

// ErrDifferent ends --diff if there is a difference. It has been printed.
var ErrDifferent = errors.New("there are differences")

// ErrFleet ends a fleet in which an environment failed. The error has been printed.
var ErrFleet = errors.New("an environment failed")

// ErrUnproven ends the command if values may change. The reason has been printed.
var ErrUnproven = errors.New("the values may change")

// ErrUnfinished ends init if a project does not render yet. The reason has been printed.
var ErrUnfinished = errors.New("the project does not render yet")

// ErrUntold ends a check whose question could not be answered. The reason has been printed.
var ErrUntold = errors.New("that could not be found out")

// isUsage reports whether an error is about the command line.
func isUsage(err error) bool {
	d, ok := errors.AsType[*diag.Diagnostic](err)
	return ok && d.Code == codeUsage
}

// isAnswer reports whether an error is the result of a check, which has been printed.
func isAnswer(err error) bool { return errors.Is(err, ErrDifferent) || errors.Is(err, ErrFleet) }
