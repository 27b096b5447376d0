package process

import (
	"errors"
	"io"
	"io/fs"
	"runtime"
	"syscall"

	"weft/internal/lang/diag"
)

// codeUsage is the code of what is wrong with a command line.
const codeUsage diag.Code = "cli/usage"

// Usagef makes an error about the command line.
func Usagef(format string, args ...any) *diag.Diagnostic {
	return diag.Failf(codeUsage, format, args...)
}

// codeOutput is the code of standard output that cannot be written.
const codeOutput diag.Code = "cli/output"

// OutputError is an error of standard output. The one that nothing reads it any more stays what it
// is.
func OutputError(err error) error {
	if err == nil || IsBrokenPipe(err) {
		return err
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return diag.Failf(codeOutput, "writing output: %s", err)
}

// IsBrokenPipe reports whether a write failed because nothing reads any more, as in `weft -f . |
// head -1`. Unix systems end the program before it gets here, unless the signal is ignored.
func IsBrokenPipe(err error) bool {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // what Windows calls it
		return errno == syscall.EPIPE ||
			runtime.GOOS == "windows" && (errno == brokenPipe || errno == noData)
	}
	return errors.Is(err, io.ErrClosedPipe)
}

// ErrDifferent is how --diff ends if there is a difference, of which nothing is left to say.
var ErrDifferent = errors.New("there are differences")

// ErrFleet is how a fleet ends of which an environment failed, which has been told by then.
var ErrFleet = errors.New("an environment failed")

// ErrUnproven is how the command ends if values may change, which has been told by then.
var ErrUnproven = errors.New("the values may change")

// ErrUnfinished is how init ends if a project does not render yet, which has been told by then.
var ErrUnfinished = errors.New("the project does not render yet")

// isUsage reports whether an error is about the command line.
func isUsage(err error) bool {
	d, ok := errors.AsType[*diag.Diagnostic](err)
	return ok && d.Code == codeUsage
}

// isAnswer reports whether an error is what a command has found out, and has said all of.
func isAnswer(err error) bool { return errors.Is(err, ErrDifferent) || errors.Is(err, ErrFleet) }
